"""Reports of two characterizations beside each other."""

from cyclescope.studies.compare.report import junit, markdown, structured, summary, terminal
from cyclescope.studies.compare.report import page as html

__all__ = ["html", "junit", "markdown", "structured", "summary", "terminal"]
