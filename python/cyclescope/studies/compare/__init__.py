"""What is slower in the second of two results, by how much, how surely, and why?"""
