"""The positional encoding that the Positions page is about: the model's own, or one with chosen numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from PySide6.QtCore import QCoreApplication

from model.config import PositionLayout
from model.positions import sinusoidal_table
from viewer.state.head_grid import Matrix
from viewer.state.messages import ModelInfo

PAPER_BASE = 10000.0
SLIP_BASE = 1000.0
"""What lecture notes often write for the paper's 10000."""


@dataclass(frozen=True, eq=False)
class PositionTable:
    """A table of positional encodings and where it comes from.

    Attributes:
        rows: float32 [position, dimension].
        base: of sinusoids; None where the rows were learned.
        layout: where a pair's sine and cosine stand.
        model_name, model_sha256: of the model whose table it is; empty for `chosen`.
        chosen: made with numbers that were chosen on the page, no model's.
    """

    rows: Matrix
    base: float | None
    layout: PositionLayout = "interleaved"
    model_name: str = ""
    model_sha256: str = ""
    chosen: bool = False

    @property
    def dimensions(self) -> int:
        """d_model."""
        return int(self.rows.shape[1])

    @property
    def pairs(self) -> int:
        """How many pairs of a sine and a cosine there are."""
        return self.dimensions // 2

    @property
    def badges(self) -> tuple[str, ...]:
        """What every picture of it must say."""
        translate = QCoreApplication.translate
        found = []
        if self.chosen:
            text = translate("Figure", "not this model's: base {base}, d_model {dimensions}")
            found.append(text.format(base=grouped(self.base or 0), dimensions=self.dimensions))
        if self.base is not None and self.layout == "halves":
            found.append(translate("Figure", "layout halves: all sines, then all cosines"))
        return tuple(found)

    def facts(self) -> dict[str, Any]:
        """For a figure's data."""
        return {
            "base": self.base,
            "layout": self.layout,
            "d_model": self.dimensions,
            "chosen": self.chosen,
            "model_name": self.model_name,
            "model_sha256": self.model_sha256,
        }


def grouped(value: float) -> str:
    """A base for reading: "10,000"."""
    return f"{value:,.10g}"


def table_of(info: ModelInfo | None) -> PositionTable | None:
    """The model's own table; None without a model, or for one that adds no positions."""
    if info is None or info.positions is None:
        return None
    return model_table(info.positions, info.architecture, info.name, info.sha256)


def model_table(
    rows: Matrix, architecture: Mapping[str, Any], name: str = "", sha256: str = ""
) -> PositionTable:
    """A model's table with what its architecture (as in `config.json`) says of it; absent: the default."""
    learned = architecture.get("positions", "sinusoidal") != "sinusoidal"
    base = None if learned else float(architecture.get("position_base", PAPER_BASE))
    layout = cast(PositionLayout, architecture.get("position_layout", "interleaved"))
    return PositionTable(rows, base, layout, name, sha256)


def chosen_table(
    base: float, dimensions: int, count: int, layout: PositionLayout = "interleaved"
) -> PositionTable:
    """Sinusoids with numbers of one's own."""
    rows = sinusoidal_table(count, dimensions, base=base, layout=layout)
    return PositionTable(rows, base, layout, chosen=True)
