"""Runs and threads as lists show them."""
