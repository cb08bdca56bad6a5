"""Reports of campaigns over configurations: the ratio K, and what options cost."""
