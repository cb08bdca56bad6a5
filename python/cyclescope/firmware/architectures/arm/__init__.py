"""ARM and Thumb, as the ARM7TDMI executes them."""
