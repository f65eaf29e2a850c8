"""The output row's chips: how probable each token was, where branches part, what an alteration changed."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QCoreApplication

from model.trace.trace import Trace
from viewer.document.document import Document, Run
from viewer.document.forks import forks
from viewer.document.text.input_text import given_steps
from viewer.document.text.lists import clauses
from viewer.document.text.token_text import token_texts
from viewer.document.what_if.what_if import marks, pair_of
from viewer.pages.widgets.token_strip import Chip
from viewer.pages.widgets.wording import percent

_TOLD = 0.005
"""A share that is copied and smaller is none that is worth telling."""


def output_chips(document: Document, run: Run, step: int, *, raw: bool, paused: bool) -> tuple[Chip, ...]:
    """One chip a produced token; those after `step` wait as dots, and a run that is made has one more.

    The tokens of a prompt have none: they stand among the pieces. So chip 0 is step `given_steps(trace)`.

    Args:
        raw: pieces as the tokenizer writes them.
        paused: the decoding is held up.
    """
    return all_chips(document, run, raw=raw, paused=paused).at(step)


@dataclass(frozen=True)
class AllChips:
    """The chips of a run, whichever step is in view: a long one has thousands.

    Attributes:
        reached, waiting: one a produced token, as it looks up to the step in view, and after it.
        given: the step that the first is of.
        more: what stands behind them.
    """

    reached: tuple[Chip, ...] = ()
    waiting: tuple[Chip, ...] = ()
    given: int = 0
    more: tuple[Chip, ...] = ()

    def at(self, step: int) -> tuple[Chip, ...]:
        """The chips while a step is in view."""
        shown = max(0, step + 1 - self.given)
        return (*self.reached[:shown], *self.waiting[shown:], *self.more)


def all_chips(document: Document, run: Run, *, raw: bool, paused: bool) -> AllChips:
    """See `output_chips`."""
    trace = run.trace
    parting = forks(document, run)
    changed = changed_tokens(document, run)
    given = given_steps(trace)
    translate = QCoreApplication.translate
    reached, waiting = [], []
    for index, token in enumerate(token_texts(trace.tgt_out_tokens, raw=raw, style=trace.token_style)):
        if index < given:
            continue
        probability = trace.probability(index)
        signs = []
        copied = 0.0 if trace.copy_share is None else float(trace.copy_share[index])
        if copied >= _TOLD:
            signs.append(translate("OutputChips", "{share} copied").format(share=percent(copied)))
        if index in changed:
            signs.append(translate("OutputChips", "A different token from the original translation"))
        if index in parting:
            signs.append(_forks_tip(parting[index]))
        make = partial(
            Chip,
            token.marked,
            None if math.isnan(probability) else probability,
            "\n".join([_step_tip(trace, index, probability), *signs]),
            token.continues,
            token.dim,
            forks=parting.get(index, 0),
            changed=index in changed,
            copied=min(copied, 1.0),
            signs=clauses(signs),
        )
        reached.append(make())
        waiting.append(make(pending=not trace.is_round))  # a round's tokens are all there at once
    more = (Chip("", waiting="paused" if paused else "making"),) if run.live else ()
    return AllChips(tuple(reached), tuple(waiting), given, more)


def changed_tokens(document: Document, run: Run) -> frozenset[int]:
    """Which tokens of an altered run do not stand in its untouched run; none of an untouched one."""
    pair = pair_of(document, run) if run.alterations else None
    if pair is None:
        return frozenset()
    _, after = marks(pair.baseline.trace.tgt_out_ids.tolist(), run.trace.tgt_out_ids.tolist())
    return frozenset(index for index, mark in enumerate(after) if mark != "same")


def _step_tip(trace: Trace, index: int, probability: float) -> str:
    if math.isnan(probability):
        text = QCoreApplication.translate(
            "OutputChips", "Step {step}: no probabilities were recorded. Click to look at this step."
        )
        return text.format(step=index + 1)
    values = {"step": index + 1, "share": percent(probability)}
    if trace.step_rank is None:
        text = QCoreApplication.translate(
            "OutputChips", "Step {step}: {share} probable. Click to look at this step."
        )
        return text.format(**values)
    rank = int(trace.step_rank[index])
    text = QCoreApplication.translate(
        "OutputChips", "Step {step}: {share} probable, rank {rank}. Click to look at this step."
    )
    return text.format(**values, rank=f"{rank:,}")


def _forks_tip(count: int) -> str:
    if count == 1:
        return QCoreApplication.translate("OutputChips", "1 branch here")
    return QCoreApplication.translate("OutputChips", "{count} branches here").format(count=count)
