"""MANUAL: the pages of the manual as entries of the palette."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QCoreApplication

from viewer.window.actions import plain_text
from viewer.window.manual.library import library
from viewer.window.palette.entry import Entry, Reach, Source


def _pages(reach: Reach) -> Sequence[Entry]:
    manual = library(reach.localization.language)
    group = plain_text(QCoreApplication.translate("Actions", "Ma&nual"))
    return [
        Entry(name, manual.page(name).title, partial(reach.open_page, name), group, also=(name,))
        for name in manual.names
    ]


MANUAL = Source("manual", _pages)
