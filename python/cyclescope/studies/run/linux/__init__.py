"""Linux under `cyclescope run`: its options, and the programs that it loads."""
