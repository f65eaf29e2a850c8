"""Form derived: numbers that follow from the data before a run starts, and how long it takes."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import QCoreApplication

from model.data.pairs.survey import CorpusSurvey
from model.errors import HeadscopeError
from model.train_options import TrainOptions
from model.training.fields.derive import Derived, advice, derive, shown
from model.training.fields.estimate import Outlook, outlook
from model.training.fields.facts import facts_of_survey, tokens_of
from viewer.document.messages.training_requests import TimeSteps
from viewer.document.training.form_values import ends_otherwise, options_of
from viewer.document.training.training import Training
from viewer.pages.train.form.form_editors import words
from viewer.pages.train.form.form_row import FieldRow
from viewer.pages.train.live.live_words import duration


@dataclass(frozen=True)
class Foreseen:
    """A run as far as it can be told beforehand.

    Attributes:
        options: with every number that is known by now.
        told: those that are not as usual, by name.
        outlook: how long it will be; None where the data is not known.
        advice: what might be chosen otherwise.
        speed_key: what the machine's speed depends on; None where there is nothing to be measured.
        timed: what it is to be measured with.
        tokens: of an ordinary sentence.
    """

    options: TrainOptions
    told: Mapping[str, Derived]
    outlook: Outlook | None = None
    advice: Derived | None = None
    speed_key: Hashable | None = None
    timed: TrainOptions | None = None
    tokens: float = 0.0


def foresee(options: TrainOptions, survey: CorpusSurvey | None, speeds: Mapping[Hashable, float]) -> Foreseen:
    """What follows from the corpus that was read and the machine as it was timed, by the rules of the run."""
    facts = facts_of_survey(survey, options)
    if survey is None or facts.pairs is None:
        return Foreseen(options, {})
    tokens = tokens_of(survey)
    timed, _ = derive(replace(options, train=replace(options.train, minutes=0.0)), facts)
    key = _speed_key(timed, tokens)
    known = replace(facts, speed=speeds.get(key) or None)
    settled, told = derive(options, known)
    found = {one.name: one for one in told}
    ahead = outlook(settled.train, known)
    return Foreseen(settled, found, ahead, advice(settled, facts), key, timed, tokens)


def _speed_key(options: TrainOptions, tokens: float) -> Hashable:
    """A step's time goes by the model's shape and what computes it; dropout and the rest hardly matter."""
    shape = {name: value for name, value in options.architecture.items() if name != "dropout"}
    train = options.train
    return (
        tuple(sorted(shape.items())), options.vocab_size, options.vocab_files, train.batch_tokens,
        train.batch_sentences, train.precision, train.device, train.threads, round(tokens),
    )  # fmt: skip


def reason_of(one: Derived, usual: str) -> str:
    """What a number was, what it became, and why."""
    text = QCoreApplication.translate("FormDerived", "{usual} → {value}, {reason}")
    return text.format(usual=usual, value=shown(one.value), reason=words(one.reason).format(**one.said()))


def advice_sentence(one: Derived | None) -> str:
    """What might be chosen otherwise; "" for nothing."""
    return "" if one is None else words(one.reason).format(**one.said())


def outlook_sentence(known: Foreseen, *, measuring: bool) -> str:
    """How long the run will take on this machine, how many steps it makes, and when its warm-up ends."""
    translate = QCoreApplication.translate
    found, config = known.outlook, known.options.train
    if found is None:
        return ""
    pending = set(known.options.auto) & {"warmup", "epochs", "batch_tokens"}
    if found.minutes is None or pending:
        if not measuring:
            return ""
        return translate("FormDerived", "Measuring how fast this machine is…")
    if config.minutes and found.minutes == config.minutes:
        head = translate("FormDerived", "{time} on this machine")
    else:
        head = translate("FormDerived", "About {time} on this machine, and evaluations besides")
    said = {"head": head.format(time=duration(found.minutes)), "steps": f"{found.steps or 0:,}"}
    if not 1 < config.warmup <= (found.steps or 0):
        return translate("FormDerived", "{head}: about {steps} steps.").format(**said)
    text = translate("FormDerived", "{head}: about {steps} steps; the warm-up ends after {warmup} ({time}).")
    return text.format(**said, warmup=f"{config.warmup:,}", time=duration(found.warmup_minutes or 0.0))


def shown_values(values: Mapping[str, Any], known: Foreseen | None) -> dict[str, Any]:
    """What the fields hold, with derived numbers instead of those that the derivation begins with."""
    if known is None:
        return dict(values)
    return {**values, **{name: one.value for name, one in known.told.items()}}


class Ahead:
    """What is known of the run that the form describes now."""

    def __init__(self, training: Training) -> None:
        self._training = training
        self._known: Foreseen | None = None
        self._asked: Hashable = None  # the last speed that was asked for

    def look(self, values: Mapping[str, Any], survey: CorpusSurvey | None) -> None:
        """Work it out."""
        try:
            self._known = foresee(options_of(values), survey, self._training.speeds)
        except HeadscopeError:
            self._known = None

    def forget(self) -> None:
        """A speed that was asked for may never have come."""
        self._asked = None

    def show(self, row: FieldRow, values: Mapping[str, Any]) -> None:
        """Show an automatic field what follows for it, and why."""
        one = None if self._known is None else self._known.told.get(row.name)
        if row.name == "epochs" and ends_otherwise(values):
            row.show_derived(0.0, "")
        elif one is None:
            row.show_derived(values[row.name], "")
        else:
            row.show_derived(one.value, reason_of(one, row.said(one.usual)))

    def shown(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """The values with what the fields show."""
        return shown_values(values, self._known)

    def advice(self) -> str:
        """What might be chosen otherwise."""
        return "" if self._known is None else advice_sentence(self._known.advice)

    def sentence(self) -> str:
        """How long the run will take; "" while another goes on or nothing tells."""
        known, training = self._known, self._training
        if known is None or training.active:
            return ""
        return outlook_sentence(known, measuring=known.speed_key not in training.speeds)

    @property
    def is_speed_wanted(self) -> bool:
        """Whether this machine's speed is of use, not known, and not asked for."""
        known, training = self._known, self._training
        if known is None or known.speed_key is None or training.active:
            return False
        return known.speed_key not in training.speeds and known.speed_key != self._asked

    def speed_to_ask(self) -> TimeSteps | None:
        """What is to be asked for the speed, which it is herewith; None where it is known or not wanted."""
        known = self._known
        if known is None or known.timed is None or not self.is_speed_wanted:
            return None
        self._asked = known.speed_key
        return TimeSteps(known.timed, known.tokens, known.speed_key)
