"""`circuits`: what a head does in general: what it promotes for a word that it reads, what it looks for."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from model.arguments import positive
from model.commands.console import DONE, emit, one_line, parser, put, say
from model.commands.decoding_options import add_computing_arguments, use_threads
from model.commands.report_output import add_output_arguments, check_output, give_report
from model.folder.bundled import resolve_model
from model.heads.general_scores import GeneralScores
from model.heads.head_metrics import GENERAL, GENERAL_FACTS
from model.questions.causes.circuits import (
    DEFAULT_MOST,
    FORMULAS,
    GENERAL_CAVEAT,
    GENERAL_LABEL,
    LABEL,
    MOST,
    SOURCE,
    Circuit,
    CircuitOf,
    circuit_report,
    general_report,
)
from model.questions.causes.method import ARGUMENTS
from model.questions.head_questions import GeneralHeads

if TYPE_CHECKING:
    from model.bundle.bundle import Bundle
    from model.foreign.foreign_model import ForeignModel
    from model.questions.causes.report import Report

_PLACE = ("kind", "layer", "head")


def build_parser() -> argparse.ArgumentParser:
    """The command's arguments."""
    result = parser(
        "circuits",
        "Tell what a head does in general, of the model's own matrices: which words it promotes for having "
        "read a word (OV), and which words attract which (QK). Without a head: how much every head copies, "
        "and its previous-token, duplicate-token and induction scores on random tokens.",
    )
    add = result.add_argument
    for name in _PLACE:
        argument = ARGUMENTS[name]
        add(f"--{name}", type=argument.taken, metavar=argument.metavar, help=argument.about)
    add("--word", metavar="WORD", help="word that the head reads (default: pairs of frequent words)")
    add(
        "--query-word",
        metavar="WORD",
        help="word that asks, of the target in cross-attention (default in self-attention: --word)",
    )
    add("--top", type=_most, default=DEFAULT_MOST, metavar="N", help=f"lines a list (default {DEFAULT_MOST})")
    add("--plain", action="store_true", help="leave out norms altogether, their gains and centring too")
    add("--list", action="store_true", help="name every number with its formula and source")
    add_output_arguments(result)
    add_computing_arguments(result)
    return result


def run(argv: list[str]) -> int:
    """See `headscope circuits --help`."""
    arguments = build_parser()
    given = arguments.parse_args(argv)
    if given.list:
        _list(given)
        return DONE
    _check(given, arguments)
    resolve_model(given.model)  # before torch is imported, which takes a second
    use_threads(given.threads)
    from model.translator.load_model import load_model

    model = load_model(given.model)
    report = _of_all(model) if given.head is None else _of_head(model, given)
    facts = {"model": model.name, "model_sha256": model.sha256}
    give_report(report.under(facts, (LABEL if given.head is not None else GENERAL_LABEL,)), given)
    return DONE


def _check(given: argparse.Namespace, arguments: argparse.ArgumentParser) -> None:
    """Usage that the parser cannot know of; ends with status 2."""
    named = [name for name in _PLACE if getattr(given, name) is not None]
    if 0 < len(named) < len(_PLACE):
        missing = ", ".join(f"--{name}" for name in _PLACE if name not in named)
        arguments.error(f"a head needs {missing} too")
    for name in ("word", "query_word", "plain"):
        if getattr(given, name) and not named:
            arguments.error(f"--{name.replace('_', '-')} needs a head: --kind, --layer and --head")
    check_output(given, arguments)


def _of_all(model: Bundle | ForeignModel) -> Report:
    from model.inspection.answering import answer

    *_, found = answer(model, GeneralHeads(model_sha256=model.sha256))
    assert isinstance(found, GeneralScores)
    return general_report(found)


def _of_head(model: Bundle | ForeignModel, given: argparse.Namespace) -> Report:
    from model.inspection.answering import answer

    question = CircuitOf(
        given.kind,
        given.layer,
        given.head,
        given.word,
        given.query_word,
        given.top,
        not given.plain,
        model.sha256,
    )
    *_, found = answer(model, question)
    assert isinstance(found, Circuit)
    if found.pieces > 1:
        said = f"{given.word} is written in {found.pieces} pieces; {found.word_token} stands for it"
        say(one_line(said))
    return circuit_report(found)


def _most(text: str) -> int:
    number = positive(text)
    if number > MOST:
        raise argparse.ArgumentTypeError(f"{text} is more than {MOST}")
    return number


def _list(given: argparse.Namespace) -> None:
    rows = [(name, formula, SOURCE) for name, formula in FORMULAS.items() if name != "copying"]
    rows += [(str(metric), GENERAL_FACTS[metric].formula, GENERAL_FACTS[metric].source) for metric in GENERAL]
    for name, formula, source in rows:
        if given.json:
            emit({"name": name, "formula": formula, "source": source})
        else:
            put(f"{name:<18} {formula}. Source: {source}")
    if not given.json:
        put(GENERAL_CAVEAT)
