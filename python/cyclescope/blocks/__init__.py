"""The times of a fragment's basic blocks: what was measured, what is unknown, what was found."""
