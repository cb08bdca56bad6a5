"""`python -m cyclescope` is the `cyclescope` program."""

from cyclescope.cli import main

main()
