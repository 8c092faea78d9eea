"""Measures speed against targets: `make bench`, or `python -m tests.benchmarks --help`."""
