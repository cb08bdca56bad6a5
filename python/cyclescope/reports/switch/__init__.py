"""What a context switch costs, for people: the same tables in a terminal and on a page."""
