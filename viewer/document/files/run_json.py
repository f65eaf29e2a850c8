"""One run as JSON and back; its trace stands in a file of its own. No torch."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

import numpy as np

from model.alignment.links import Gold
from model.alterations.registry import from_json, named
from model.errors import HeadscopeError
from model.trace.exploration import Importance
from model.trace.trace import AttentionKind, Floats, Trace
from viewer.document.document import Run
from viewer.document.messages.considered import Considered

_COLUMNS: dict[str, Callable[[Any], bool]] = {
    "id": lambda value: _is_count(value),
    "parent": lambda value: value is None or _is_count(value),
    "step": lambda value: _is_count(value, -1),  # the start token was predicted by none
    "token": lambda value: _is_count(value, -1),
    "piece": lambda value: isinstance(value, str),
    "logprob": lambda value: isinstance(value, float),
    "score": lambda value: isinstance(value, float),
    "rank_score": lambda value: isinstance(value, float),
    "fate": lambda value: value in ("kept", "finished", "cut", "pruned", "outranked"),
}
_MOST = 1 << 31
_NUMBERS = ("logprob", "score", "rank_score")


def run_json(run: Run, file: str) -> dict[str, Any]:
    """A run's part of `session.json`; one that is being made stands there as what it has come to.

    Args:
        file: name of its trace's file.
    """
    values: dict[str, Any] = {
        "id": run.id,
        "parent": run.parent,
        "trace": file,
        "provenance": run.provenance,
        "alterations": list(run.alterations),
    }
    if run.branch_step is not None:
        values["branch_step"] = run.branch_step
    if run.cancelled or run.live:
        values["cancelled"] = True
    if run.search:
        values["search"] = _search_json(run.search)
    if run.held is not None:
        values["held"] = _numbers_json(run.held)
    if run.importance is not None:
        worth = run.importance.change.items()
        change = {str(kind): [_numbers_json(row) for row in layers] for kind, layers in worth}
        values["importance"] = {"logprob": _number_json(run.importance.logprob), "change": change}
    if run.gold is not None:
        values["gold"] = run.gold.to_json()
    return values


def run_of(values: Mapping[str, Any], trace: Trace) -> Run:
    """The inverse of `run_json`; unknown keys are ignored.

    Raises:
        ValueError, KeyError, TypeError: the values make no sense, or do not fit the trace.
    """
    provenance, alterations = values.get("provenance", {}), values.get("alterations", [])
    if not isinstance(provenance, dict) or not isinstance(alterations, list):
        raise ValueError(f"where run {values['id']} comes from is not described")
    step, cancelled = values.get("branch_step"), values.get("cancelled", False)
    if not (step is None or _is_count(step)) or type(cancelled) is not bool:
        raise ValueError(f"how run {values['id']} came about is not described")
    held, importance = values.get("held"), values.get("importance")
    return Run(
        values["id"],
        trace,
        values.get("parent"),
        provenance,
        _alterations(alterations, trace),
        branch_step=step,
        cancelled=cancelled,
        search=_search_of(values.get("search", {})),
        held=None if held is None else _numbers_of(held),
        importance=None if importance is None else _importance_of(importance, trace),
        gold=Gold.from_json(values["gold"]) if values.get("gold") is not None else None,
    )


def _alterations(values: list[Any], trace: Trace) -> tuple[Any, ...]:
    """As the trace has them, whatever that is: a trace of another program may hold anything; else checked."""
    if not values or values == list(trace.alterations):
        return trace.alterations
    return tuple(map(_alteration, values))


def _alteration(values: Any) -> dict[str, Any]:
    """Checked if it is one that is known here: what is not known is kept, and said where it is shown."""
    if not isinstance(values, dict):
        raise ValueError("an alteration is not described")
    if named(values.get("type")) is not None:
        try:
            from_json(values)
        except HeadscopeError as error:
            raise ValueError(f"an alteration makes no sense: {error}") from None
    return values


def _search_json(search: tuple[Considered, ...]) -> dict[str, list[Any]]:
    """By column: a search considers thousands of hypotheses."""
    columns = {field.name: [getattr(entry, field.name) for entry in search] for field in fields(Considered)}
    return {
        name: [_number_json(value) for value in column] if name in _NUMBERS else column
        for name, column in columns.items()
    }


def _search_of(columns: Any) -> tuple[Considered, ...]:
    if not isinstance(columns, dict):
        raise ValueError("a search is not described")
    if not columns:
        return ()
    read = {
        name: [_number_of(value) for value in columns[name]] if name in _NUMBERS else columns[name]
        for name in _COLUMNS
    }
    for name, column in read.items():
        if not isinstance(column, list) or not all(map(_COLUMNS[name], column)):
            raise ValueError(f"the {name} of a hypothesis of a search is not described")
    entries = tuple(Considered(*row) for row in zip(*read.values(), strict=True))
    if len({entry.id for entry in entries}) < len(entries):
        raise ValueError("the hypotheses of a search cannot be told apart")
    # The start token alone, 0, need not be listed.
    known: set[int | None] = {None, 0}
    for entry in entries:
        if entry.parent not in known:
            raise ValueError("a hypothesis of a search comes from one that is not there")
        known.add(entry.id)
    return entries


def _importance_of(values: Mapping[str, Any], trace: Trace) -> Importance:
    change = {}
    for name, rows in values["change"].items():
        kind = AttentionKind(name)
        shape = trace.patterns.shape(kind)
        worth = np.stack([_numbers_of(row) for row in rows])
        if shape is None or worth.shape != shape[:2]:
            raise ValueError(f"the worth of the heads of {kind} is given for other heads than there are")
        worth.flags.writeable = False
        change[kind] = worth
    return Importance(_number_of(values["logprob"]), change)


def _is_count(value: Any, least: int = 0) -> bool:
    return type(value) is int and least <= value < _MOST


def _number_json(value: float) -> float | str:
    """JSON has no infinity; a probability of 0 has one for its logarithm."""
    number = float(value)
    return number if math.isfinite(number) else str(number)


def _number_of(value: Any) -> float:
    if type(value) in (int, float) or value in ("inf", "-inf", "nan"):
        return float(value)
    raise ValueError(f"{value!r} is no number")


def _numbers_json(values: Floats) -> list[float | str]:
    return [_number_json(value) for value in values.tolist()]


def _numbers_of(values: Any) -> Floats:
    if not isinstance(values, list):
        raise ValueError("numbers are not listed")
    with np.errstate(over="ignore"):
        numbers = np.array([_number_of(value) for value in values], np.float32)
    numbers.flags.writeable = False
    return numbers
