"""Where do the cycles of one call go, by function and by kind?"""
