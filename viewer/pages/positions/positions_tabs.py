"""POSITIONS_TABS: every part of the Positions page, in the order of its tabs."""

from __future__ import annotations

from viewer.pages.positions.bases_panel import BASES
from viewer.pages.positions.bias_panel import BIAS
from viewer.pages.positions.decode_panel import DECODE
from viewer.pages.positions.distance_panel import DISTANCE
from viewer.pages.positions.encoding_panel import ENCODING
from viewer.pages.positions.positions_tab import PositionsTab
from viewer.pages.positions.rotation_panel import ROTATION
from viewer.pages.positions.wavelengths_panel import WAVELENGTHS

POSITIONS_TABS: list[PositionsTab] = [BIAS, ENCODING, WAVELENGTHS, ROTATION, DISTANCE, BASES, DECODE]
