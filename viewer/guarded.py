"""Guarded: classes whose methods Qt calls, none of which lets an exception out."""

from __future__ import annotations

import functools
import sys
import traceback
from collections.abc import Callable
from types import FunctionType
from typing import Any, Final, ParamSpec, TypeVar

from PySide6.QtCore import QModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QAccessible, QImage, QValidator

P = ParamSpec("P")
R = TypeVar("R")

_nothing = type(None)

ANSWERS: Final[dict[str, Callable[[], Any]]] = {
    "event": bool,
    "eventFilter": bool,
    "viewportEvent": bool,
    "sizeHint": QSize,
    "minimumSizeHint": QSize,
    "rowCount": int,
    "columnCount": int,
    "data": _nothing,
    "headerData": _nothing,
    "setData": bool,
    "flags": lambda: Qt.ItemFlag.NoItemFlags,
    "index": QModelIndex,
    "lessThan": bool,
    "filterAcceptsRow": bool,
    "sort": _nothing,
    "paint": _nothing,
    "createEditor": _nothing,
    "initStyleOption": _nothing,
    "reset": _nothing,
    "loadResource": lambda: QImage(1, 1, QImage.Format.Format_Mono),
    "sizeHintForColumn": int,
    "visualRect": QRect,
    "indexAt": QModelIndex,
    "scrollTo": _nothing,
    "scrollContentsBy": _nothing,
    "inputMethodQuery": _nothing,
    "state": QAccessible.State,
    "actionNames": list,
    "doAction": _nothing,
    "textFromValue": str,
    "valueFromText": float,
    "validate": lambda: QValidator.State.Intermediate,
    "fixup": str,
    "stepBy": _nothing,
    "showPopup": _nothing,
    "tickStrings": list,
    "tickValues": list,
    "updateMin": _nothing,
    "accept": _nothing,
    "reject": _nothing,
    "done": _nothing,
}
"""What Qt is told instead by a method that failed, by name; one whose name ends in `Event` tells nothing.
The ticks and `updateMin` are pyqtgraph's, which asks for them in the middle of painting."""


def called_by_qt(name: str) -> bool:
    """Whether Qt calls a method of this name, so that what leaves it would end up in Qt."""
    return name in ANSWERS or name.endswith("Event")


class Guarded:
    """Stands before the Qt class among the bases of each class of ours that Qt calls back.

    An exception that leaves such a method goes on through Qt's own code: it is lost, comes up again
    somewhere else, or ends the process (it does when it leaves `showEvent`). Here it is given to
    `sys.excepthook`, as one that leaves a slot is, which in the window logs it and shows a notice; Qt gets a
    harmless answer and goes on.
    """

    def __init_subclass__(cls, **arguments: Any) -> None:
        super().__init_subclass__(**arguments)
        for name, method in list(vars(cls).items()):
            overrides = any(hasattr(base, name) for base in cls.__bases__)
            if overrides and isinstance(method, FunctionType) and called_by_qt(name):
                setattr(cls, name, _guarded(method, ANSWERS.get(name, _nothing)))


def guarded(method: Callable[P, R]) -> Callable[P, R]:
    """For such a method in a class that has no Qt class among its bases, but stands before one in others."""
    assert isinstance(method, FunctionType)
    return _guarded(method, ANSWERS.get(method.__name__, _nothing))


def _guarded(method: FunctionType, answer: Callable[[], Any]) -> Callable[..., Any]:
    @functools.wraps(method)
    def call(*args: Any, **named: Any) -> Any:
        try:
            return method(*args, **named)
        except BaseException as error:  # whatever it is, it must not get into Qt
            sys.excepthook(type(error), error, error.__traceback__)
            # A painter among what the method held would still be at work when Qt goes on.
            traceback.clear_frames(error.__traceback__)
            return answer()

    call.__dict__["guarded"] = True
    return call
