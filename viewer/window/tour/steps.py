"""STEPS: what the tour asks for, in its order; what each points at, and whether it can be done at all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from model.folder.families import Family
from viewer.document.selection import MAP_VIEW
from viewer.document.session import Session
from viewer.document.text.model_text import family_of
from viewer.pages.look.continuing import can_continue
from viewer.pages.look.look_page import LookPage
from viewer.pages.look.what_if.head_section import HeadSection


@dataclass(frozen=True, eq=False)
class Step:
    """A step of the tour.

    Attributes:
        said: what to do, and what that shows: a short name and a sentence, in the language in force.
        targets: what it points at.
        reveal: brings that into view; what is open already stays.
        possible: whether what is open can do it.
    """

    name: str
    said: Callable[[], tuple[str, str]]
    targets: Callable[[LookPage], Sequence[QWidget]]
    reveal: Callable[[LookPage, Session], object] = lambda page, session: None
    possible: Callable[[Session], bool] = lambda session: True


def _map(page: LookPage, session: Session) -> None:
    """The map and the heads beside it: other views have no cells, and an open drawer may cover both."""
    if page.room.small:
        page.show_panels("", None)
    selection = session.selection()
    if selection is not None and selection.view != MAP_VIEW:
        session.select(view=MAP_VIEW)


def _panel(name: str) -> Callable[[LookPage, Session], object]:
    def reveal(page: LookPage, session: Session) -> None:
        page.show_panels("" if page.room.small else None, name)

    return reveal


def _writes(session: Session) -> bool:
    return family_of(session.model) is not Family.ENCODER_ONLY


def _several_kinds(session: Session) -> bool:
    trace = session.trace()
    return trace is None or len(trace.kinds) > 1


def _can_branch(session: Session) -> bool:
    run = session.run()
    return _writes(session) and (run is None or run.live or can_continue(session, run))


def _said(name: str) -> tuple[str, str]:
    translate = QCoreApplication.translate
    return {
        "type": (
            translate("Tour", "Type a sentence"),
            translate("Tour", "Click the field, or press Ctrl+L, and type one in the language of the model."),
        ),
        "translate": (
            translate("Tour", "Press Enter"),
            translate("Tour", "The model writes one token after another; you see each as it comes."),
        ),
        "step": (
            translate("Tour", "Go from step to step"),
            translate("Tour", "Page Up and Page Down, or these buttons: what was known before each word?"),
        ),
        "family": (
            translate("Tour", "Choose who looks at whom"),
            translate("Tour", "Source at source, output at output, or output at source: E, D and C."),
        ),
        "head": (
            translate("Tour", "Click a head"),
            translate("Tour", "Each looks elsewhere. Ctrl and an arrow go to the next one."),
        ),
        "cell": (
            translate("Tour", "Read a cell"),
            translate("Tour", "Click one, or press ↑ or ↓ in the map: how much attention goes there?"),
        ),
        "branch": (
            translate("Tour", "Take another word"),
            translate("Tour", "These were the rivals at this step. Click one: the model goes on from it."),
        ),
        "change": (
            translate("Tour", "Switch the head off"),
            translate("Tour", "What becomes of the output without it? Or export the picture (Ctrl+E)."),
        ),
    }[name]


def _step(
    name: str,
    targets: Callable[[LookPage], Sequence[QWidget]],
    reveal: Callable[[LookPage, Session], object] = lambda page, session: None,
    possible: Callable[[Session], bool] = lambda session: True,
) -> Step:
    return Step(name, lambda: _said(name), targets, reveal, possible)


def _switch(page: LookPage) -> Sequence[QWidget]:
    section = page.inspector.view("what_if").findChild(HeadSection)
    return () if section is None else (section,)


STEPS: tuple[Step, ...] = (
    _step("type", lambda page: (page.sentence.box,)),
    _step("translate", lambda page: (page.sentence.box, page.sentence.translate)),
    _step("step", lambda page: (page.sentence.steps,), possible=_writes),
    _step("family", lambda page: tuple(page.kind_row.tabs.values()), possible=_several_kinds),
    _step("head", lambda page: (page.heads.view,), _map),
    _step("cell", lambda page: (page.picture,), _map),
    _step("branch", lambda page: (page.next_word.table,), _panel("next_word"), _can_branch),
    _step("change", _switch, _panel("what_if")),
)
