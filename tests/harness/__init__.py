"""The harness: what the program is put through for a long time, by seeds, and what it holds meanwhile.

Each module is a command line of its own (`python -m tests.harness.memory --help`); a short tier of each runs
with the tests that are marked `slow`.
"""
