"""Instruction sets, one folder each: a module here offers ARCHITECTURE, of `firmware/architecture.py`."""
