"""Control flow recovered from machine code."""
