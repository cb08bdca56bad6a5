"""Where windows with a context switch run: virtual boards."""
