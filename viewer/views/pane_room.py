"""How the header of a pane shares its width: what stands in one row, in short or at all."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Needs:
    """Widths in pixels, gaps included.

    Attributes:
        tabs, icons: the views by their names, or by icons.
        numbers: the button that says what the numbers are.
        long, short: the buttons at the right end, with words or with signs.
    """

    title: int
    tabs: int
    icons: int
    numbers: int
    long: int
    short: int


@dataclass(frozen=True)
class PaneRoom:
    """What there is room for.

    Attributes:
        one_row: the title stands with the tabs; else below them, with the badges.
        icons: the views are shown by icons.
        long: the buttons have words.
    """

    one_row: bool = False
    icons: bool = False
    long: bool = False


def pane_room(needs: Needs, width: int, *, tight: bool) -> PaneRoom:
    """The first of several ways that fits; where none does the last, and the row puts away what has no room.

    Args:
        tight: there are two panes, or an audience: height is dearer than words.
    """
    roomy = [PaneRoom(one_row=True, long=True), PaneRoom(long=True), PaneRoom()]
    short = [PaneRoom(one_row=True, icons=True)]
    ways = [*(short if tight else roomy), PaneRoom(icons=True)]
    return next((way for way in ways if _width(needs, way) <= width), ways[-1])


def _width(needs: Needs, way: PaneRoom) -> int:
    return (
        (needs.title if way.one_row else 0)
        + (needs.icons if way.icons else needs.tabs)
        + needs.numbers
        + (needs.long if way.long else needs.short)
    )
