"""The one palette of an animated GIF, worked out from the theme and not from the frames: nothing flickers."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from PySide6.QtGui import QColor

from viewer.figures.canvas.theme import Theme

Pixels = npt.NDArray[np.uint32]
Indices = npt.NDArray[np.uint8]

MOST = 256
MAP_COLOURS = 160

# Type is antialiased: so many blends lie between it and what it stands on.
_RAMPS = (
    ("text", "panel", 22), ("dim", "panel", 16), ("faint", "panel", 12), ("accent", "panel", 10),
    ("text", "highlight", 6), ("dim", "badge", 8), ("hatch", "masked", 6), ("outline", "panel", 4),
)  # fmt: skip
_SINGLE = ("masked", "later", "grid", "badge", "highlight")


class GlobalPalette:
    """At most 256 colours, and the nearest of them to any other.

    Attributes:
        colours: uint32 0x00RRGGBB; the first is the panel, which is also weight 0 of the sequential map.
    """

    def __init__(self, theme: Theme, *, signed: bool) -> None:
        """Takes the theme; `signed`: the numbers go from negative to positive."""
        table = theme.diverging if signed else theme.table
        places = np.rint(np.linspace(0, len(table) - 1, MAP_COLOURS)).astype(np.int64)
        chosen = [_rgb(theme.color("panel")), *(int(colour) & 0xFFFFFF for colour in table[places])]
        chosen += [_rgb(theme.color(name)) for name in _SINGLE]
        for front, back, count in _RAMPS:
            chosen += _between(theme.color(front), theme.color(back), count)
        self.colours: Pixels = np.array(list(dict.fromkeys(chosen))[:MOST], np.uint32)
        self._rgb = _channels(self.colours)
        # The index of every colour met so far: each frame has few that no frame had before.
        self._known: npt.NDArray[np.int16] = np.full(1 << 24, -1, np.int16)
        self._known[self.colours] = np.arange(len(self.colours))

    def indices(self, pixels: Pixels) -> Indices:
        """The index of the nearest colour (least squared distance) of each 0x..RRGGBB pixel."""
        colours = pixels & np.uint32(0xFFFFFF)
        found = self._known[colours]
        if (found < 0).any():
            new = np.unique(colours[found < 0])
            distances = ((_channels(new)[:, None] - self._rgb[None]) ** 2).sum(-1)
            self._known[new] = distances.argmin(1)
            found = self._known[colours]
        nearest: Indices = found.astype(np.uint8)
        return nearest

    def table(self) -> bytes:
        """256 triples of bytes, as GIF's global colour table."""
        padded = np.zeros((MOST, 3), np.uint8)
        padded[: len(self.colours)] = self._rgb
        return padded.tobytes()


def _rgb(colour: QColor) -> int:
    return colour.rgb() & 0xFFFFFF


def _between(front: QColor, back: QColor, count: int) -> list[int]:
    """`count` colours from `front` on the straight line to `back`, which is left out."""
    ends = _channels(np.array([_rgb(front), _rgb(back)], np.uint32)).astype(np.float64)
    shares = (np.arange(count) / count)[:, None]
    mixed = np.rint(ends[0] * (1 - shares) + ends[1] * shares).astype(np.int64)
    return [int(red) << 16 | int(green) << 8 | int(blue) for red, green, blue in mixed]


def _channels(colours: Pixels) -> npt.NDArray[np.int32]:
    """[count, 3] from 0 to 255."""
    return np.stack([colours >> 16 & 255, colours >> 8 & 255, colours & 255], axis=-1).astype(np.int32)
