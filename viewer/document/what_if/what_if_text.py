"""What-if sentences: what became of a translation when the model was altered."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from PySide6.QtCore import QCoreApplication

from viewer.document.alterations.alteration_text import known_change
from viewer.document.alterations.registry import row_of
from viewer.document.messages.messages import ModelInfo
from viewer.document.text.lists import clauses
from viewer.document.what_if.guesses import guesses_sentence
from viewer.document.what_if.what_if import Pair, marks, total_logprob

translate = QCoreApplication.translate

_ALIKE = 1e-5  # nats: what the order of additions makes of equal numbers
_SHOWN = 0.001  # nats


def positions_of_model(info: ModelInfo | None) -> str:
    """What positions a model has, as its `architecture` says; empty if that is not known."""
    return "" if info is None else str(info.architecture.get("positions", ""))


def outcome_sentence(pair: Pair, positions: str = "") -> str:
    """How the altered translation differs from the untouched one; that it does not, and why if it is known.

    Args:
        positions: of the model, as `positions_of_model` says.
    """
    if pair.altered is None:
        return ""
    before, after = pair.baseline.trace, pair.altered.trace
    if before.only_reads:
        return guesses_sentence(before, after)
    sides = marks(before.tgt_out_ids.tolist(), after.tgt_out_ids.tolist())
    count = max(sum(mark != "same" for mark in side) for side in sides)
    old, new = total_logprob(before), total_logprob(after)
    values = {"before": fixed(old), "after": fixed(new), "count": count}
    if count == 1:
        return translate("Outcome", "1 token differs; log probability {before} → {after}").format(**values)
    if count:
        text = translate("Outcome", "{count} tokens differ; log probability {before} → {after}")
        return text.format(**values)
    if _untouched(pair):
        return _nothing(pair, positions)
    if abs(new - old) < _SHOWN:
        return translate("Outcome", "Same translation; its log probability changes by less than 0.001")
    text = translate("Outcome", "Same translation; its log probability changes by {difference}")
    return text.format(difference=_change(new - old))


def fixed(value: float) -> str:
    """Two decimals, and a true minus sign."""
    return f"{value:.2f}".replace("-", "−")


def _change(value: float) -> str:
    """Signed; of a small one two figures, since two decimals would say nothing."""
    text = f"{value:+.2g}" if abs(value) < 1 else f"{value:+.2f}"
    return text.replace("-", "−")


def _untouched(pair: Pair) -> bool:
    """Whether no probability became another."""
    assert pair.altered is not None
    before, after = pair.baseline.trace.step_logprob, pair.altered.trace.step_logprob
    numbers = [after, *([] if pair.altered.held is None else [pair.altered.held])]
    return all(
        len(each) == len(before) and np.allclose(each, before, rtol=0, atol=_ALIKE, equal_nan=True)
        for each in numbers
    )


def _nothing(pair: Pair, positions: str) -> str:
    """That a change touches nothing, and why where it cannot."""
    reasons = list(dict.fromkeys(_reasons(pair, positions)))
    if not reasons or "" in reasons:
        return translate("Outcome", "Same translation, and no probability changes: this has no effect here.")
    text = translate("Outcome", "Same translation, and no probability changes: {reasons}.")
    return text.format(reasons=clauses(reasons))


def _reasons(pair: Pair, positions: str) -> Iterable[str]:
    """Why each change cannot do anything; empty where it might have."""
    assert pair.altered is not None
    trace = pair.altered.trace
    for change in map(known_change, pair.altered.alterations):
        yield "" if change is None else row_of(change).vain(change, trace, positions)
