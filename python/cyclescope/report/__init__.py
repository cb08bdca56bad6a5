"""Parts that several reports share: pages, pictures, provenance, laws as text."""
