"""Entries of the session in the palette: BOOKMARKS and RUNS."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QCoreApplication

from viewer.document.run_names import run_names
from viewer.document.text.input_text import input_text
from viewer.window.palette.entry import Entry, Reach, Source


def _bookmarks(reach: Reach) -> Sequence[Entry]:
    marks, group = reach.session.bookmarks, QCoreApplication.translate("Palette", "Bookmark")
    return [
        Entry("", f"{number + 1}  {mark.name}", partial(marks.show, number), group, about=mark.note)
        for number, mark in enumerate(marks.all)
    ]


def _runs(reach: Reach) -> Sequence[Entry]:
    document, group = reach.session.document, QCoreApplication.translate("Palette", "Run")
    names = run_names(document)
    return [
        Entry("", names[run.id], partial(_show, reach, run.id), group, about=input_text(run.trace))
        for run in document.runs
    ]


def _show(reach: Reach, run_id: str) -> None:
    reach.actions["show_look"].trigger()
    reach.session.show_run(run_id)


BOOKMARKS = Source("bookmark", _bookmarks)
RUNS = Source("run", _runs)
