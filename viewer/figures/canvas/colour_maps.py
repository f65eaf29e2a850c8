"""Colour maps: 256 colours each, evenly spaced in CIE lightness so that greyscale keeps the order."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Table = npt.NDArray[np.uint32]
_Floats = npt.NDArray[np.float64]

STEPS = 256


def sequential(anchors: Sequence[str]) -> Table:
    """256 opaque colours 0xffRRGGBB through the anchors, equally far apart in lightness L*.

    Args:
        anchors: "#rrggbb" in order of lightness; the ends are met exactly.
    """
    fine = _between(np.array([_rgb(anchor) for anchor in anchors]), 4096)
    lightness = _lightness(fine)
    if lightness[-1] < lightness[0]:
        lightness = -lightness
    wanted = np.linspace(lightness[0], lightness[-1], STEPS)
    places = np.interp(wanted, lightness, np.arange(len(fine)))
    return _packed(fine[np.rint(places).astype(np.int64)])


def diverging(low: Sequence[str], high: Sequence[str]) -> Table:
    """256 colours from the far end of `low` through their common first anchor to the far end of `high`."""
    below, above = (
        sequential(anchors)[np.linspace(0, STEPS - 1, STEPS // 2).astype(np.int64)] for anchors in (low, high)
    )
    return np.concatenate([below[::-1], above])


def _rgb(colour: str) -> list[float]:
    return [int(colour[i : i + 2], 16) for i in (1, 3, 5)]


def _between(anchors: _Floats, count: int) -> _Floats:
    """Colours on the straight lines between anchors, [count, 3] from 0 to 255."""
    places = np.linspace(0, len(anchors) - 1, count)
    return np.stack([np.interp(places, np.arange(len(anchors)), anchors[:, c]) for c in range(3)], axis=1)


def _lightness(rgb: _Floats) -> _Floats:
    """CIE 1976 L* of sRGB colours (IEC 61966-2-1), 0 to 100."""
    linear = np.where(rgb <= 10.31475, rgb / 255 / 12.92, ((rgb / 255 + 0.055) / 1.055) ** 2.4)
    luminance = linear @ np.array([0.2126729, 0.7151522, 0.0721750])
    cube = np.where(luminance > (6 / 29) ** 3, np.cbrt(luminance), luminance * (29 / 6) ** 2 / 3 + 4 / 29)
    lightness: _Floats = 116 * cube - 16
    return lightness


def _packed(rgb: _Floats) -> Table:
    red, green, blue = np.rint(rgb).astype(np.uint32).T
    table: Table = np.uint32(0xFF000000) | red << np.uint32(16) | green << np.uint32(8) | blue
    table.flags.writeable = False
    return table
