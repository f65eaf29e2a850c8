"""PANE_VIEWS: every view of a pane, in the order of their tabs."""

from __future__ import annotations

from viewer.pages.look.heads.all_heads_view import ALL_HEADS
from viewer.pages.look.map.contributions_view import CONTRIBUTIONS
from viewer.pages.look.map.flow_view import FLOW
from viewer.pages.look.map.map_view import MAP
from viewer.pages.look.map.words_view import WORDS
from viewer.pages.look.pane_view import PaneView

PANE_VIEWS: list[PaneView] = [MAP, FLOW, WORDS, ALL_HEADS, CONTRIBUTIONS]


def pane_view(name: str) -> PaneView:
    """The view of that name; the first where a file of another version names one that is not here."""
    return next((view for view in PANE_VIEWS if view.name == name), PANE_VIEWS[0])
