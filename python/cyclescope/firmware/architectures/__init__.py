"""Instruction sets, one folder each: a module here offers ARCHITECTURE (architecture.py)."""
