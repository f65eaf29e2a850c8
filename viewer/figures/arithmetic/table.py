"""Arithmetic table: one weight's numbers as CSV in long format: one a line, counted from 0."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from model.files.files import StrPath, replacing, write_chunks
from model.files.tensor_file import well_formed
from viewer.figures.arithmetic.spec import ArithmeticSpec
from viewer.figures.figure import FigureSpec
from viewer.figures.table import csv_chunks, number

HEADER = ("stage", "index", "key", "name", "value")


def write_arithmetic_csv(figure: FigureSpec[ArithmeticSpec], path: StrPath) -> None:
    """Write all numbers of an arithmetic figure, folded stages included.

    Columns:
        stage: `cell` (what it is about), `dot`, `scale`, `mask`, `softmax`, `values` or `output`.
        index: of a dimension (of d_head; in `output` of d_model) or, for `share_norm`, of a head.
        key: the key that the number belongs to, as an index of the trace.
        name: what the number is: in `cell` `kind`, `layer`, `head`, `query`, `key`, `query_token`,
            `key_token`, `notes` (the figure's badges); in `dot` `q`, `k`, `product` of the chosen key, and
            `score` of every key; in `scale` `d_head` and every key's `scaled`; in `mask` every key's
            `key_token`, `forbidden` (0 or 1) and `masked` (`-inf` where forbidden); in `softmax` every key's
            `weight`, `recorded` and `used`; in `values` `v` and `weighted` (used times v) of the chosen key,
            and `head_output`; in `output` `share`, `bias`, `total` and the heads' `share_norm`.
        value: %.9g, or text in `cell` and of `key_token`.

    What a line does not have is empty.

    Raises:
        HeadscopeError: the file cannot be written; an old file stays.
    """
    with replacing(path) as temporary:
        write_chunks(temporary, csv_chunks(_lines(figure.body)))


def _lines(spec: ArithmeticSpec) -> Iterator[Sequence[object]]:
    answer, key = spec.answer, spec.key
    yield HEADER
    tokens = [well_formed(token) for token in spec.tokens]
    about: tuple[tuple[str, object], ...] = (
        ("kind", str(answer.kind)),
        ("layer", answer.layer),
        ("head", answer.head),
        ("query", answer.query),
        ("key", key),
        ("query_token", well_formed(spec.query_token)),
        ("key_token", tokens[key]),
        ("notes", "; ".join(spec.badges)),
    )
    for name, value in about:
        yield "cell", "", "", name, value
    products = answer.q.astype(np.float64) * answer.keys[key]
    yield from _vector("dot", "q", answer.q)
    yield from _vector("dot", "k", answer.keys[key], key)
    yield from _vector("dot", "product", products.astype(np.float32), key)
    yield from _by_key("dot", "score", answer.scores)
    yield "scale", "", "", "d_head", len(answer.q)
    yield from _by_key("scale", "scaled", answer.scaled)
    if answer.placed is not None:
        yield from _by_key("scale", "placed", answer.placed)
    for place, token in enumerate(tokens):
        yield "mask", "", place, "key_token", token
    yield from _by_key("mask", "forbidden", answer.forbidden.astype(np.float32))
    yield from _by_key("mask", "masked", answer.masked)
    yield from _by_key("softmax", "weight", answer.pattern)
    yield from _by_key("softmax", "recorded", spec.recorded)
    yield from _by_key("softmax", "used", answer.used)
    weighted = np.float64(answer.used[key]) * answer.values[key]
    yield from _vector("values", "v", answer.values[key], key)
    yield from _vector("values", "weighted", weighted.astype(np.float32), key)
    yield from _vector("values", "head_output", answer.output)
    for name, vector in (("share", answer.share), ("bias", answer.bias), ("total", answer.total)):
        yield from _vector("output", name, vector)
    yield from _vector("output", "share_norm", answer.share_norms)


def _vector(
    stage: str, name: str, values: npt.NDArray[np.float32], key: int | str = ""
) -> Iterator[Sequence[object]]:
    for index, value in enumerate(values):
        yield stage, index, key, name, number(value)


def _by_key(stage: str, name: str, values: npt.NDArray[np.float32]) -> Iterator[Sequence[object]]:
    for key, value in enumerate(values):
        yield stage, "", key, name, number(value)
