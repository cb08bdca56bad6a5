"""Reports of timed fragments: a table in a terminal, a page, and JSON."""
