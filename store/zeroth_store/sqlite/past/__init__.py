"""Runs, lists and counts as of a moment."""
