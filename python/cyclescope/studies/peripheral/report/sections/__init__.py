"""Sections of the page: each file makes one of the transfers' documents, or nothing of none."""
