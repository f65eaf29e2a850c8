"""Painting: a painter on a picture or a file, which is ended whatever is raised meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtGui import QPaintDevice, QPainter
from shiboken6 import isValid


@contextmanager
def painting(device: QPaintDevice) -> Iterator[QPainter]:
    """A painter on `device`, inactive if Qt cannot draw there.

    An exception keeps the frames it came through, and with them a painter and what it paints on, which go in
    the order of their names: a painter that is still active when its device has gone ends the process.
    """
    painter = QPainter(device)
    try:
        yield painter
    finally:
        if isValid(painter) and painter.isActive():  # who paints may have deleted it
            painter.end()
