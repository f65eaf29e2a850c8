"""ArithmeticSpec: one weight worked out from query and key to W_O, as stages of formulas and true numbers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from PySide6.QtCore import QCoreApplication

from model.questions.answers import RowArithmetic
from model.trace.trace import AttentionKind, Floats
from viewer.document.text.lists import clauses

Tone = Literal["text", "note", "result", "good", "warning"]
HEADING = -1
"""The `block` of a spot that is the heading of its stage."""

_MARKUP = re.compile(r"([_^])\{([^}]*)\}")


class Stage(StrEnum):
    """The stages of one weight's arithmetic, in the order in which they are computed."""

    DOT = "dot"
    SCALE = "scale"
    MASK = "mask"
    SOFTMAX = "softmax"
    VALUES = "values"
    OUTPUT = "output"


@dataclass(frozen=True)
class Line:
    """A sentence or an equation.

    Attributes:
        tone: `result` closes a stage; `good` and `warning` say what a check came to.
    """

    text: str
    tone: Tone = "text"


@dataclass(frozen=True, eq=False)
class Strip:
    """A vector as a strip of coloured cells.

    Attributes:
        symbol: what one number of it is called: "q", "q × k".
        title: what it is: "q of “donné”".
        values: [n].
        level: the colours go from -level to level.
    """

    symbol: str
    title: str
    values: Floats
    level: float


@dataclass(frozen=True)
class Row:
    """One line of a table.

    Attributes:
        label: what it is about: a token, a head, a dimension.
        values: its exact numbers, None where there is none; a cell's text says as much of one as there is
            room for.
        bar: -1 to 1: the length of its bar.
        index: of the key, head or dimension, from 0; -1 for several together.
        chosen: the one that everything is about.
        dim: forbidden, or several together.
    """

    label: str
    cells: tuple[str, ...]
    values: tuple[float | None, ...]
    bar: float
    index: int = -1
    chosen: bool = False
    dim: bool = False


@dataclass(frozen=True)
class Table:
    """Rows with a bar each.

    Attributes:
        of: what the rows' indices are of.
        headers: of the labels, then one for each cell.
        signed: bars may point to the left.
    """

    of: Literal["dimension", "key", "head"]
    headers: tuple[str, ...]
    rows: tuple[Row, ...]
    signed: bool = False


Block = Line | Strip | Table


@dataclass(frozen=True, eq=False)
class StageSpec:
    """One stage.

    Attributes:
        number: from 1.
        formula: with `_{…}` for what is lowered and `^{…}` for what is raised.
        result: what comes out, in a few characters, for a heading whose blocks are not shown.
        folded: only its heading is shown.
    """

    stage: Stage
    number: int
    title: str
    formula: str
    result: str
    blocks: tuple[Block, ...]
    folded: bool = False

    @property
    def text(self) -> str:
        """All of it as text: tables and strips with tabs, their numbers with nine digits."""
        lines = [f"{self.number} {self.title}", plain_formula(self.formula)]
        for block in self.blocks:
            if isinstance(block, Line):
                lines.append(block.text)
            elif isinstance(block, Strip):
                lines.append("\t".join((block.symbol, *map(exact, block.values.tolist()))))
            else:
                lines.append("\t".join(block.headers))
                lines += ["\t".join((row.label, *map(_exact, row.values))) for row in block.rows]
        return "\n".join(lines)


@dataclass(frozen=True)
class Spot:
    """Something that can be pointed at: the heading of a stage, a number of a strip, a row of a table."""

    stage: Stage
    block: int = HEADING
    index: int = 0


