"""AlterationRow: what the window has for one kind of alteration: its words, and its part of What if."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar, Generic, TypeVar

from model.alterations.alteration import Alteration
from model.trace.trace import Trace

A = TypeVar("A", bound=Alteration)


class AlterationRow(ABC, Generic[A]):
    """One row of `viewer.document.alterations.registry`.

    Args:
        kind: which alteration it is about.

    Attributes:
        section: "module:class" of the part of the What if tab that makes it, a
            `viewer.pages.look.what_if.section.Section`; several may share one. Empty where none does.
    """

    section: ClassVar[str] = ""

    def __init__(self, kind: type[A]) -> None:
        self.kind = kind

    @abstractmethod
    def text(self, change: A, trace: Trace | None) -> str:
        """The change in the language in force, counted from 1; the trace, if there is one, names tokens."""

    def vain(self, change: A, trace: Trace, positions: str) -> str:
        """Why it cannot do anything; empty where it might have.

        Args:
            trace: of the altered run.
            positions: of the model, as its `architecture` says; empty if that is not known.
        """
        return ""
