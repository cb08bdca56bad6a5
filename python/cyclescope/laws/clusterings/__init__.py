"""Ways to divide samples into groups, one a file: each offers `CLUSTERING`."""
