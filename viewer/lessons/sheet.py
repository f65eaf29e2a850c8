"""lesson_sheet: the picture of a lesson, as its page and every export show it."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from model.lessons.lesson import Finding, Numbers, Values, plain
from viewer.figures.figure import FigureSpec
from viewer.figures.sheet.spec import SheetSpec
from viewer.figures.text import made_by, sentence
from viewer.lessons.told import Told


def finding_text(told: Told, finding: Finding) -> str:
    """What you got, in a sentence that says so where it is not what was to be expected."""
    said = told.finding(finding)
    if finding.holds is False:
        text = QCoreApplication.translate("Lessons", "{finding} Here it is not as expected.")
        return text.format(finding=said)
    return said


def lesson_sheet(
    told: Told, numbers: Numbers, values: Values, model_name: str = "", model_sha256: str = ""
) -> FigureSpec[SheetSpec]:
    """The sheet of a lesson's numbers; name and hash of the model where they are of one."""
    badges = told.badges(numbers, values)
    findings = tuple(finding_text(told, finding) for finding in numbers.findings)
    spec = SheetSpec(
        told.title(), badges, told.lines(numbers, values), told.formula(values), (told.why(), *findings)
    )
    facts = {
        "view": "lesson",
        "lesson": told.name,
        "values": plain(dict(values)),
        "findings": numbers.to_json()["findings"],
        "badges": list(badges),
        "model_name": model_name,
        "model_sha256": model_sha256,
    }
    caption = " ".join(
        [sentence(told.title()), sentence(told.paper()), made_by(model_name, model_sha256, "")]
    )
    return FigureSpec(spec, caption, facts)
