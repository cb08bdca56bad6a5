"""Context switches: what a target is asked, the analytic way, the rig.

See docs/explanation/switch.md.
"""
