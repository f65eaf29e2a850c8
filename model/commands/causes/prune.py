"""`prune`: heads switched off one after the other over a file of pairs, and what is left of the model."""

from __future__ import annotations

import argparse

from model.arguments import positive
from model.commands.console import DONE, emit, parser
from model.commands.decoding_options import add_computing_arguments, use_threads
from model.commands.pair_options import add_part, part_of
from model.commands.report_output import add_output_arguments, check_output, give_report, last_of, put_entry
from model.folder.bundled import resolve_model
from model.questions.causes.pruning import (
    BYS,
    CAVEAT,
    DEFAULT_LIMIT,
    DEFAULT_POINTS,
    DEFAULT_SEED,
    FORMULAS,
    MOST_POINTS,
    REPLACED,
    SOURCE,
    WITHS,
    PruneOf,
    report_of,
)
from model.trace.trace import AttentionKind


def build_parser() -> argparse.ArgumentParser:
    """The command's arguments."""
    result = parser(
        "prune",
        "Switch heads off one after the other, and tell the log probability per target token and the BLEU of "
        "what is left: the curves of Voita et al. 2019 and Michel et al. 2019.",
    )
    add = result.add_argument
    add("--pairs", metavar="FILE", help="pairs of sentences, as `evaluate --pairs` reads them")
    add_part(result)
    add("--by", choices=BYS, default="importance", help="in which order heads go (default importance)")
    add(
        "--with",
        dest="replaced",
        choices=WITHS,
        default="zero",
        help="what takes the place of a head's output (default zero)",
    )
    add(
        "--kinds",
        type=_kinds,
        default=tuple(AttentionKind),
        metavar="KIND,KIND",
        help=f"whose heads go: {', '.join(AttentionKind)} (default: all)",
    )
    add(
        "--limit",
        type=positive,
        default=DEFAULT_LIMIT,
        metavar="N",
        help=f"only the first N sources (default {DEFAULT_LIMIT})",
    )
    add(
        "--points",
        type=positive,
        default=DEFAULT_POINTS,
        metavar="N",
        help=f"points of the curve beside that of the whole model (default {DEFAULT_POINTS})",
    )
    add(
        "--seed",
        type=int,
        default=DEFAULT_SEED,
        metavar="N",
        help=f"of a random order and of what is drawn in a head's place (default {DEFAULT_SEED})",
    )
    add("--list", action="store_true", help="name every value of --by and --with with its formula")
    add_output_arguments(result)
    add_computing_arguments(result)
    return result


def run(argv: list[str]) -> int:
    """See `headscope prune --help`."""
    arguments = build_parser()
    given = arguments.parse_args(argv)
    if given.list:
        _list(given)
        return DONE
    if given.pairs is None:
        arguments.error("give --pairs FILE, or --list")
    if given.points > MOST_POINTS:
        arguments.error(f"--points: at most {MOST_POINTS}")
    if not 0 <= given.seed < 2**63:
        arguments.error("--seed: a whole number from 0 on")
    part = part_of(given, arguments)
    check_output(given, arguments)
    resolve_model(given.model)  # before torch is imported, which takes a second
    use_threads(given.threads)
    from model.inspection.answering import answer
    from model.translator.load_model import load_model

    model = load_model(given.model)
    question = PruneOf(
        given.pairs,
        by=given.by,
        replaced=given.replaced,
        kinds=given.kinds,
        part=part,
        limit=given.limit,
        points=given.points,
        seed=given.seed,
        model_sha256=model.sha256,
    )
    give_report(report_of(last_of(answer(model, question, None))), given)
    return DONE


def _kinds(text: str) -> tuple[AttentionKind, ...]:
    """In the usual order, each once."""
    names = [name.strip().replace("-", "_") for name in text.split(",")]
    for name in names:
        if name not in list(AttentionKind):
            known = ", ".join(AttentionKind)
            raise argparse.ArgumentTypeError(f"{name!r} is no kind of attention; it is one of {known}")
    return tuple(kind for kind in AttentionKind if kind in names)


def _list(given: argparse.Namespace) -> None:
    rows: list[tuple[str, str, str]] = [("by", name, text) for name, text in FORMULAS.items()]
    rows += [("with", name, text) for name, text in REPLACED.items()]
    for flag, name, text in rows:
        if given.json:
            emit({"flag": flag, "name": name, "formula": text, "caveat": CAVEAT, "source": SOURCE})
        else:
            put_entry(f"--{flag} {name}", text)
    if not given.json:
        put_entry("", CAVEAT, f"Source: {SOURCE}")
