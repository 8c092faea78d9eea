"""Stored cells as values: what any of them becomes, however large or odd it is."""
