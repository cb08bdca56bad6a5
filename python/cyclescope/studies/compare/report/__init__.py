"""Reports of two characterizations beside each other."""

from cyclescope.studies.compare.report import junit, markdown, page, structured, summary, terminal

__all__ = ["junit", "markdown", "page", "structured", "summary", "terminal"]
