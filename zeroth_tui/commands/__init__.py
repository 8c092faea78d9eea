"""The commands of the command line: each module has a `parser()` and `run(words)`.

Imports stay inside the functions that need them, so that `--help` and `info` start at once.
"""
