"""Control flow recovered from machine code, one instruction set a file."""
