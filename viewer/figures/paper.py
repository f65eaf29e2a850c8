"""Paper: what can be said of a picture on a page, each once, for `render` and the export dialog alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QCoreApplication

from viewer.figures.request import ExportRequest

# Bounds of what can be asked for.
WIDTH_MM = (50.0, 2000.0)
HEIGHT_MM = (20.0, 2000.0)
DPI = (36, 2400)
FONT_PT = (4.0, 36.0)

Label = Callable[[], str]


@dataclass(frozen=True, eq=False)
class PaperOption:
    """One choice.

    Attributes:
        name: its flag of `render` without the dashes, and the name of the dialog's field.
        field: what `ExportRequest` calls it.
        help: what `render` says of it.
        label: beside the dialog's field, in the language in force.
        choices: words that it may be, with what the dialog calls them; `span` numbers from, to; with neither
            it is a yes or no.
        unit: of numbers, in the dialog; `metavar` in the command's help.
        unset: what the dialog shows where no number is named; None where one always is.
        whole: numbers are whole.
        only: the endings of the only pictures that it makes a difference to; empty for all.
    """

    name: str
    field: str
    help: str
    label: Label
    choices: tuple[tuple[str, Label], ...] = ()
    span: tuple[float, float] | None = None
    unit: Label = str
    metavar: str = ""
    unset: Label | None = None
    whole: bool = False
    only: tuple[str, ...] = ()

    @property
    def flag(self) -> str:
        """As it is written."""
        return "--" + self.name.replace("_", "-")

    @property
    def dest(self) -> str:
        """Its attribute of parsed arguments."""
        return self.name.replace("-", "_")

    @property
    def settings(self) -> Mapping[str, Any]:
        """What `add_argument` is told of it; left out, it is None."""
        if self.choices:
            return {"choices": [name for name, _ in self.choices], "help": self.help}
        if self.span is not None:
            return {"type": int if self.whole else float, "metavar": self.metavar, "help": self.help}
        return {"action": "store_const", "const": True, "help": self.help}

    def of(self, request: ExportRequest) -> Any:
        """What a request says."""
        return getattr(request, self.field)

    def words(self, request: ExportRequest, usual: ExportRequest) -> list[str]:
        """What says it to `render`; nothing where it is as usual."""
        value = self.of(request)
        if value == self.of(usual):
            return []
        if self.choices:
            return [self.flag, str(value)]
        return [self.flag] if self.span is None else [self.flag, f"{value:g}"]


def _mm() -> str:
    return QCoreApplication.translate("ExportForm", " mm")


THEME = PaperOption(
    "theme",
    "theme",
    "(default light)",
    lambda: QCoreApplication.translate("ExportForm", "Theme"),
    choices=(
        ("light", lambda: QCoreApplication.translate("ExportForm", "Light")),
        ("dark", lambda: QCoreApplication.translate("ExportForm", "Dark")),
    ),
)
COLOUR_MAP = PaperOption(
    "colours",
    "colours",
    "colour map of weights, with the page's colour at 0 (default blue)",
    lambda: QCoreApplication.translate("ExportForm", "Colours"),
    choices=(
        ("blue", lambda: QCoreApplication.translate("ExportForm", "Blue")),
        ("viridis", lambda: QCoreApplication.translate("ExportForm", "Viridis")),
        ("grey", lambda: QCoreApplication.translate("ExportForm", "Grey")),
    ),
)
SCALE = PaperOption(
    "scale",
    "scale",
    "colour scale: 0 to 1, square root, or 0 to the largest weight shown (default linear)",
    lambda: QCoreApplication.translate("ExportForm", "Scale"),
    choices=(
        ("linear", lambda: QCoreApplication.translate("ExportForm", "0 to 1")),
        ("sqrt", lambda: QCoreApplication.translate("ExportForm", "Square root")),
        ("max", lambda: QCoreApplication.translate("ExportForm", "0 to the largest")),
    ),
)
WIDTH = PaperOption(
    "width",
    "width_mm",
    "width of the page (default 160)",
    lambda: QCoreApplication.translate("ExportForm", "Width"),
    span=WIDTH_MM,
    unit=_mm,
    metavar="MM",
)
HEIGHT = PaperOption(
    "height",
    "height_mm",
    "maximum height of the page; the picture is made lower (default: automatic)",
    lambda: QCoreApplication.translate("ExportForm", "Height at most"),
    span=HEIGHT_MM,
    unit=_mm,
    metavar="MM",
    unset=lambda: QCoreApplication.translate("ExportForm", "automatic"),
)
FONT_SIZE = PaperOption(
    "font-size",
    "font_size",
    "font size of labels, smaller where they do not fit (default: automatic)",
    lambda: QCoreApplication.translate("ExportForm", "Labels"),
    span=FONT_PT,
    unit=lambda: QCoreApplication.translate("ExportForm", " pt"),
    metavar="PT",
    unset=lambda: QCoreApplication.translate("ExportForm", "automatic"),
)
RESOLUTION = PaperOption(
    "dpi",
    "dpi",
    "pixels per inch of PNG (default 300)",
    lambda: QCoreApplication.translate("ExportForm", "Resolution"),
    span=DPI,
    unit=lambda: QCoreApplication.translate("ExportForm", " dpi"),
    metavar="N",
    whole=True,
    only=("png", "gif", "webp"),
)
BARE = PaperOption(
    "bare",
    "bare",
    "without title and caption; the caption is printed",
    lambda: QCoreApplication.translate("ExportForm", "No title, no caption"),
)
HIGHLIGHT = PaperOption(
    "highlight",
    "highlight",
    "mark the row of --step",
    lambda: QCoreApplication.translate("ExportForm", "Highlight the step's row"),
)

PAPER = (THEME, COLOUR_MAP, SCALE, WIDTH, HEIGHT, FONT_SIZE, RESOLUTION, BARE, HIGHLIGHT)
"""In the order of the command's help and of the dialog."""


def told(given: Any) -> dict[str, Any]:
    """What parsed arguments say, by field of `ExportRequest`; what they leave out is absent."""
    said = {option.field: getattr(given, option.dest) for option in PAPER}
    return {name: value for name, value in said.items() if value is not None}
