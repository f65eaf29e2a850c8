"""`Appearance`: colours and sizes: two palettes, a type scale, and what tells views of a change."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QMetaMethod, QObject, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontInfo, QGuiApplication, QPainter, QPalette, QPen
from PySide6.QtWidgets import QApplication, QWidget

from viewer.figures.canvas.fonts import families
from viewer.figures.canvas.lettering import LEAST_TYPE

SMALLEST = (900, 600)
"""Pixels of the smallest window in type of the usual size."""
NO_LIMIT = 16_777_215
"""Qt's own bound of a widget's width and height."""
PRESENT_SCALE = 1.64
"""What the smallest type, of 11 pixels, takes to `LEAST_PRESENT`."""
LEAST_PRESENT = 18.0
"""How small type may become before an audience, in pixels of a screen of 1280 x 800."""
_PRESENT_BASE = 14.0


@dataclass(frozen=True)
class Palette:
    """Named colours of the window's chrome; pictures take theirs from the drawing's own theme."""

    name: str
    window: str
    panel: str
    border: str
    border_strong: str
    text: str
    muted: str
    disabled: str
    hover: str
    pressed: str
    accent: str
    accent_hover: str
    on_accent: str
    soft: str
    chip: str
    bar: str
    warn: str
    warn_text: str
    warn_border: str
    problem: str


LIGHT = Palette(
    name="light",
    window="#f2f4f6",
    panel="#ffffff",
    border="#dfe3e8",
    border_strong="#7f8994",
    text="#1b1f24",
    muted="#5b6572",
    disabled="#a3abb5",
    hover="#eef2f6",
    pressed="#e0e7ee",
    accent="#0b5cad",
    accent_hover="#0a4f96",
    on_accent="#ffffff",
    soft="#e2eefa",
    chip="#a9c9e8",
    bar="#66717d",
    warn="#fff6dc",
    warn_text="#5e4500",
    warn_border="#e3c56a",
    problem="#b3261e",
)
DARK = Palette(
    name="dark",
    window="#14181d",
    panel="#1b2026",
    border="#2c333b",
    border_strong="#6b7682",
    text="#e7eaee",
    muted="#9da7b3",
    disabled="#5d6772",
    hover="#252c34",
    pressed="#2e3741",
    accent="#74bffc",
    accent_hover="#93cefd",
    on_accent="#0a1a28",
    soft="#16344c",
    chip="#2c6592",
    bar="#8b95a1",
    warn="#362d15",
    warn_text="#f1d791",
    warn_border="#6b5a24",
    problem="#ff9d94",
)


def smallest_window(type_size: int) -> QSize:
    """Pixels in which nothing is out of reach, in type of so many hundredths of the usual size."""
    return QSize(*SMALLEST) * (max(100, type_size) / 100)


def has_room(type_size: int, screen: QSize) -> bool:
    """Whether a window in type of that size fits a screen of so many pixels."""
    smallest = smallest_window(type_size)
    return smallest.width() <= screen.width() and smallest.height() <= screen.height()


class Appearance(QObject):
    """The theme and type scale in force.

    Attributes:
        choice: the theme that was chosen.
        type_size: of the usual size, in per cent.

    Signals:
        chosen: the palette or the scale is another. Whoever answers has all widgets take it, and then tells
            of it by `changed`.
        changed: after the palette or the scale changed; views redraw and measure again.
    """

    chosen = Signal()
    changed = Signal()

    def __init__(
        self, choice: str = "system", parent: QObject | None = None, *, type_size: int = 100
    ) -> None:
        super().__init__(parent)
        self.choice = choice
        self.type_size = type_size
        self.present = False
        self._growth = 1.0
        self._base = max(13.0, min(16.0, QFontInfo(QFont()).pixelSize() * 7 / 6))
        self.palette = self._wanted()
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._system_changed)

    @property
    def dark(self) -> bool:
        """Whether the dark palette is in force."""
        return self.palette is DARK

    @property
    def scale(self) -> float:
        """The chosen size; while presenting `PRESENT_SCALE`, or more on a screen with more pixels."""
        chosen = self.type_size / 100
        return max(PRESENT_SCALE * self._growth, chosen) if self.present else chosen

    @property
    def least_type(self) -> float:
        """How small type in a figure may become before some is left out, in pixels."""
        return LEAST_PRESENT * self._growth if self.present else LEAST_TYPE

    def px(self, size: float = 14.0) -> int:
        """A size drawn for 14-pixel type, in pixels at the type scale in force."""
        base = max(self._base, _PRESENT_BASE) if self.present else self._base
        return max(1, round(size * base / 14.0 * self.scale))

    def color(self, name: str) -> QColor:
        """A palette colour by field name."""
        return QColor(getattr(self.palette, name))

    def choose(self, choice: str) -> None:
        """Take `system`, `light` or `dark`."""
        self.choice = choice
        hints = QGuiApplication.styleHints()
        scheme = {"light": Qt.ColorScheme.Light, "dark": Qt.ColorScheme.Dark}.get(choice)
        if scheme is None:
            hints.unsetColorScheme()
        else:
            hints.setColorScheme(scheme)
        self._system_changed()

    def set_type_size(self, percent: int) -> None:
        """Write everything in type of this many hundredths of the usual size."""
        if percent != self.type_size:
            self.type_size = percent
            self._tell()

    def set_present(self, on: bool, growth: float = 1.0) -> None:
        """Enlarge the type for a projector, or take it back.

        Args:
            growth: how many times as many pixels as 1280 x 800 the screen has along a side; at least 1.
        """
        if (on, growth) != (self.present, self._growth):
            self.present, self._growth = on, growth
            self._tell()

    def qpalette(self) -> QPalette:
        """The palette for Qt's own parts: dialogs, selections, tooltips, links."""
        result = QPalette()
        roles = QPalette.ColorRole
        for role, name in (
            (roles.Window, "window"),
            (roles.WindowText, "text"),
            (roles.Base, "panel"),
            (roles.AlternateBase, "hover"),
            (roles.Text, "text"),
            (roles.Button, "panel"),
            (roles.ButtonText, "text"),
            (roles.BrightText, "on_accent"),
            (roles.Highlight, "accent"),
            (roles.HighlightedText, "on_accent"),
            (roles.ToolTipBase, "panel"),
            (roles.ToolTipText, "text"),
            (roles.PlaceholderText, "muted"),
            (roles.Link, "accent"),
            (roles.Light, "hover"),
            (roles.Midlight, "border"),
            (roles.Mid, "border_strong"),
            (roles.Dark, "border_strong"),
        ):
            result.setColor(role, self.color(name))
        for role in (roles.Text, roles.WindowText, roles.ButtonText):
            result.setColor(QPalette.ColorGroup.Disabled, role, self.color("disabled"))
        return result

    def _tell(self) -> None:
        if self.isSignalConnected(QMetaMethod.fromSignal(self.chosen)):
            self.chosen.emit()
        else:  # no window that would have to take it first
            self.changed.emit()

    def _wanted(self) -> Palette:
        if self.choice == "light":
            return LIGHT
        if self.choice == "dark":
            return DARK
        return DARK if QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark else LIGHT

    def _system_changed(self) -> None:
        wanted = self._wanted()
        if wanted is not self.palette:
            self.palette = wanted
            self._tell()


