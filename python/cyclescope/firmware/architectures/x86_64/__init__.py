"""x86-64, of images for this machine."""
