"""Persistence of the run domain in SQLite."""
