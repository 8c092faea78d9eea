"""Scripted run lifecycles, played through the repositories so that somebody sees living runs."""
