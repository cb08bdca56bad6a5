"""Forms of law, one a file: each offers `MODELS`."""
