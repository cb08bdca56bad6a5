"""Infrared transfers: two boards on one medium, and what goes over it."""
