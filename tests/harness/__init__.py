"""The harness: what the program is put through for a long time, by seeds, and what it holds meanwhile.

Each module is a command line of its own (`python -m tests.harness.memory --help`); a short tier of each runs
with the tests that are marked `slow`.
"""

from __future__ import annotations

from viewer.qt_check import load_qt

# As the program does, before anything here imports Qt: PySide would read, and keep, the source of every
# module that is imported from then on. It was much of what the harness found held, more with each page.
load_qt("QtCore")
