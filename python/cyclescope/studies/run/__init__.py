"""What does any image do on a virtual board, in exact cycles?"""
