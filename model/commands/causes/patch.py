"""`patch`: what one text's computation does inside another's (activation patching, path patching)."""

from __future__ import annotations

import argparse
import re
from typing import TYPE_CHECKING, Any, get_args

from model.alterations.effects import What
from model.arguments import positive
from model.commands.causes.why import first_piece
from model.commands.console import DONE, emit, parser
from model.commands.decoding_options import add_computing_arguments, use_threads
from model.commands.report_output import add_output_arguments, check_output, give_report, last_of, put_entry
from model.commands.standard_input import one_text
from model.decoding.decode_config import DecodeConfig
from model.errors import HeadscopeError
from model.folder.bundled import resolve_model
from model.questions.causes.patch_report import patch_report
from model.questions.causes.patching import (
    CAVEAT,
    FORMULA,
    PATH_CARRIED,
    PATH_CAVEAT,
    PATH_SOURCE,
    SOURCE,
    By,
    HeadPlace,
    Measured,
    PatchOf,
    PathOf,
    Receiver,
    what_carried,
)
from model.questions.questions import Reading
from model.trace.trace import AttentionKind

if TYPE_CHECKING:
    from model.trace.trace import Trace
    from model.translator.translator import Translator

_HEAD = re.compile(
    r"(?P<kind>encoder[-_]self|decoder[-_]self|cross):(?P<layer>[1-9][0-9]{0,8}):(?P<head>[1-9][0-9]{0,8})"
    r"(:(?P<part>[qkv]))?"
)


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
    measured = _measured(given, Reading.of(a), translator)
    question: PatchOf | PathOf = PatchOf(measured, given.what or "heads", given.by or "head")
    if sender is not None:
        question = PathOf(measured, sender, into)
    found = last_of(answer(translator.model, question, Reading.of(b)))
    give_report(patch_report(found).under(_facts(a, b)), given)
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


def head_place(text: str) -> HeadPlace:
    """`cross:2:3`, counted from 1.

    Raises:
        HeadscopeError: `patch_sender_syntax`.
    """
    found = _HEAD.fullmatch(text.strip().lower())
    if found is None or found["part"]:
        raise HeadscopeError("patch_sender_syntax", text=repr(text))
    return _place(found)


def receiver(text: str) -> Receiver:
    """`cross:2:3:q`, counted from 1, or `final`.

    Raises:
        HeadscopeError: `patch_receiver_syntax`.
    """
    plain = text.strip().lower()
    if plain == "final":
        return Receiver("final")
    found = _HEAD.fullmatch(plain)
    if found is None or not found["part"]:
        raise HeadscopeError("patch_receiver_syntax", text=repr(text))
    return Receiver(found["part"], _place(found))  # type: ignore[arg-type]


def _place(found: re.Match[str]) -> HeadPlace:
    kind = AttentionKind(found["kind"].replace("-", "_"))
    return HeadPlace(kind, int(found["layer"]) - 1, int(found["head"]) - 1)


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


def _measured(given: argparse.Namespace, a: Reading, translator: Translator) -> Measured:
    step = None if given.step is None else given.step - 1
    word, rival = (
        None if text is None else first_piece(text, translator, first=step == 0)
        for text in (given.word, given.rival)
    )
    return Measured(a, step, word, rival)


def _facts(a: Trace, b: Trace) -> dict[str, Any]:
    """What every report says first."""
    return {
        "model": b.model_name,
        "model_sha256": b.model_sha256,
        "a_text": a.src_text,
        "a_translation": a.tgt_text,
        "b_text": b.src_text,
        "b_translation": b.tgt_text,
    }
