"""Recordings of a pin: what a sound card or a logic analyser wrote, read as times of edges."""
