"""Keys that no focused view took. Text fields take their own first, so nothing here happens while typing."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QKeyCombination, Qt
from PySide6.QtGui import QKeySequence

from model.trace.trace import AttentionKind
from viewer.document.selection import MAP_VIEW
from viewer.document.session import Session
from viewer.document.text.absent import absent_reason
from viewer.pages.look.continuing import step_forth, toggle_pause
from viewer.pages.look.pane_views import PANE_VIEWS, pane_view

_CONTROL_MOVES = {
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
}


_KINDS = {
    Qt.Key.Key_E: AttentionKind.ENCODER_SELF,
    Qt.Key.Key_D: AttentionKind.DECODER_SELF,
    Qt.Key.Key_C: AttentionKind.CROSS,
}


def handle_key(
    session: Session,
    key: Qt.Key,
    modifiers: Qt.KeyboardModifier,
    say: Callable[[str], None] = lambda sentence: None,
) -> bool:
    """Do what a key means for the session; False if it means nothing.

    Args:
        say: takes a sentence where what the key means is not there.
    """
    modifiers &= ~Qt.KeyboardModifier.KeypadModifier
    if modifiers == Qt.KeyboardModifier.ControlModifier:
        if key in _CONTROL_MOVES:
            session.move_head(*_CONTROL_MOVES[key])
            return True
        return False
    if modifiers != Qt.KeyboardModifier.NoModifier:
        return False
    if key in _KINDS:
        _show_kind(session, _KINDS[key], say)
        return True
    action = (_PLAIN | _of_views()).get(key)
    if action is not None:
        action(session)
    return action is not None


def lesson_key(
    step: Callable[[int], bool], session: Session, key: Qt.Key, modifiers: Qt.KeyboardModifier
) -> bool:
    """What a clicker's keys mean on the Learn page; False for any other key.

    Args:
        step: goes on or back in the lesson in view; where it has nothing more, the decoding's step moves.
    """
    modifiers &= ~Qt.KeyboardModifier.KeypadModifier
    by = {Qt.Key.Key_PageDown: 1, Qt.Key.Key_PageUp: -1}.get(key)
    if by is None or modifiers != Qt.KeyboardModifier.NoModifier:
        return False
    if not step(by):
        session.step_by(by)
    return True


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


def _show_kind(session: Session, kind: AttentionKind, say: Callable[[str], None]) -> None:
    """Show a kind that the trace has; else say which are there."""
    trace = session.trace()
    if trace is not None and kind not in trace.kinds:
        say(absent_reason(trace))
    else:
        session.select_kind(kind)


def _toggle_play(session: Session) -> None:
    session.set_playing(not session.playing)


def _toggle_sqrt(session: Session) -> None:
    session.set_view(sqrt_scale=not session.view.sqrt_scale)


_PLAIN: dict[Qt.Key, Callable[[Session], object]] = {
    Qt.Key.Key_PageUp: lambda session: session.step_by(-1),
    Qt.Key.Key_PageDown: step_forth,
    Qt.Key.Key_Left: lambda session: session.step_by(-1),
    Qt.Key.Key_Right: step_forth,
    Qt.Key.Key_Home: Session.first_step,
    Qt.Key.Key_End: Session.last_step,
    Qt.Key.Key_Space: _toggle_play,
    Qt.Key.Key_M: Session.toggle_mean,
    Qt.Key.Key_S: _toggle_sqrt,
    Qt.Key.Key_P: toggle_pause,
    Qt.Key.Key_V: next_view,
}


def _of_views() -> dict[Qt.Key, Callable[[Session], object]]:
    """The letters of the views of a pane."""
    return {Qt.Key(ord(view.key)): partial(show_view, view=view.name) for view in PANE_VIEWS if view.key}


def window_keys() -> list[QKeySequence]:
    """Every key that is answered here."""
    plain = [*_PLAIN, *_of_views(), *_KINDS]
    control = [QKeyCombination(Qt.KeyboardModifier.ControlModifier, key) for key in _CONTROL_MOVES]
    return [*map(QKeySequence, plain), *map(QKeySequence, control)]
