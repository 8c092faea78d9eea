"""Filters, payloads and ids: finding runs by what somebody types."""
