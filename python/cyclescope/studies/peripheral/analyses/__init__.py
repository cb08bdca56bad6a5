"""Analyses of one recorded transfer; each counts on a replay of its own."""
