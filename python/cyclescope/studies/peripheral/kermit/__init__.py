"""The Kermit protocol as it is on the wire: packets, their checks and encoding, bytes by origin."""
