"""The command line: every file of this folder is a verb; `command` in it is what runs."""

from cyclescope.cli._program import execute, main

__all__ = ["execute", "main"]
