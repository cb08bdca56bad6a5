"""What does each basic block of a fragment take? (Moreno and Fischmeister, section 5)"""
