"""How results of `cyclescope peripheral` are shown."""
