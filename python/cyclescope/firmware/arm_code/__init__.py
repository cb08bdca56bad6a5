"""Facts about code for ARM that its instruction sets share."""
