"""Techniques that time fragments, one a file: each offers `FRAGMENT_TECHNIQUE`."""
