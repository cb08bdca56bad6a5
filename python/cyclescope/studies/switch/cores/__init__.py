"""Cores on which the cost of a context switch is found: a file or folder each."""
