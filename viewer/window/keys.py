"""Keys that no focused view took. Text fields take their own first, so nothing here happens while typing.

`PICTURE_KEYS` are those without an action of the menus; which keys they are now, the `Keymap` says.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication, QKeyCombination, Qt
from PySide6.QtGui import QKeySequence

from model.trace.trace import AttentionKind
from viewer.document.selection import MAP_VIEW
from viewer.document.session import Session
from viewer.document.text.absent import absent_reason
from viewer.pages.look.continuing import step_forth, toggle_pause
from viewer.pages.look.pane_views import PANE_VIEWS, pane_view
from viewer.window.actions import PLAIN_KEYS


@dataclass(frozen=True)
class PictureKey:
    """Something that keys alone do.

    Attributes:
        text: in English, to be translated in the context Keys.
        keys: as Qt writes them.
    """

    name: str
    text: str
    keys: tuple[str, ...]
    do: Callable[[Session], object]

    @property
    def words(self) -> str:
        """Its text in the language in force."""
        return QCoreApplication.translate("Keys", self.text)


def _toggle_play(session: Session) -> None:
    session.set_playing(not session.playing)


def _toggle_sqrt(session: Session) -> None:
    session.set_view(sqrt_scale=not session.view.sqrt_scale)


def show_view(session: Session, view: str) -> None:
    """Show the active pane's trace that way; the same key again goes back to the map."""
    selection = session.selection()
    if selection is not None:
        session.select(view=MAP_VIEW if selection.view == view else view)


def next_view(session: Session) -> None:
    """Show the active pane's trace in the next way."""
    selection = session.selection()
    if selection is not None:
        place = PANE_VIEWS.index(pane_view(selection.view))
        session.select(view=PANE_VIEWS[(place + 1) % len(PANE_VIEWS)].name)


def _row(name: str, text: object, key: str, do: Callable[[Session], object]) -> PictureKey:
    return PictureKey(name, str(text), (key,), do)


def _by(steps: int) -> Callable[[Session], object]:
    return lambda session: session.step_by(steps)


def _head(dlayer: int, dhead: int) -> Callable[[Session], object]:
    return lambda session: session.move_head(dlayer, dhead)


PICTURE_KEYS = (
    _row("previous_step", QT_TRANSLATE_NOOP("Keys", "Previous step"), "PgUp", _by(-1)),
    _row("next_step", QT_TRANSLATE_NOOP("Keys", "Next step"), "PgDown", step_forth),
    _row("first_step", QT_TRANSLATE_NOOP("Keys", "First step"), "Home", Session.first_step),
    _row("last_step", QT_TRANSLATE_NOOP("Keys", "Last step"), "End", Session.last_step),
    _row("play", QT_TRANSLATE_NOOP("Keys", "Play the steps"), "Space", _toggle_play),
    _row("pause", QT_TRANSLATE_NOOP("Keys", "Pause or resume the model"), "P", toggle_pause),
    _row("next_view", QT_TRANSLATE_NOOP("Keys", "Next view of the map"), "V", next_view),
    _row("layer_before", QT_TRANSLATE_NOOP("Keys", "Previous layer"), "Ctrl+Up", _head(-1, 0)),
    _row("layer_after", QT_TRANSLATE_NOOP("Keys", "Next layer"), "Ctrl+Down", _head(1, 0)),
    _row("head_before", QT_TRANSLATE_NOOP("Keys", "Previous head"), "Ctrl+Left", _head(0, -1)),
    _row("head_after", QT_TRANSLATE_NOOP("Keys", "Next head"), "Ctrl+Right", _head(0, 1)),
)
_DOES: dict[str, Callable[[Session], object]] = {
    **{row.name: row.do for row in PICTURE_KEYS},
    "mean": Session.toggle_mean,
    "sqrt": _toggle_sqrt,
}
_ARROWS: dict[str, Callable[[Session], object]] = {
    "Left": _by(-1),
    "Right": step_forth,
}
"""Of every view first; where it has no use for them they step."""
_STEPS = {"next_step": 1, "previous_step": -1}


def usual_keys() -> Mapping[str, str]:
    """What each key does at first, by name."""
    return {
        **{key: row.name for row in PICTURE_KEYS for key in row.keys},
        **{key: name for name, key in PLAIN_KEYS.items()},
        **{view.key: f"view_{view.name}" for view in PANE_VIEWS if view.key},
    }


def key_text(key: Qt.Key, modifiers: Qt.KeyboardModifier) -> str:
    """A key as Qt writes it, wherever on the keyboard it is."""
    modifiers &= ~Qt.KeyboardModifier.KeypadModifier
    return QKeySequence(QKeyCombination(modifiers, key)).toString()


def is_of_picture(name: str) -> bool:
    """Whether it is the Look page's, where there is a picture."""
    return _does(name) is not None or name in list(AttentionKind)


def _does(name: str) -> Callable[[Session], object] | None:
    views = {f"view_{view.name}": partial(show_view, view=view.name) for view in PANE_VIEWS}
    return _DOES.get(name) or views.get(name)


def step_of(name: str) -> int:
    """Which way a key of that name steps: 1 on, -1 back, 0 neither."""
    return _STEPS.get(name, 0)


def handle_key(
    session: Session,
    key: Qt.Key,
    modifiers: Qt.KeyboardModifier,
    say: Callable[[str], None] = lambda sentence: None,
    names: Mapping[str, str] | None = None,
) -> bool:
    """Do what a key means for the session; False if it means nothing.

    Args:
        say: takes a sentence where what the key means is not there.
        names: what keys do; as at first by default.
    """
    text = key_text(key, modifiers)
    name = (usual_keys() if names is None else names).get(text, "")
    if name in list(AttentionKind):
        _show_kind(session, AttentionKind(name), say)
        return True
    does = _does(name) or _ARROWS.get(text)
    if does is None:
        return False
    does(session)
    return True


def lesson_key(step: Callable[[int], bool], session: Session, by: int) -> bool:
    """What a clicker's keys mean on the Learn page; False for any other key.

    Args:
        step: goes on or back in the lesson in view; where it has nothing more, the decoding's step moves.
        by: 1, -1, or 0 for another key.
    """
    if not by:
        return False
    if not step(by):
        session.step_by(by)
    return True


def _show_kind(session: Session, kind: AttentionKind, say: Callable[[str], None]) -> None:
    """Show a kind that the trace has; else say which are there."""
    trace = session.trace()
    if trace is not None and kind not in trace.kinds:
        say(absent_reason(trace))
    else:
        session.select_kind(kind)


def window_keys() -> list[QKeySequence]:
    """Every key that is answered here at first."""
    return [QKeySequence(key) for key in (*usual_keys(), *_ARROWS)]
