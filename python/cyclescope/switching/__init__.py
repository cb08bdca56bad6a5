"""Context switches: what a target is asked, the analytic way, the rig (docs/switch.md)."""
