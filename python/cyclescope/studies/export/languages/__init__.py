"""Exporters: laws as code, one language in each file, found by name."""
