"""The six stages of one weight's arithmetic in words and numbers (paper, section 3.2)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QCoreApplication

from model.questions.answers import RowArithmetic
from viewer.document.text.token_text import TokenText
from viewer.figures.arithmetic.check import Check, check_lines
from viewer.figures.arithmetic.spec import (
    Block,
    Line,
    Row,
    Stage,
    StageSpec,
    Strip,
    Table,
    fourth,
    signed,
    sixth,
)

MOST_TERMS = 5
MOST_KEYS = 24
_PLAIN_EXP = 25.0  # beyond it, exp() has more digits than anyone reads

translate = QCoreApplication.translate


@dataclass(frozen=True, eq=False)
class Cell:
    """What the stages are about.

    Attributes:
        key: the chosen key.
        names: of the row's keys, as shown.
        query: name of the token that is read at the row.
        why: why the key is forbidden, in a sentence; empty if it is allowed.
        check: the recorded row and how it was altered.
    """

    answer: RowArithmetic
    key: int
    names: tuple[TokenText, ...]
    query: str
    why: str
    check: Check

    @property
    def name(self) -> str:
        """The chosen key as shown."""
        return self.names[self.key].marked


def stages_of(cell: Cell) -> tuple[StageSpec, ...]:
    """All stages, unfolded."""
    return (_dot(cell), _scale(cell), _mask(cell), _softmax(cell), _values(cell), _output(cell))


def _dot(cell: Cell) -> StageSpec:
    answer, key = cell.answer, cell.key
    q, k = answer.q, answer.keys[key]
    products = (q.astype(np.float64) * k).astype(np.float32)
    level = _level(q, answer.keys)
    blocks: list[Block] = [
        Strip("q", translate("Arithmetic", "q of “{token}”").format(token=cell.query), q, level),
        Strip("k", translate("Arithmetic", "k of “{token}”").format(token=cell.name), k, level),
        Strip("q × k", translate("Arithmetic", "their products"), products, _level(q * answer.keys)),
        _terms(q, k, products),
    ]
    result = signed(float(answer.scores[key]))
    blocks.append(Line(f"q ⋅ k = {result}", "result"))
    if answer.positions == "rotary":
        note = translate(
            "Arithmetic",
            "q and k are shown as they are compared: turned by their positions (rotary, Su et al. 2021).",
        )
        blocks.append(Line(note, "note"))
    return StageSpec(
        Stage.DOT,
        1,
        translate("Arithmetic", "Dot product"),
        "q ⋅ k = Σ_{i} q_{i} k_{i}",
        result,
        tuple(blocks),
    )


def _terms(
    q: npt.NDArray[np.float32], k: npt.NDArray[np.float32], products: npt.NDArray[np.float32]
) -> Table:
    """The largest products, and all the others together."""
    order = np.argsort(-np.abs(products), kind="stable")
    top, others = order[:MOST_TERMS].tolist(), order[MOST_TERMS:]
    rest = float(products[others].sum(dtype=np.float64))
    most = max(1e-30, abs(rest), *(abs(float(products[i])) for i in top))
    rows = []
    for i in top:
        values = (float(q[i]), float(k[i]), float(products[i]))
        rows.append(Row(str(i + 1), tuple(map(signed, values)), values, values[2] / most, i))
    if len(others):
        label = translate("Arithmetic", "{count} others").format(count=len(others))
        rows.append(Row(label, ("", "", signed(rest)), (None, None, rest), rest / most, dim=True))
    return Table("dimension", (translate("Arithmetic", "i"), "q", "k", "q × k"), tuple(rows), signed=True)


def _scale(cell: Cell) -> StageSpec:
    answer, key = cell.answer, cell.key
    size = len(answer.q)
    root, score, scaled = math.sqrt(size), float(answer.scores[key]), float(answer.scaled[key])
    by = f"{root:g}" if root == int(root) else f"{root:.4f}"
    text = f"{signed(score)} ÷ √{size} = {signed(score)} ÷ {by} = {signed(scaled)}"
    note = translate(
        "Arithmetic",
        "A sum of {count} products spreads about √{count} times as wide as one; unscaled, the softmax "
        "would put nearly all weight on one key (section 3.2.1).",
    ).format(count=size)
    formula, result = "s = q ⋅ k ÷ √d_{head}", signed(scaled)
    if not answer.divided:
        text, formula = signed(scaled), "s = q ⋅ k"
        note = translate(
            "Arithmetic",
            "This model does not divide by √d_head: its matrices were drawn smaller instead (T5, Raffel et "
            "al. 2020).",
        )
    blocks: list[Block] = [Line(text, "result"), Line(note, "note")]
    if answer.placed is not None:
        placed = float(answer.placed[key])
        result = signed(float(answer.compared[key]))
        formula += " + p"
        added = f"+ {signed(placed)}" if placed >= 0 else f"− {signed(-placed)}"
        blocks.insert(1, Line(f"{signed(scaled)} {added} = {result}", "result"))
        blocks.append(Line(_placed_note(answer.positions), "note"))
    return StageSpec(Stage.SCALE, 2, translate("Arithmetic", "Scale"), formula, result, tuple(blocks))


def _placed_note(positions: str) -> str:
    """Where what positions add to a score comes from."""
    return {
        "alibi": translate(
            "Arithmetic",
            "p is what positions add: the head's slope times the distance is taken off (ALiBi, Press et al. "
            "2022).",
        ),
        "relative": translate(
            "Arithmetic",
            "p is what positions add: q ⋅ a ÷ √d_head with the layer's vector a for this distance (Shaw et "
            "al. 2018).",
        ),
        "bias": translate(
            "Arithmetic",
            "p is what positions add: a number that the head has learned for this distance, the same in "
            "every layer (T5, Raffel et al. 2020).",
        ),
    }.get(positions, "")


def _mask(cell: Cell) -> StageSpec:
    answer, key = cell.answer, cell.key
    count, total = int(answer.forbidden.sum()), len(answer.forbidden)
    forbidden = bool(answer.forbidden[key])
    blocks: list[Block] = []
    if forbidden:
        blocks.append(Line(cell.why, "text"))
        blocks.append(Line(f"{signed(float(answer.compared[key]))} → −∞", "result"))
        result = "−∞"
    else:
        result = signed(float(answer.masked[key]))
        text = translate("Arithmetic", "“{key}” may be read: the score stays {score}.")
        blocks.append(Line(text.format(key=cell.name, score=result), "text"))
    if not count:
        text = translate("Arithmetic", "None of this row's {total} keys is masked.")
    elif count == total:
        text = translate("Arithmetic", "Every key of this row is masked: all its weights are 0.")
    else:
        text = translate("Arithmetic", "{count} of the row's {total} keys are masked.")
    blocks.append(Line(text.format(count=count, total=total), "note"))
    formula = translate("Arithmetic", "m = s where reading is allowed, else −∞")
    return StageSpec(Stage.MASK, 3, translate("Arithmetic", "Mask"), formula, result, tuple(blocks))


def _softmax(cell: Cell) -> StageSpec:
    answer, key = cell.answer, cell.key
    masked = answer.masked.astype(np.float64)
    allowed = ~answer.forbidden
    blocks: list[Block] = []
    if allowed.any():
        blocks += _quotient(masked, allowed, key, float(answer.pattern[key]))
    blocks.append(_row_table(cell))
    blocks += check_lines(cell.check, answer, key)
    return StageSpec(
        Stage.SOFTMAX,
        4,
        translate("Arithmetic", "Softmax over the row"),
        "α_{j} = exp(m_{j}) ÷ Σ_{n} exp(m_{n})",
        sixth(float(answer.pattern[key])),
        tuple(blocks),
    )


def _quotient(
    masked: npt.NDArray[np.float64], allowed: npt.NDArray[np.bool_], key: int, weight: float
) -> list[Block]:
    """exp of the score over the row's sum; large scores less the largest, as every program does it."""
    most = float(masked[allowed].max())
    shift = most if float(np.abs(masked[allowed]).max()) > _PLAIN_EXP else 0.0
    total = float(np.exp(masked[allowed] - shift).sum())
    power = float(np.exp(masked[key] - shift)) if allowed[key] else 0.0
    inside = signed(float(masked[key]))
    if shift:
        inside += f" − {signed(shift)}" if shift > 0 else f" + {signed(-shift)}"
    text = f"exp({inside}) ÷ {signed(total)} = {signed(power)} ÷ {signed(total)} = {sixth(weight)}"
    blocks: list[Block] = [Line(text, "result")]
    if shift:
        note = translate(
            "Arithmetic",
            "The row's largest score, {most}, is subtracted from all scores first; the "
            "weights stay the same.",
        )
        blocks.append(Line(note.format(most=signed(most)), "note"))
    return blocks


