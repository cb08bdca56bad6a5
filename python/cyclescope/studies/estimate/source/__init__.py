"""A program's own cycles from operations of its source, without a compiler for the target."""
