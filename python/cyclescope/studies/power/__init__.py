"""How much energy lies in the windows of a recorded measurement?"""