def blend(under: QColor, over: QColor, share: float) -> QColor:
    """`share` (0 to 1) of `over` laid on `under`."""
    keep = 1.0 - share
    return QColor.fromRgbF(
        under.redF() * keep + over.redF() * share,
        under.greenF() * keep + over.greenF() * share,
        under.blueF() * keep + over.blueF() * share,
    )


def draw_ring(painter: QPainter, widget: QWidget, colour: QColor, *, dotted: bool = True) -> None:
    """Show that a widget has the keys: a line around as much of it as what it stands in leaves to be seen.

    Args:
        dotted: what is chosen in it has a frame of its own.
    """
    around, seen = widget.parentWidget(), widget.rect()
    if around is not None and not widget.isWindow():
        seen = seen.intersected(around.rect().translated(-widget.pos()))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    style = Qt.PenStyle.DotLine if dotted else Qt.PenStyle.SolidLine
    painter.setPen(QPen(colour, 1.5 if dotted else 2, style))
    painter.drawRoundedRect(QRectF(seen).adjusted(1, 1, -1, -1), 4, 4)


def take_type(appearance: Appearance) -> None:
    """Give the application its font and palette, which widgets have from the moment they are made."""
    font = QFont()
    font.setFamilies(families())
    font.setPixelSize(appearance.px(14))
    QGuiApplication.setFont(font)
    QApplication.setPalette(appearance.qpalette())
