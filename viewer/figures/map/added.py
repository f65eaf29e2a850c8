"""Added numbers: quantities that other packages map, of one head of a trace."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np
from PySide6.QtCore import QCoreApplication

from model.errors import HeadscopeError
from model.extensions.found import Extension
from model.extensions.kinds import Head
from model.extensions.troubles import Refused, tell
from model.trace.trace import AttentionKind, Trace
from viewer.document.messages.notice import error_sentence
from viewer.document.selection import AddedNumbers, Selection
from viewer.figures.canvas.matrix import Matrix
from viewer.figures.quantities import quantities

_MOST = 64
"""Maps of a trace that are kept."""

_Place = tuple[str, AttentionKind, int, int]

# Their numbers, or why there are none; goes with the trace.
_kept: WeakKeyDictionary[Trace, dict[_Place, Matrix | HeadscopeError]] = WeakKeyDictionary()


def why_not_added(trace: Trace, selection: Selection, numbers: AddedNumbers) -> str:
    """Why a selection cannot be shown as these numbers, which are worked out to know; empty if it can."""
    translate = QCoreApplication.translate
    if str(numbers) not in quantities():
        return translate("Numbers", "no package that is installed gives these numbers")
    if selection.head is None:
        return translate("Numbers", "these numbers belong to one head: choose a head")
    found = _numbers(trace, selection, numbers)
    return error_sentence(found).rstrip(".。") if isinstance(found, HeadscopeError) else ""


def added_cells(trace: Trace, selection: Selection, numbers: AddedNumbers) -> Matrix:
    """Float32 [query, key] of all queries and keys.

    Raises:
        HeadscopeError: `extension_failed`.
    """
    found = _numbers(trace, selection, numbers)
    if isinstance(found, HeadscopeError):
        raise found
    return found


def _numbers(trace: Trace, selection: Selection, numbers: AddedNumbers) -> Matrix | HeadscopeError:
    assert selection.head is not None
    place = (str(numbers), selection.kind, selection.layer, selection.head)
    kept = _kept.setdefault(trace, {})
    if place not in kept:
        while len(kept) >= _MOST:
            del kept[next(iter(kept))]
        kept[place] = _measured(quantities()[str(numbers)], trace, *place[1:])
    return kept[place]


def _measured(
    found: Extension, trace: Trace, kind: AttentionKind, layer: int, head: int
) -> Matrix | HeadscopeError:
    weights = trace.pattern(kind, layer, head)
    try:
        values = np.asarray(found.thing.measure(weights, Head(kind, layer, head, trace)), np.float32)
        if values.shape != weights.shape:
            raise Refused(f"it measured an array of the shape {values.shape} where {weights.shape} is needed")
        if not np.isfinite(values).all():
            raise Refused("it measured numbers that are not finite")
    except (Exception, SystemExit) as error:  # whatever another's code does
        return tell(found.name, found.package, error)
    return values.copy() if values is weights or values.base is not None else values