def _row_table(cell: Cell) -> Table:
    """The row's keys; of a long row the chosen and the weightiest, in their order, and the rest together."""
    answer = cell.answer
    weights, count = answer.pattern, len(answer.pattern)
    shown: Sequence[int] = range(count)
    if count > MOST_KEYS:
        best = set(np.argsort(-weights, kind="stable")[: MOST_KEYS - 1].tolist()) | {cell.key}
        shown = sorted(best)
    rows = []
    for j in shown:
        score, weight = float(answer.masked[j]), float(weights[j])
        forbidden = bool(answer.forbidden[j])
        rows.append(
            Row(
                cell.names[j].marked,
                (signed(score), fourth(weight)),
                (score, weight),
                weight,
                j,
                chosen=j == cell.key,
                dim=forbidden,
            )
        )
    if len(shown) < count:
        left = np.ones(count, np.bool_)
        left[list(shown)] = False
        rest = float(weights[left].sum(dtype=np.float64))
        label = translate("Arithmetic", "{count} others").format(count=int(left.sum()))
        rows.append(Row(label, ("", fourth(rest)), (None, rest), rest, dim=True))
    headers = (
        translate("Arithmetic", "key"),
        translate("Arithmetic", "score"),
        translate("Arithmetic", "weight"),
    )
    return Table("key", headers, tuple(rows))


