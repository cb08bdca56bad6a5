"""Do a target's own figures agree with the virtual board's clock?"""
