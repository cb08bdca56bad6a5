"""Campaigns: runs of cases, made by executors and kept as soon as each is done."""
