"""Recorded power measurements: what instruments export, and the windows in it.

See docs/how-to/power.md.
"""
