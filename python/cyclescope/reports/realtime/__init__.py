"""Reports of real-time figures: words and rows, a terminal, a page, and two beside each other."""
