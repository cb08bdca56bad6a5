"""Techniques that time calls, one a file: each offers `TECHNIQUE`."""
