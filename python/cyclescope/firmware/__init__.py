"""Images: what a build makes, with which options and layouts, and what an ELF file says."""
