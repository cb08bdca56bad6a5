"""The smallest board file: a core and a memory."""

PLAIN_BOARD = """
name = "plain"
description = "a core and a memory"
real = false

[core]
kind = "arm7tdmi"

[[memory]]
name = "ram"
base = 0x0
size = 0x10000
kind = "ram"
width = 32
n_wait = 0
s_wait = 0
"""
