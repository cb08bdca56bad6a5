"""An estimate for people and for programs: in the terminal, as a page, as JSON."""
