"""Programs as their C source: regions, calls and how often each ran on the host."""
