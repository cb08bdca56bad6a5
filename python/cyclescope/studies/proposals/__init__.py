"""The three proposals for the interaction of a peripheral and its processor: what each saves."""
