"""What a program will cost, from its source: without a run on the target."""
