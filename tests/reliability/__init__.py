"""Figures about what can go wrong, measured with real processes; `make reliability` prints them."""
