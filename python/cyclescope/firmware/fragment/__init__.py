"""A user's own code as a fragment: its plan, the C around it, the compiler's answers."""
