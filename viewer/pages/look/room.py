"""`LookRoom`: what the Look page folds away at a size, so that the map has most of the window."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QSize

_ROOMY = (1300, 740)  # from this size on everything stands open
_LOW = 600  # below it, sentence and kinds fold too
_WIDE = 1160  # from here on a row that is dear in height has room beside the names of the pages
DRAWER = 230  # least height of an open drawer


@dataclass(frozen=True)
class LookRoom:
    """What is folded.

    Attributes:
        small: the panels of inspector and drawer are a list beside the map, heads above it; each opens
            when it is asked for and gives its room back.
        low: the sentence is one line, and the kinds are letters above the heads.
        tiny: an open drawer leaves nothing to the map; it takes its place.
        spread: of a low page that is wide, step and status have no row of their own.
    """

    small: bool = False
    low: bool = False
    tiny: bool = False
    spread: bool = False


def look_room(size: QSize, scale: float, *, drawer: bool) -> LookRoom:
    """What to fold in a page of that size.

    Args:
        size: in pixels.
        scale: pixels of the type in force by those of 14-pixel type.
        drawer: whether one is open below the map.
    """
    width, height = size.width() / scale, size.height() / scale
    small = width < _ROOMY[0] or height < _ROOMY[1]
    tiny = height < _LOW
    low = tiny or (small and drawer and height - DRAWER < _LOW)
    return LookRoom(small, low, tiny, low and width >= _WIDE)
