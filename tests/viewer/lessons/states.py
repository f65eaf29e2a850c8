"""States of a lesson: where its controls stand at first and at each station, with all that it shows there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from model.bundle.bundle import Bundle
from model.inspection.answering import answer
from model.inspection.readings import Readings
from model.lessons.lesson import Ask, Numbers, Subject, Values, taken_values
from viewer.figures.figure import FigureSpec
from viewer.lessons.sheet import lesson_sheet
from viewer.lessons.told import Told

# What would take long is tried with less of it: values of a lesson's controls.
QUICK: dict[str, dict[str, Any]] = {"bleu": {"sentences": 8, "epochs": 2}, "parallel": {"longest": "32"}}


@dataclass(frozen=True, eq=False)
class State:
    """A lesson with its controls somewhere."""

    told: Told
    place: str
    values: Values
    numbers: Numbers

    @property
    def figure(self) -> FigureSpec:
        return lesson_sheet(self.told, self.numbers, self.values, "tiny", "ab" * 32)


def settings_of(told: Told, subject: Subject | None) -> Iterator[tuple[str, Values]]:
    """Values of all controls at first, and from station to station as a clicker goes on."""
    controls = told.lesson.controls(subject)
    names = {one.name for one in controls}
    quick = {name: value for name, value in QUICK.get(told.name, {}).items() if name in names}
    given: dict[str, object] = {}
    yield "at first", taken_values(controls, quick)
    for number, station in enumerate(told.lesson.stations(subject), 1):
        # Without a translation there may be fewer controls; a clicker passes over the others' values.
        given |= {name: value for name, value in station.items() if subject is not None or name in names}
        taken_values(controls, given)
        yield f"station {number}", taken_values(controls, {**given, **quick})


def states_of(told: Told, subject: Subject | None, bundle: Bundle | None) -> Iterator[State]:
    """Every state that there is something to show of, answers worked out on the spot."""
    readings = None if bundle is None else Readings(bundle)
    known: dict[Ask, Any] = {}
    for place, values in settings_of(told, subject):
        asked = told.lesson.asks(values, subject)
        if asked is None and told.lesson.needs_answer:
            continue
        if asked is not None and asked not in known:
            *_, known[asked] = answer(bundle, *asked, readings)
        found = None if asked is None else known[asked]
        yield State(told, place, values, told.lesson.numbers(values, found, subject))
