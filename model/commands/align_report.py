"""Report of `align`: a table for people, CSV or JSON."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass, field
from typing import Any

from model.alignment.aer import Aer
from model.alignment.corpus import COLUMNS, Row
from model.commands.console import emit, put, say
from model.trace.trace import Trace
from model.trace.trace_damage import damage_note


@dataclass
class AlignReport:
    """What has come of a run of the command.

    Attributes:
        gold: name of the file of gold links, None without.
        one_based: whether words count from 1 in the files of links.
        out: the file of links written, None without.
        pairs, skipped: how many sentence pairs were read, and how many could not be.
        rows: best first.
        diagonal: the plain diagonal under the same gold links: what a head must better.
        trace: the only one that was read, None where there were several.
    """

    gold: str | None
    one_based: bool
    out: str | None
    model: str = ""
    pairs: int = 0
    skipped: int = 0
    rows: list[Row] = field(default_factory=list)
    diagonal: Aer = field(default_factory=Aer)
    trace: Trace | None = None


def report(found: AlignReport, *, as_json: bool, as_csv: bool) -> None:
    """Write it on stdout; what was written elsewhere is said on stderr."""
    if as_json:
        emit(_json(found))
    elif as_csv:
        put(_csv(found.rows))
    else:
        for line in _table(found):
            put(line)
    if as_csv and found.rows:
        say(_diagonal(found.diagonal))
    damaged = "" if found.trace is None else damage_note(found.trace)
    if damaged:
        say(f"headscope: note: {damaged}")
    if found.out:
        say(f"{found.out}: links of {found.pairs} sentence pairs")


def _json(found: AlignReport) -> dict[str, Any]:
    names = ("model", "gold", "one_based", "out", "pairs", "skipped")
    rows = [row.rates() | {"beats_diagonal": _beats(row, found.diagonal)} for row in found.rows]
    facts = {name: getattr(found, name) for name in names}
    if found.rows:
        facts["diagonal"] = Row("predicts", (None, None), found.diagonal).rates()
        for name in ("rule", "layer", "head"):
            del facts["diagonal"][name]
    damaged = "" if found.trace is None else damage_note(found.trace)
    return facts | ({"damaged": damaged} if damaged else {}) | {"rows": rows}


def _beats(row: Row, diagonal: Aer) -> bool | None:
    """Whether a head is better than the diagonal; None where one of both has no rate."""
    if row.aer.rate is None or diagonal.rate is None:
        return None
    return not row.aer.no_better_than(diagonal)


def _diagonal(aer: Aer) -> str:
    rate = "-" if aer.rate is None else f"{aer.rate:.3f}"
    return f"a plain diagonal (target word j of J with source word ⌊(j + ½) I / J⌋) has an AER of {rate}"


def _csv(rows: list[Row]) -> str:
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in rows:
        writer.writerow([f"{value:.9g}" if isinstance(value, float) else value for value in row.values()])
    return text.getvalue().removesuffix("\n")


def _table(found: AlignReport) -> list[str]:
    if not found.rows:
        return []
    lines = [f"{'AER':>6}  {'prec.':>6}  {'recall':>6}  {'rule':8}  cross-attention of"]
    for row in found.rows:
        rates = (row.aer.rate, row.aer.precision, row.aer.recall)
        shown = ["-" if rate is None else f"{rate:.3f}" for rate in rates]
        said = "; no better than a diagonal" if row.aer.no_better_than(found.diagonal) else ""
        lines.append("  ".join(f"{text:>6}" for text in shown) + f"  {row.rule:8}  {_place(row)}{said}")
    lines.append(_diagonal(found.diagonal))
    lines.append(
        f"{found.pairs} sentence pairs, {found.skipped} left out, {found.rows[0].aer.sure} sure links"
    )
    return lines


def _place(row: Row) -> str:
    layer, head = row.place
    if layer is None:
        return "all layers, mean over all heads"
    return (
        f"layer {layer + 1}, mean over its heads" if head is None else f"layer {layer + 1}, head {head + 1}"
    )
