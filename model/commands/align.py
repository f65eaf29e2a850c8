"""`align`: how well each cross-attention head aligns words with gold links, and links from any head."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from model.arguments import positive
from model.commands.align_pairs import Numbered, add_pair_arguments, numbered_pairs
from model.commands.align_report import AlignReport, report
from model.commands.console import DONE, Progress, parser, say
from model.commands.decoding_options import add_computing_arguments, use_threads
from model.commands.standard_input import one_text
from model.errors import HeadscopeError
from model.files.suffixes import check_suffix

if TYPE_CHECKING:
    from model.alignment.corpus import Tally
    from model.alignment.heads import LayerHead
    from model.alignment.links import Gold
    from model.trace.trace import Trace

_MEAN = "mean"


def build_parser() -> argparse.ArgumentParser:
    """The command's arguments."""
    result = parser(
        "align",
        "Compare the links that cross-attention makes between words with gold links: the alignment error "
        "rate (AER) of every head, each layer's mean and the mean over all, best first. Or write the links "
        "of one of them.",
    )
    add = result.add_argument
    add(
        "text",
        nargs="?",
        metavar="TEXT",
        help="one sentence instead of --pairs or --trace; - for a line of standard input",
    )
    add("--target", metavar="TEXT", help="its translation (default: the model's own)")
    add("--trace", metavar="FILE", help="a trace file")
    add_pair_arguments(result)
    add("--gold", metavar="FILE", help="gold links in Pharaoh format: i-j, or ipj and i?j for possible ones")
    add("--line", type=positive, metavar="N", help="the line of --gold that belongs to TEXT or --trace")
    add(
        "--one-based",
        action="store_true",
        help="words count from 1, in --gold and in --out (default: from 0)",
    )
    add(
        "--rule",
        choices=["predicts", "reads"],
        help="which row stands for a target word: the one that predicts it or the one that reads it "
        "(default: both are reported)",
    )
    add("--layer", metavar="N", help="decoder layer, from 1, or mean over all of them (with --head mean)")
    add("--head", metavar="N", help="head, from 1, or mean over the layer's heads")
    add("--out", metavar="FILE.pharaoh", help="write the links of --layer and --head under --rule")
    add("--limit", type=positive, metavar="N", help="only the first N pairs")
    add_computing_arguments(result)
    forms = result.add_mutually_exclusive_group()
    forms.add_argument("--json", action="store_true", help="one JSON object on stdout")
    forms.add_argument("--csv", action="store_true", help="the table as CSV on stdout")
    return result


def run(argv: list[str]) -> int:
    """See `headscope align --help`."""
    arguments = build_parser()
    given = arguments.parse_args(argv)
    place = _place(given, arguments)
    _check(given, arguments)
    if given.out:
        check_suffix(given.out, ("pharaoh", "txt"))
    if given.text is not None:
        given.text = one_text(given.text)
    use_threads(given.threads)
    from model.alignment.corpus import Tally
    from model.alignment.hard import RULES
    from model.alignment.pharaoh import write_pharaoh

    tally = Tally(RULES if given.rule is None else (given.rule,), place)
    found = AlignReport(gold=given.gold, one_based=given.one_based, out=given.out)
    lines = _read(given, place, tally, found)
    if not found.pairs:
        raise HeadscopeError("align_nothing", path=_name_of(given))
    if given.out:
        write_pharaoh(given.out, lines, one_based=given.one_based)
    found.rows, found.diagonal = tally.rows(), tally.diagonal
    report(found, as_json=given.json, as_csv=given.csv)
    return DONE


def _read(given: argparse.Namespace, place: LayerHead | None, tally: Tally, found: AlignReport) -> list[Gold]:
    """Count every pair; returns the lines of --out, blank ones for pairs that cannot be read."""
    from model.alignment.links import Gold

    lines: list[Gold] = []
    progress = Progress()
    for pair in numbered_pairs(given):
        found.model = pair.model
        lines += [Gold()] * (pair.line - len(lines))
        if pair.trace is None:
            found.skipped += 1
            say(f"line {pair.line} is left out: {pair.problem}")
            continue
        found.pairs += 1
        found.trace = pair.trace if pair.alone else None
        try:
            lines[-1] = _links(given, place, tally, pair, pair.trace)
        except HeadscopeError as error:
            raise _located(error, pair) from None
        progress.tell(f"read {found.pairs} pairs")
    return lines


def _links(
    given: argparse.Namespace, place: LayerHead | None, tally: Tally, pair: Numbered, trace: Trace
) -> Gold:
    """Count one pair; returns the links to write, none without --out."""
    from model.alignment.hard import WordMap
    from model.alignment.heads import links_at
    from model.alignment.links import Gold

    words = WordMap.of(trace, pair.gold)
    if given.gold:
        sizes = len(words.source), len(words.target)
        tally.add(trace, pair.gold.check(*sizes, one_based=given.one_based, line=pair.gold_line), words)
    if not given.out or place is None:
        return Gold()
    return Gold(tuple(links_at(trace, place, given.rule, words)))


def _located(error: HeadscopeError, pair: Numbered) -> HeadscopeError:
    """The error with the line of the pair, where it says none and there are several."""
    if "line" in error.values or pair.alone or not error.code.startswith("align_"):
        return error
    return HeadscopeError("align_line", line=pair.line, problem=str(error))


def _name_of(given: argparse.Namespace) -> str:
    return str(given.pairs or (given.parallel or [given.trace or given.text])[0])


def _place(given: argparse.Namespace, arguments: argparse.ArgumentParser) -> LayerHead | None:
    """The head or mean asked for, from 0; None for all."""
    if given.head is None:
        if given.layer is not None:
            arguments.error("--layer needs --head")
        return None
    head = None if given.head == _MEAN else _number("--head", given.head, arguments)
    if given.layer is None or given.layer == _MEAN:
        if head is not None:
            arguments.error("--head needs the --layer that it is in")
        return None, None
    return _number("--layer", given.layer, arguments), head


def _number(flag: str, text: str, arguments: argparse.ArgumentParser) -> int:
    try:
        return positive(text) - 1
    except argparse.ArgumentTypeError:
        arguments.error(f"{flag}: {text!r} is neither a whole number from 1 up nor mean")


def _check(given: argparse.Namespace, arguments: argparse.ArgumentParser) -> None:
    """Usage that the parser cannot know of; ends with status 2."""
    sources = [given.text, given.trace, given.pairs, given.parallel]
    if sum(source is not None for source in sources) != 1:
        arguments.error("give one of TEXT, --trace, --pairs and --parallel")
    if given.target is not None and given.text is None:
        arguments.error("--target needs the TEXT that it translates")
    if not given.gold and not given.out:
        arguments.error("give --gold to compare with, or --out to write links to")
    if given.out and (given.head is None or given.rule is None):
        arguments.error("--out needs --head (and --layer) and --rule: whose links, and by which row")
    if given.line and (not given.gold or (given.text is None and given.trace is None)):
        arguments.error("--line is for --gold with TEXT or --trace")
    if given.csv and not given.gold:
        arguments.error("--csv needs --gold")
