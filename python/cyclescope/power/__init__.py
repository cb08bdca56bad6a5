"""Recorded power measurements: what instruments export, and the windows in it (docs/power.md)."""
