"""Groups of functions: how a recorded call becomes charges by cases, one group in each file."""