def _values(cell: Cell) -> StageSpec:
    answer, key = cell.answer, cell.key
    used = float(answer.used[key])
    part = (np.float64(used) * answer.values[key]).astype(np.float32)
    level = _level(answer.values, answer.output)
    sum_title = translate("Arithmetic", "o: their sum over all {count} keys")
    mine, whole = _norm(part), _norm(answer.output)
    blocks: list[Block] = [
        Strip(
            "v",
            translate("Arithmetic", "v of “{token}”").format(token=cell.name),
            answer.values[key],
            level,
        ),
        Strip("α × v", f"{sixth(used)} × v", part, level),
        Strip("o", sum_title.format(count=len(answer.used)), answer.output, level),
    ]
    if cell.check.factor != 1:
        text = translate(
            "Arithmetic",
            "This head's output is multiplied by {factor} (What if): {weight} is used in place of {pattern}.",
        )
        values = {"factor": f"{cell.check.factor:g}", "weight": sixth(used)}
        blocks.append(Line(text.format(**values, pattern=sixth(float(cell.check.recorded[key]))), "warning"))
    if answer.positions == "relative":
        note = translate(
            "Arithmetic",
            "v is shown as this query takes it: with the layer's second vector for this distance added (Shaw "
            "et al. 2018).",
        )
        blocks.append(Line(note, "note"))
    text = translate("Arithmetic", "length of α × v: {part}; of o: {whole}")
    blocks.append(Line(text.format(part=signed(mine), whole=signed(whole)), "note"))
    return StageSpec(
        Stage.VALUES,
        5,
        translate("Arithmetic", "Weighted values"),
        "o = Σ_{j} α_{j} v_{j}",
        f"‖o‖ = {signed(whole)}",
        tuple(blocks),
    )


def _output(cell: Cell) -> StageSpec:
    answer = cell.answer
    norms = answer.share_norms.astype(np.float64)
    most = max(1e-30, float(norms.max()))
    label = translate("Arithmetic", "head {number}")
    rows = [
        Row(label.format(number=h + 1), (signed(norm),), (norm,), norm / most, h, chosen=h == answer.head)
        for h, norm in enumerate(norms.tolist())
    ]
    level = _level(answer.share, answer.total, answer.bias)
    head, count = answer.head + 1, len(rows)
    share = translate("Arithmetic", "share of head {head}: o times its part of W").format(head=head)
    total = translate("Arithmetic", "y: shares of all {count} heads, and the bias").format(count=count)
    blocks: list[Block] = [Strip(translate("Arithmetic", "share"), share, answer.share, level)]
    blocks.append(
        Table("head", (translate("Arithmetic", "share of"), translate("Arithmetic", "length")), tuple(rows))
    )
    if answer.bias.any():
        title = translate("Arithmetic", "b: the bias")
        blocks.append(Strip(translate("Arithmetic", "bias"), title, answer.bias, level))
    blocks.append(Strip("y", total, answer.total, level))
    text = translate(
        "Arithmetic",
        "length of y: {total}; shares may point in opposite directions, so lengths do not add up",
    )
    blocks.append(Line(text.format(total=signed(_norm(answer.total))), "note"))
    return StageSpec(
        Stage.OUTPUT,
        6,
        translate("Arithmetic", "Output projection"),
        "y = Σ_{h} o_{h} W^{O}_{h} + b",
        translate("Arithmetic", "length {number}").format(number=signed(float(norms[answer.head]))),
        tuple(blocks),
    )


def _level(*arrays: npt.NDArray[np.float32]) -> float:
    """The largest size there is, so that the strips of a row keep their colours from key to key."""
    most = max((float(np.abs(array).max()) for array in arrays if array.size), default=0.0)
    return most if most > 0 else 1.0


def _norm(vector: npt.NDArray[np.float32]) -> float:
    """Euclidean length."""
    return float(np.linalg.norm(vector.astype(np.float64)))
