"""The output row's chips: how probable each token was, where branches part, what an alteration changed."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from weakref import ref

from PySide6.QtCore import QCoreApplication

from model.trace.trace import Trace
from viewer.document.document import Document, Run
from viewer.document.forks import forks
from viewer.document.text.input_text import given_steps
from viewer.document.text.lists import clauses
from viewer.document.text.token_text import TokenText, special_text, token_texts
from viewer.document.what_if.what_if import marks, pair_of
from viewer.pages.widgets.token_strip import Chip
from viewer.pages.widgets.wording import percent

_TOLD = 0.005
"""A share that is copied and smaller is none that is worth telling."""


class AllChips:
    """The chips of a run, whichever step is in view: a long one has thousands, of which one look is wanted.

    They keep nothing of the run: of one that is gone nobody asks for another look.

    Args:
        make: the chip of the produced token of that place, as it looks up to the step in view, or after it.
        texts: of the produced tokens.
        given: the step that the first is of.
        more: what stands behind them.
        signed: some have signs, which say what they mean in the language of their time.
    """

    def __init__(
        self,
        make: Callable[[int, bool], Chip],
        texts: Sequence[TokenText],
        given: int,
        more: tuple[Chip, ...],
        signed: bool,
    ) -> None:
        self._make, self._texts, self._given, self._more, self._signed = make, texts, given, more, signed
        self._made: tuple[dict[int, Chip], dict[int, Chip]] = {}, {}

    def at(self, step: int) -> tuple[Chip, ...]:
        """The chips while a step is in view."""
        shown = max(0, step + 1 - self._given)
        return (*self._those(0, shown, False), *self._those(shown, len(self._texts), True), *self._more)

    def _those(self, first: int, last: int, waits: bool) -> list[Chip]:
        made = self._made[waits]
        places = range(first, min(last, len(self._texts)))
        made |= {place: self._make(place, waits) for place in places if place not in made}
        return [made[place] for place in places]

    def take_over(self, earlier: AllChips) -> None:
        """The chips of the same run in another language, where they are the same."""
        if not (self._signed or earlier._signed):
            for mine, made in zip(self._made, earlier._made, strict=True):
                mine |= {
                    place: chip for place, chip in made.items() if chip.text == self._texts[place].marked
                }


def all_chips(document: Document, run: Run, *, raw: bool, paused: bool) -> AllChips:
    """One chip a produced token; those after the step wait as dots, and a run that is made has one more.

    The tokens of a prompt have none: they stand among the pieces. So chip 0 is step `given_steps(trace)`.

    Args:
        raw: pieces as the tokenizer writes them.
        paused: the decoding is held up.
    """
    trace = run.trace
    given = given_steps(trace)
    texts = token_texts(trace.tgt_out_tokens, raw=raw, style=trace.token_style)
    signs = _Signs(document, run)
    in_steps = not trace.is_round  # a round's tokens are all there at once
    told_of = ref(trace)

    def tell(index: int) -> str:
        trace = told_of()
        return "" if trace is None else "\n".join((_step_tip(trace, index), *signs.of(trace, index)))

    shades, plain = trace.probabilities(), not signs

    def make(place: int, waits: bool) -> Chip:
        index = place + given
        token, shade = texts[index], shades[index]
        chip = Chip(
            token.marked,
            None if math.isnan(shade) else shade,
            partial(tell, index),
            token.continues,
            token.dim,
            pending=waits and in_steps,
        )
        if plain:
            return chip
        trace = told_of()
        assert trace is not None, "who shows a run keeps it"
        return signs.put_on(chip, trace, index)

    more = (Chip("", waiting="paused" if paused else "making"),) if run.live else ()
    return AllChips(make, texts[given:], given, more, not plain)


class ShownChips:
    """The chips of the run that a row shows; they are made anew only for what changes them."""

    def __init__(self) -> None:
        self._of: tuple[object, ...] = ()
        self._language: str | None = None
        self._chips: AllChips | None = None

    def of(self, document: Document, run: Run, *, raw: bool, paused: bool) -> AllChips:
        """See `all_chips`."""
        # Unseen a row does not hear that runs are gone: it keeps none.
        of, language = (ref(run), tuple(map(ref, document.runs)), raw, paused), special_text("<s>")
        earlier = self._chips if of == self._of else None
        if earlier is None or language != self._language:
            self._of, self._language = of, language
            self._chips = all_chips(document, run, raw=raw, paused=paused)
            if earlier is not None:
                self._chips.take_over(earlier)
        assert self._chips is not None
        return self._chips

    def forget(self) -> None:
        """No run is shown any more."""
        self._of, self._chips = (), None


class _Signs:
    """What is to be said of some tokens of a run besides how probable they were.

    Attributes:
        parting: see `forks`.
        changed: see `changed_tokens`.
    """

    def __init__(self, document: Document, run: Run) -> None:
        self._copies = run.trace.copy_share is not None
        self.parting = forks(document, run)
        self.changed = changed_tokens(document, run)

    def __bool__(self) -> bool:
        """Whether any token may have one."""
        return bool(self.parting or self.changed or self._copies)

    def put_on(self, chip: Chip, trace: Trace, index: int) -> Chip:
        """The chip of a token with its signs."""
        return replace(
            chip,
            forks=self.parting.get(index, 0),
            changed=index in self.changed,
            copied=min(_copied(trace, index), 1.0),
            signs=clauses(self.of(trace, index)),
        )

    def of(self, trace: Trace, index: int) -> list[str]:
        """In words."""
        translate = QCoreApplication.translate
        said = []
        copied = _copied(trace, index)
        if copied >= _TOLD:
            said.append(translate("OutputChips", "{share} copied").format(share=percent(copied)))
        if index in self.changed:
            said.append(translate("OutputChips", "A different token from the original translation"))
        if index in self.parting:
            said.append(_forks_tip(self.parting[index]))
        return said


def _copied(trace: Trace, index: int) -> float:
    """How much of a token is copied."""
    return 0.0 if trace.copy_share is None else float(trace.copy_share[index])


def changed_tokens(document: Document, run: Run) -> frozenset[int]:
    """Which tokens of an altered run do not stand in its untouched run; none of an untouched one."""
    pair = pair_of(document, run) if run.alterations else None
    if pair is None:
        return frozenset()
    _, after = marks(pair.baseline.trace.tgt_out_ids.tolist(), run.trace.tgt_out_ids.tolist())
    return frozenset(index for index, mark in enumerate(after) if mark != "same")


def _step_tip(trace: Trace, index: int) -> str:
    """What is said of a step of a trace, in the language in force."""
    probability, ranks = trace.probability(index), trace.step_rank
    if math.isnan(probability):
        return QCoreApplication.translate(
            "OutputChips", "Step {step}: no probabilities were recorded. Click to look at this step."
        ).format(step=index + 1)
    if ranks is None:
        return QCoreApplication.translate(
            "OutputChips", "Step {step}: {share} probable. Click to look at this step."
        ).format(step=index + 1, share=percent(probability))
    return QCoreApplication.translate(
        "OutputChips", "Step {step}: {share} probable, rank {rank}. Click to look at this step."
    ).format(step=index + 1, share=percent(probability), rank=f"{int(ranks[index]):,}")


def _forks_tip(count: int) -> str:
    if count == 1:
        return QCoreApplication.translate("OutputChips", "1 branch here")
    return QCoreApplication.translate("OutputChips", "{count} branches here").format(count=count)
