"""Targets for real-time figures, one file each: `open_target(Selection) -> RealtimeTarget`."""
