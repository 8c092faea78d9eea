"""Repositories over an own database."""
