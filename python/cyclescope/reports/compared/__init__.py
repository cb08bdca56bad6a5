"""Reports of two characterizations beside each other."""

from cyclescope.reports.compared import html, junit, markdown, structured, terminal

__all__ = ["html", "junit", "markdown", "structured", "terminal"]
