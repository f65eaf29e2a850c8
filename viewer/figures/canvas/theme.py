"""Themes: the two sets of colours that pictures are drawn in."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, cached_property

from PySide6.QtGui import QColor

from viewer.figures.canvas.colour_maps import Table, diverging, sequential


@dataclass(frozen=True)
class Theme:
    """Colours of a picture, as "#rrggbb".

    Attributes:
        colours: which of `COLOURS` the weights have.
        panel: what the picture lies on, and the colour of weight 0.
        text, dim, faint: type in descending order of weight.
        accent: what is chosen; `highlight` the band behind it.
        grid: lines between cells and around maps.
        masked, hatch: ground and strokes of cells that attention may not reach.
        outline, later: frames of cells of later steps, and their ground where they are too small for frames.
        weights: anchors of the sequential colour map, first the panel.
        positive, negative: anchors of the diverging map from the panel outwards; its ends keep their hue.
        curves: colours of curves, told apart in greyscale by their dashes.
        heads: colours of a layer's heads, far apart also for people who do not tell red from green or blue
            from yellow (at least 28 in CIE 1976 L*a*b*, seen by the model of Machado and others, 2009).
        ink, paper: the darkest and the lightest there is, for type on grounds of middle brightness.
    """

    name: str
    panel: str
    text: str
    dim: str
    faint: str
    accent: str
    highlight: str
    badge: str
    grid: str
    masked: str
    hatch: str
    outline: str
    later: str
    weights: tuple[str, ...]
    positive: tuple[str, ...]
    negative: tuple[str, ...]
    curves: tuple[str, ...]
    heads: tuple[str, ...]
    ink: str = "#000000"
    paper: str = "#ffffff"
    colours: str = "blue"

    @property
    def key(self) -> str:
        """What tells pictures in these colours from those in others."""
        return f"{self.name} {self.colours}"

    def color(self, name: str) -> QColor:
        """A colour by field name."""
        return QColor(getattr(self, name))

    @cached_property
    def table(self) -> Table:
        """256 colours 0xffRRGGBB for values from 0 to 1."""
        return sequential(self.weights)

    @cached_property
    def diverging(self) -> Table:
        """256 colours 0xffRRGGBB for values from -1 to 1."""
        return diverging(self.negative, self.positive)


LIGHT = Theme(
    name="light",
    panel="#ffffff",
    text="#1b1f24",
    dim="#4a535e",
    faint="#646e7a",
    accent="#0b5cad",
    highlight="#e2eefa",
    badge="#eef2f6",
    grid="#e3e7ec",
    masked="#f1f3f5",
    hatch="#7f8994",
    outline="#d3d9e0",
    later="#f6f8fa",
    weights=("#ffffff", "#d6e6f4", "#9ac8e0", "#4a94c8", "#2171b5", "#0d4a86", "#072a56"),
    positive=("#ffffff", "#d6e6f4", "#9ac8e0", "#4a94c8", "#2171b5", "#0d4a86"),
    negative=("#ffffff", "#fbe3d0", "#f2b384", "#d9772f", "#b5540f", "#84390a"),
    curves=("#0b5cad", "#c2570c", "#2e7d4f", "#8a3fa0", "#a11d33", "#4d5661"),
    heads=("#4000e3", "#ff5613", "#189cbb", "#8b0a57", "#b26bff", "#374100", "#c47d70", "#69008d"),
)
DARK = Theme(
    name="dark",
    panel="#1b2026",
    text="#e7eaee",
    dim="#adb6c1",
    faint="#8b95a1",
    accent="#74bffc",
    highlight="#16344c",
    badge="#262d35",
    grid="#2b323a",
    masked="#22282f",
    hatch="#6b7682",
    outline="#39424c",
    later="#20262d",
    weights=("#1b2026", "#1d3d56", "#22618c", "#3187bd", "#60aedb", "#a9dcf5", "#f4fbff"),
    positive=("#1b2026", "#1d3d56", "#22618c", "#3187bd", "#60aedb", "#7cc4f5"),
    negative=("#1b2026", "#4b3020", "#85491f", "#c26a2a", "#e58f4d", "#f3ad72"),
    curves=("#74bffc", "#f0a45d", "#7fd0a0", "#d59be8", "#f28b9a", "#b9c1ca"),
    heads=("#0076eb", "#d8ff3b", "#4eff89", "#eb0000", "#d8b1ff", "#89629d", "#eb9db1", "#c43b4e"),
)


# Ten even steps of viridis (Smith and van der Walt, 2015, CC0), from its light end.
_VIRIDIS = (
    "#fde725", "#b4de2c", "#6dcd59", "#35b779", "#1f9e89",
    "#26828e", "#31688e", "#3e4a89", "#482878", "#440154",
)  # fmt: skip
# Sequential maps beside a theme's own, on a light page and on a dark one. All begin with the page, so that 0
# has its colour: viridis meets it at the end that is nearest in lightness.
_WEIGHTS: dict[str, dict[str, tuple[str, ...]]] = {
    "viridis": {"light": _VIRIDIS, "dark": _VIRIDIS[-2::-1]},
    "grey": {"light": ("#000000",), "dark": ("#ffffff",)},
}
COLOURS = ("blue", *_WEIGHTS)
"""Names of the colour maps of weights; the first is a theme's own."""


@cache
def theme(name: str, colours: str = "blue") -> Theme:
    """The theme called `light` or `dark`, its weights in one of `COLOURS`."""
    plain = {"light": LIGHT, "dark": DARK}[name]
    if colours == plain.colours:
        return plain
    return replace(plain, weights=(plain.panel, *_WEIGHTS[colours][name]), colours=colours)
