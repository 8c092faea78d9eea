"""Widgets: they draw what they are given and say what a person did."""
