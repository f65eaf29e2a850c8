"""SOURCES: every kind of entry of the palette; what a kind holds is read from its own registry."""

from __future__ import annotations

from viewer.window.palette.action_entries import ACTIONS
from viewer.window.palette.entry import Source
from viewer.window.palette.file_entries import FILES
from viewer.window.palette.learn_entries import LEARN
from viewer.window.palette.manual_entries import MANUAL
from viewer.window.palette.place_entries import PLACES
from viewer.window.palette.session_entries import BOOKMARKS, RUNS
from viewer.window.palette.setting_entries import LANGUAGE, QUANTITIES

SOURCES: list[Source] = [PLACES, ACTIONS, LEARN, BOOKMARKS, RUNS, QUANTITIES, LANGUAGE, FILES, MANUAL]
