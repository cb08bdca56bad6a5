"""The laws of results as code for other programs."""
