"""The cost of a program from its source, without a run on the target."""
