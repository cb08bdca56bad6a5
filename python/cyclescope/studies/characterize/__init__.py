"""What does each call cost, under which law, and how sure is that?"""
