"""Words of a method of `model.questions.causes`: name, formula, caveat and source, in the language."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from model.questions.causes.method import Method

CONTEXT = "Methods"


@dataclass(frozen=True)
class MethodWords:
    """What must be said of a method's numbers wherever they are shown.

    Attributes:
        name: as a menu lists it.
        formula, caveat, source: see `Method`.
    """

    name: str
    formula: str
    caveat: str
    source: str

    @property
    def sentences(self) -> tuple[str, str, str]:
        """Formula, caveat and source, each a sentence."""
        translate = QCoreApplication.translate
        return (
            translate("Numbers", "Formula: {formula}.").format(formula=self.formula),
            self.caveat,
            translate("Numbers", "Source: {source}.").format(source=self.source),
        )


def method_words(method: Method) -> MethodWords:
    """A method's words; the sources of the translations are those of the row."""
    translate = QCoreApplication.translate
    return MethodWords(
        translate(CONTEXT, method.label),
        translate(CONTEXT, method.formula),
        translate(CONTEXT, method.caveat),
        method.source,
    )
