"""Pairs that `align` reads: from files, a sentence or a trace, with gold links and cross-attention."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

from model.alignment.links import Gold
from model.commands.pair_options import add_pair_files
from model.data.pairs.pair_files import PairReader
from model.errors import HeadscopeError
from model.files.files import shown

if TYPE_CHECKING:
    from model.trace.trace import Trace

_LEFT_OUT = ("empty_text", "too_long")


@dataclass(frozen=True, eq=False)
class Numbered:
    """A sentence pair.

    Attributes:
        line: its line among the pairs, from 1.
        trace: its reading; None where the model cannot read it, as `problem` says.
        gold: its links; without --gold none, but the words that --tokenized gives.
        gold_line: its line in the file of gold links.
        model: name of the model that read it.
        alone: there is but this one.
    """

    line: int
    trace: Trace | None
    gold: Gold
    gold_line: int
    model: str = ""
    problem: str = ""
    alone: bool = False


def add_pair_arguments(to: argparse.ArgumentParser) -> None:
    """Arguments about files of pairs."""
    add_pair_files(to, to)
    to.add_argument(
        "--encoding", default="auto", metavar="NAME", help="encoding of these files (default: detected)"
    )
    to.add_argument(
        "--tokenized",
        nargs="+",
        metavar="FILE",
        help="the same pairs with spaces between the words that the links count (one tab-separated file or "
        "two), where that is not how the pairs are written",
    )


def numbered_pairs(given: argparse.Namespace) -> Iterator[Numbered]:
    """The pairs that the arguments name, read one after the other.

    Raises:
        HeadscopeError: a file or the model cannot be read, or they do not belong together.
    """
    if given.text is not None or given.trace is not None:
        yield _single(given)
        return
    paths = given.parallel or [given.pairs]
    pairs = _lines_of(paths, given, given.limit)
    texts = _lines_of(given.tokenized, given, None) if given.tokenized else {}
    golds = _golds(given, max(pairs))
    from model.inspection.forced_cross import forced_cross
    from model.translator.load_model import load_own

    bundle = load_own(given.model)
    for line, (source, target) in pairs.items():
        gold = golds[line - 1] if golds else Gold()
        if given.tokenized:
            gold = _with_words(gold, texts.get(line), line, given.tokenized[0])
        name = bundle.config.name
        try:
            yield Numbered(line, forced_cross(bundle, source, target), gold, line, name)
        except HeadscopeError as error:
            if error.code not in _LEFT_OUT:
                raise
            yield Numbered(line, None, gold, line, name, str(error))


def _lines_of(
    paths: Sequence[str], given: argparse.Namespace, limit: int | None
) -> dict[int, tuple[str, str]]:
    """The pairs by line; those of a .csv, or below a line of names, by their count."""
    with PairReader(paths, tuple(given.columns), given.encoding) as reader:
        rows = islice(reader.rows(), limit)
        found = [(line, (source, target)) for line, source, target in rows]
        counted = reader.layout == "csv" or bool(reader.header)
    if counted:
        found = [(count, pair) for count, (_, pair) in enumerate(found, 1)]
    return dict(found)


def _golds(given: argparse.Namespace, last: int) -> list[Gold]:
    """A line of gold links for every line of pairs; blank lines at the end of either file do not count."""
    if not given.gold:
        return []
    from model.alignment.pharaoh import read_pharaoh

    golds = read_pharaoh(given.gold, one_based=given.one_based)
    filled = max((line for line, gold in enumerate(golds, 1) if gold.allowed), default=0)
    if len(golds) < last or (given.limit is None and filled > last):
        raise HeadscopeError("pharaoh_lines", path=shown(given.gold), count=len(golds), pairs=last)
    return golds


def _single(given: argparse.Namespace) -> Numbered:
    trace = _trace_of(given)
    gold, line = Gold(), given.line or 1
    if given.gold:
        gold = _line_of_gold(given, line)
    if given.tokenized:
        texts = _lines_of(given.tokenized, given, None)
        only = next(iter(texts)) if len(texts) == 1 else line
        gold = _with_words(gold, texts.get(only), line, given.tokenized[0])
    return Numbered(1, trace, gold, line, trace.model_name, alone=True)


def _line_of_gold(given: argparse.Namespace, line: int) -> Gold:
    from model.alignment.pharaoh import parse_line, read_lines

    lines = read_lines(given.gold)
    if given.line is None and len(lines) > 1:
        raise HeadscopeError("pharaoh_which_line", path=shown(given.gold), count=len(lines))
    if line > len(lines):
        raise HeadscopeError("pharaoh_no_line", path=shown(given.gold), line=line, count=len(lines))
    return parse_line(lines[line - 1], one_based=given.one_based, line=line)


def _with_words(gold: Gold, texts: tuple[str, str] | None, line: int, path: str) -> Gold:
    if texts is None:
        raise HeadscopeError("align_no_words", line=line, path=shown(path))
    return replace(gold, source=texts[0], target=texts[1])


def _trace_of(given: argparse.Namespace) -> Trace:
    """The trace in a file, or that of TEXT with the translation given or the model's own."""
    if given.trace is not None:
        from model.trace.trace_file import open_trace

        return open_trace(given.trace)
    from model.decoding.decode_config import DecodeConfig
    from model.translator.translator import Translator

    forced = {} if given.target is None else {"mode": "forced", "target": given.target}
    *_, last = Translator.load(given.model).decode(given.text, DecodeConfig(**forced))
    return last.trace
