"""How far is each technique off a virtual board's truth, and do its intervals hold?"""
