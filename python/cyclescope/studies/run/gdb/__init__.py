"""A run that gdb controls: `cyclescope run --gdb`."""
