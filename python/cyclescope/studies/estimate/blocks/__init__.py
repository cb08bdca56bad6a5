"""Estimates from the blocks of the image that the target's compiler made."""
