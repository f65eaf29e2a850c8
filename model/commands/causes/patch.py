"""`patch`: what one text's computation does inside another's (activation patching, path patching)."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, get_args

from model.alterations.effects import What
from model.arguments import positive
from model.commands.causes.why import first_piece
from model.commands.console import DONE, emit, parser
from model.commands.decoding_options import add_computing_arguments, use_threads
from model.commands.report_output import add_output_arguments, check_output, give_report, last_of, put_entry
from model.commands.standard_input import one_text
from model.decoding.decode_config import DecodeConfig
from model.folder.bundled import resolve_model
from model.questions.causes.patch_report import pair_facts, patch_report
from model.questions.causes.patching import (
    CAVEAT,
    FORMULA,
    PATH_CARRIED,
    PATH_CAVEAT,
    PATH_SOURCE,
    SOURCE,
    By,
    Measured,
    PatchOf,
    PathOf,
    matched,
    what_carried,
)
from model.questions.causes.places import head_place, receiver
from model.questions.questions import Reading

if TYPE_CHECKING:
    from model.trace.trace import Trace
    from model.translator.translator import Translator


def build_parser() -> argparse.ArgumentParser:
    """The command's arguments."""
    result = parser(
        "patch",
        "Carry what the model computes for one text (A) into its computation for another (B), a head or a "
        "position at a time, and tell how far each alone moves B's word towards A's: 0 as in B, 1 as in A.",
    )
    add = result.add_argument
    add("--from", dest="first", metavar="TEXT", help="A: the text that numbers are carried from")
    add("--to", dest="second", metavar="TEXT", help="B: the text that they are carried into")
    add("--from-target", metavar="TEXT", help="force this translation of A instead of decoding freely")
    add("--to-target", metavar="TEXT", help="the same of B")
    add("--what", choices=get_args(What), help="what is carried (default heads); see --list")
    add(
        "--by",
        choices=get_args(By),
        help="cells are heads (default) or positions; the residual stream has positions alone",
    )
    add(
        "--path",
        metavar="KIND:L:H",
        help="carry this head's output along direct paths only, to every receiver",
    )
    add(
        "--into",
        action="append",
        default=[],
        metavar="KIND:L:H:q",
        help="with --path: only into this head's queries (q), keys (k) or values (v), or final; several are "
        "reached together",
    )
    add("--step", type=positive, metavar="N", help="step of B (default: the first whose words differ)")
    add("--word", metavar="A", help="the word that is measured (default: what A writes there)")
    add("--rival", metavar="B", help="the word that it is set against (default: what B writes there)")
    add("--list", action="store_true", help="name what can be carried")
    add_output_arguments(result)
    add_computing_arguments(result)
    return result


def run(argv: list[str]) -> int:
    """See `headscope patch --help`."""
    arguments = build_parser()
    given = arguments.parse_args(argv)
    if given.list:
        _list(given)
        return DONE
    _check(given, arguments)
    first, second = one_text(given.first), one_text(given.second)
    sender = None if given.path is None else head_place(given.path)
    into = tuple(map(receiver, given.into))
    resolve_model(given.model)  # before torch is imported, which takes a second
    use_threads(given.threads)
    from model.inspection.answering import answer
    from model.translator.translator import Translator

    translator = Translator.load(given.model)
    a, b = (
        _read(translator, text, target)
        for text, target in ((first, given.from_target), (second, given.to_target))
    )
    measured = _measured(given, a, b, translator)
    question: PatchOf | PathOf = PatchOf(measured, given.what or "heads", given.by or "head")
    if sender is not None:
        question = PathOf(measured, sender, into)
    found = last_of(answer(translator.model, question, Reading.of(b)))
    give_report(patch_report(found).under(pair_facts(a, b)), given)
    return DONE


def _list(given: argparse.Namespace) -> None:
    rows = [(f"--what {what}", what_carried(what), CAVEAT, SOURCE) for what in get_args(What)]
    rows.append(("--path KIND:L:H", PATH_CARRIED, PATH_CAVEAT, PATH_SOURCE))
    for flag, carried, caveat, source in rows:
        if given.json:
            row = {"flag": flag, "carried": carried, "formula": FORMULA, "caveat": caveat, "source": source}
            emit(row)
        else:
            put_entry(flag, f"{carried}: {FORMULA}", caveat, f"Source: {source}")


def _check(given: argparse.Namespace, arguments: argparse.ArgumentParser) -> None:
    """Usage that the parser cannot know of; ends with status 2."""
    if given.first is None or given.second is None:
        arguments.error("give --from TEXT and --to TEXT, or --list")
    if given.into and given.path is None:
        arguments.error("--into needs --path")
    if given.path is not None and (given.what is not None or given.by is not None):
        arguments.error("--path carries a head's output; leave --what and --by out")
    if given.what == "residual" and given.by == "head":
        arguments.error("the residual stream has no heads; leave --by out")
    check_output(given, arguments)


def _read(translator: Translator, text: str, target: str | None) -> Trace:
    config = DecodeConfig() if target is None else DecodeConfig(mode="forced", target=target)
    *_, last = translator.decode(text, config)
    return last.trace


def _measured(given: argparse.Namespace, a: Trace, b: Trace, translator: Translator) -> Measured:
    first = Reading.of(a)
    step = None if given.step is None else given.step - 1
    begins = (matched(first, Reading.of(b)).differs if step is None else step) == 0
    word, rival = (
        None if text is None else first_piece(text, translator, first=begins)
        for text in (given.word, given.rival)
    )
    return Measured(first, step, word, rival)
