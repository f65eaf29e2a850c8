"""Controls: what a person turns on a lesson's page, and `lesson --set` in a command. No torch."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

from model.errors import HeadscopeError

Value = float | int | bool | str


class Control(Protocol):
    """One thing that can be turned."""

    @property
    def name(self) -> str:
        """As files and commands know it."""

    @property
    def default(self) -> Value:
        """Where it stands at first."""

    def taken(self, given: object) -> Value:
        """The value that it takes from a file, or from an argument as text.

        Raises:
            HeadscopeError: `lesson_value`: it cannot be turned there.
        """

    def said(self, value: Value) -> str:
        """The text that `taken` takes for a value."""


@dataclass(frozen=True)
class Slider:
    """A number in a range.

    Attributes:
        whole: only whole numbers.
        log: evenly spaced by ratio; `low` is above 0.
        dragged: turned by dragging in the picture; the page shows no slider for it.
    """

    name: str
    low: float
    high: float
    default: float
    whole: bool = False
    log: bool = False
    dragged: bool = False

    def taken(self, given: object) -> Value:
        """See `Control.taken`."""
        try:
            number = float(given)  # type: ignore[arg-type]
        except (TypeError, ValueError):
            number = math.nan
        if isinstance(given, bool) or not self.low <= number <= self.high:
            raise _refused(self.name, given, f"{self.low:g} … {self.high:g}")
        if self.whole and number != round(number):
            raise _refused(self.name, given, f"{self.low:g}, {self.low + 1:g} … {self.high:g}")
        return round(number) if self.whole else number

    def said(self, value: Value) -> str:
        """See `Control.said`."""
        return repr(value)


@dataclass(frozen=True)
class Switch:
    """Something that is on or off."""

    name: str
    default: bool = False

    def taken(self, given: object) -> Value:
        """See `Control.taken`."""
        if isinstance(given, bool):
            return given
        if given in ("on", "off"):
            return given == "on"
        raise _refused(self.name, given, "on, off")

    def said(self, value: Value) -> str:
        """See `Control.said`."""
        return "on" if value else "off"


@dataclass(frozen=True)
class Press(Switch):
    """A switch that begins something which takes long: the page shows a button, and says when it is on."""


@dataclass(frozen=True)
class Choice:
    """One of several, each with a name that the viewer puts into words."""

    name: str
    options: tuple[str, ...]
    default: str

    def taken(self, given: object) -> Value:
        """See `Control.taken`."""
        if given in self.options:
            return str(given)
        raise _refused(self.name, given, ", ".join(self.options))

    def said(self, value: Value) -> str:
        """See `Control.said`."""
        return str(value)


@dataclass(frozen=True)
class Place:
    """One of several things that are shown as they are, such as the words of a sentence.

    Its value is their index from 0; text (of a command) counts from 1.

    Attributes:
        pieces: they are raw pieces of a tokenizer, which the viewer shows as one reads them.
    """

    name: str
    texts: tuple[str, ...]
    default: int = 0
    pieces: bool = False

    def taken(self, given: object) -> Value:
        """See `Control.taken`."""
        index = given
        if isinstance(given, str) and given.isdecimal():
            index = int(given) - 1
        if isinstance(index, int) and not isinstance(index, bool) and 0 <= index < len(self.texts):
            return index
        raise _refused(self.name, given, f"1 … {len(self.texts)}")

    def said(self, value: Value) -> str:
        """See `Control.said`."""
        return str(int(value) + 1)


@dataclass(frozen=True)
class Text:
    """Something typed.

    Attributes:
        longest: more characters are refused.
    """

    name: str
    default: str
    longest: int = 2000

    def taken(self, given: object) -> Value:
        """See `Control.taken`."""
        if isinstance(given, str) and len(given) <= self.longest:
            return given
        raise _refused(self.name, given, f"a text of at most {self.longest} characters")

    def said(self, value: Value) -> str:
        """See `Control.said`."""
        return str(value)


def _refused(name: str, given: object, range_: str) -> HeadscopeError:
    return HeadscopeError("lesson_value", control=name, value=str(given)[:80], range=range_)