@dataclass(frozen=True, eq=False)
class ArithmeticSpec:
    """One weight's arithmetic.

    Attributes:
        answer: the numbers, of the whole row.
        key: the chosen key.
        tokens: raw pieces of the row's keys; `query_token` the one that is read at the row.
        recorded: [K] the row as the trace has it.
        title, kind_name, badges: as in `MapSpec`.
        lead: the sentence that all is about: "Decoder layer 2, head 3: predicting “aime” reads “love” 0.61".
    """

    answer: RowArithmetic
    key: int
    tokens: tuple[str, ...]
    query_token: str
    recorded: Floats
    title: str
    kind_name: str
    badges: tuple[str, ...]
    lead: str
    stages: tuple[StageSpec, ...]

    @property
    def kind(self) -> AttentionKind:
        """The kind of the weight."""
        return self.answer.kind

    @property
    def text(self) -> str:
        """All of it as text."""
        return "\n\n".join([self.lead, *(stage.text for stage in self.stages)])

    def stage(self, stage: Stage) -> StageSpec:
        """A stage by name."""
        return next(each for each in self.stages if each.stage is stage)

    def block(self, spot: Spot) -> Block | None:
        """What is pointed at; None for a heading."""
        return None if spot.block == HEADING else self.stage(spot.stage).blocks[spot.block]

    def has(self, spot: Spot) -> bool:
        """Whether there is such a place."""
        blocks = self.stage(spot.stage).blocks
        if spot.block == HEADING:
            return True
        if not 0 <= spot.block < len(blocks):
            return False
        block = blocks[spot.block]
        if isinstance(block, Strip):
            return spot.index < len(block.values)
        return not isinstance(block, Table) or spot.index < len(block.rows)

    def row_at(self, spot: Spot) -> tuple[Table, Row] | None:
        """The row of a table that is pointed at; None if something else is."""
        block = self.block(spot)
        return (block, block.rows[spot.index]) if isinstance(block, Table) else None

    def sentence_at(self, spot: Spot) -> str:
        """What is pointed at, its numbers to nine digits."""
        translate = QCoreApplication.translate
        stage = self.stage(spot.stage)
        block = self.block(spot)
        if isinstance(block, Strip):
            said = translate("Arithmetic", "Dimension {index} of {count}: {numbers}")
            numbers = clauses(
                f"{strip.symbol} = {exact(float(strip.values[spot.index]))}"
                for strip in stage.blocks
                if isinstance(strip, Strip) and len(strip.values) == len(block.values)
            )
            return said.format(index=spot.index + 1, count=len(block.values), numbers=numbers)
        if isinstance(block, Table):
            row = block.rows[spot.index]
            pairs = zip(block.headers[1:], row.values, strict=True)
            numbers = clauses(f"{name} {exact(value)}" for name, value in pairs if value is not None)
            return translate("Arithmetic", "{name}: {numbers}").format(name=row.label, numbers=numbers)
        said = translate("Arithmetic", "{number}. {title}: {formula}; {result}")
        formula = plain_formula(stage.formula)
        return said.format(number=stage.number, title=stage.title, formula=formula, result=stage.result)


def plain_formula(formula: str) -> str:
    """A formula on one line: "q_i", "W^O"."""
    return _MARKUP.sub(r"\1\2", formula)


def formula_parts(formula: str) -> list[tuple[str, int]]:
    """A formula in pieces, each lowered (-1), raised (1) or on the line (0)."""
    parts: list[tuple[str, int]] = []
    end = 0
    for found in _MARKUP.finditer(formula):
        parts += [(formula[end : found.start()], 0), (found[2], -1 if found[1] == "_" else 1)]
        end = found.end()
    return [part for part in (*parts, (formula[end:], 0)) if part[0]]


def exact(value: float) -> str:
    """Nine significant digits, which give a float32 back: to copy and to compare."""
    return f"{value:.9g}"


def _exact(value: float | None) -> str:
    return "" if value is None else exact(value)


def signed(value: float) -> str:
    """A number for reading: four decimals, and two figures where those would say nothing; a true minus."""
    if value == float("-inf"):
        return "−∞"
    if value == 0:
        return "0"
    size = abs(value)
    text = f"{value:.4f}" if 5e-4 <= size < 1e4 else f"{value:.2e}"
    return text.replace("-", "−")


def fourth(value: float) -> str:
    """A weight for a column: four decimals, and two figures where those would say nothing."""
    if value == 0:
        return "0"
    return (f"{value:.4f}" if abs(value) >= 5e-5 else f"{value:.1e}").replace("-", "−")


def sixth(value: float) -> str:
    """A weight for comparing: six decimals, and three figures where those would say nothing."""
    if value == 0:
        return "0"
    return (f"{value:.6f}" if abs(value) >= 5e-5 else f"{value:.2e}").replace("-", "−")
