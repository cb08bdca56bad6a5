"""Instruments of a whole run: what they count, named by the symbols of its images."""
