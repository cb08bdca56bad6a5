"""What does one execution of a piece of C take? (Moreno and Fischmeister)"""
