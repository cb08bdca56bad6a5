"""Statistics on arrays of numbers, without any knowledge of targets or cases."""
