"""Calls of a program, counted on the host, priced by the laws of a target's calls."""
