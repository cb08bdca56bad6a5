"""How the results of `proposals` are shown."""
