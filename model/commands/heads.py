"""`heads`: what every attention head does, as numbers, over one sentence or over a file of them."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from model.alignment.hard import RULES
from model.arguments import positive
from model.commands.console import DONE, emit, parser, put, say
from model.commands.decoding_options import add_computing_arguments, use_threads
from model.commands.report_output import last_of
from model.commands.standard_input import one_text
from model.errors import HeadscopeError
from model.files.suffixes import check_suffix, suffix_of
from model.folder.bundled import resolve_model
from model.heads.head_metrics import GENERAL
from model.heads.head_report import HeadsReport, write_report
from model.heads.head_roles import LEAST_SENTENCES
from model.heads.likeness import FORMULA, PRESETS, Drawing, Likeness, likeness, read_drawing
from model.questions.head_questions import DEFAULT_LIMIT, DEFAULT_SEED
from model.trace.trace import AttentionKind
from model.trace.trace_damage import damage_note

if TYPE_CHECKING:
    from model.alignment.hard import Rule
    from model.trace.exploration import Importance
    from model.trace.trace import Trace

_EXAMPLE = "example.trace"
_COLUMNS = ("entropy", "maximum", "distance", "diagonality", "previous", "next", "same", "end", "punctuation")


def build_parser() -> argparse.ArgumentParser:
    """The command's arguments."""
    result = parser(
        "heads",
        "Tell what every attention head does, as numbers: entropy, largest weight, distance, diagonality, "
        "weight on the previous, next and same token, on end, start and punctuation tokens. Without TEXT, "
        "--trace and --pairs: of the example that is recorded in the model. Roles, such as previous token, "
        "are named only with --pairs, beside the same scores of a model with random weights.",
    )
    add = result.add_argument
    what = result.add_mutually_exclusive_group()
    what.add_argument(
        "text",
        nargs="?",
        metavar="TEXT",
        help="a sentence, translated greedily; - for a line of standard input",
    )
    what.add_argument("--trace", metavar="FILE", help="a trace file")
    what.add_argument(
        "--pairs",
        metavar="FILE",
        help="tab-separated pairs or a .csv (plain or .gz .bz2 .xz .zip); targets are read as they stand. Or "
        "one sentence per line, translated greedily",
    )
    add("--limit", type=positive, metavar="N", help=f"only the first N pairs (default {DEFAULT_LIMIT})")
    add("--seed", type=_seed, metavar="N", help=f"seed of the random weights (default {DEFAULT_SEED})")
    add(
        "--gold",
        metavar="FILE",
        help="word alignments in Pharaoh format, one line per pair (for TEXT or --trace the first line): "
        "adds the AER of every cross-attention head",
    )
    add("--one-based", action="store_true", help="the words of --gold count from 1 (default: from 0)")
    add(
        "--rule",
        choices=RULES,
        help="which row stands for a target word: the one that predicts it (default) or the one that "
        "reads it",
    )
    add("--importance", action="store_true", help="with TEXT: also switch off every head once")
    add(
        "--general",
        action="store_true",
        help="also what --model's heads do whatever the sentence: copying, and previous-token, "
        "duplicate-token and induction scores on random tokens (a second or so; see circuits)",
    )
    add(
        "--like",
        metavar="PATTERN",
        help=f"of a sentence: how like a pattern each head's is, most like first: {', '.join(PRESETS)}, or a "
        "CSV file with a row per query and a number per key",
    )
    form = result.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="one JSON object")
    form.add_argument("--csv", action="store_true", help="one line per head")
    add("--out", metavar="FILE", help="write to a .json or .csv file instead of stdout")
    add_computing_arguments(result)
    return result


def run(argv: list[str]) -> int:
    """See `headscope heads --help`."""
    arguments = build_parser()
    given = arguments.parse_args(argv)
    _check(given, arguments)
    as_csv = given.csv or (not given.json and suffix_of(given.out or "") == "csv")
    if given.out:
        check_suffix(given.out, ("csv" if as_csv else "json", "txt"))
    if given.text is not None:
        given.text = one_text(given.text)
    report = _of_corpus(given) if given.pairs else _of_sentence(given)
    report = _with_more(report, given)
    if given.out:
        write_report(report, given.out, as_csv=as_csv)
        say(f"{given.out}: {sum(rows.size for rows in report.scores.rows.values())} heads")
    elif given.json:
        emit(report.to_json())
    elif given.csv:
        put(report.to_csv().rstrip("\r\n"))
    else:
        for line in _table(report):
            put(line)
    damaged = "" if report.trace is None else damage_note(report.trace)
    if damaged:
        say(f"headscope: note: {damaged}; their numbers are worked out from these rows")
    return DONE


def _check(given: argparse.Namespace, arguments: argparse.ArgumentParser) -> None:
    """Usage that the parser cannot know of; ends with status 2."""
    for flag in ("limit", "seed"):
        if getattr(given, flag) is not None and not given.pairs:
            arguments.error(f"--{flag} needs --pairs")
    for flag in ("one_based", "rule"):
        if getattr(given, flag) and not given.gold:
            arguments.error(f"--{flag.replace('_', '-')} needs --gold")
    if given.importance and given.text is None:
        arguments.error("--importance needs TEXT")
    if given.like and given.pairs:
        arguments.error("--like is of a sentence, not of --pairs")
    if given.out and not (given.json or given.csv or suffix_of(given.out) in ("json", "csv")):
        arguments.error("--out needs --json or --csv, or a name that ends in .json or .csv")


def _of_corpus(given: argparse.Namespace) -> HeadsReport:
    resolve_model(given.model)  # before torch is imported, which takes a second
    use_threads(given.threads)
    from model.inspection.answering import answer
    from model.questions.head_questions import CorpusHeads
    from model.translator.load_model import load_model

    model = load_model(given.model)
    question = CorpusHeads(
        given.pairs,
        limit=given.limit or DEFAULT_LIMIT,
        seed=DEFAULT_SEED if given.seed is None else given.seed,
        model_sha256=model.sha256,
        gold=given.gold or "",
        rule=_rule(given),
        one_based=given.one_based,
    )
    return HeadsReport.of_corpus(last_of(answer(model, question, None)))


def _of_sentence(given: argparse.Namespace) -> HeadsReport:
    from model.heads.added_scores import added_metrics
    from model.heads.head_scores import HeadScores, score_trace

    trace, importance = (_recorded(given), None) if given.text is None else _decoded(given)
    events = score_trace(trace, added_metrics())
    scores = next(event for event in events if isinstance(event, HeadScores))
    if not given.gold:
        return HeadsReport(scores, trace, importance=importance)
    from model.alignment.pharaoh import read_pharaoh
    from model.heads.head_alignment import aer_of_trace, diagonal_aer

    lines = read_pharaoh(given.gold, one_based=given.one_based)
    if not lines:
        raise HeadscopeError("heads_gold_lines", path=given.gold, count=0, line=1)
    aer = aer_of_trace(trace, lines[0], _rule(given), one_based=given.one_based)
    diagonal = diagonal_aer(trace, lines[0]).rate
    return HeadsReport(scores, trace, None, importance, aer, given.gold, _rule(given), diagonal)


def _with_more(report: HeadsReport, given: argparse.Namespace) -> HeadsReport:
    """What heads do in general, and how like a pattern they are, where that is asked for."""
    if given.like and report.trace is not None:
        drawing = Drawing(given.like) if given.like in PRESETS else read_drawing(given.like)
        found = [each for each in likeness(report.trace, drawing) if isinstance(each, Likeness)]
        report = replace(report, likeness=found[0])
    if not given.general:
        return report
    resolve_model(given.model)
    use_threads(given.threads)
    from model.heads.general_scores import GeneralScores
    from model.inspection.answering import answer
    from model.questions.head_questions import GeneralHeads
    from model.translator.load_model import load_model

    model = load_model(given.model)
    *_, general = answer(model, GeneralHeads(model_sha256=model.sha256))
    assert isinstance(general, GeneralScores)
    if report.trace is not None and not report.trace.may_be_of(model.name, model.sha256):
        raise HeadscopeError("heads_other_model", trace=report.trace.model_name, name=model.name)
    return replace(report, general=general)


def _seed(text: str) -> int:
    """What torch takes: 64 bits."""
    try:
        number = int(text)
    except ValueError:
        number = 2**64
    if not -(2**63) <= number < 2**64:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at most 64 bits")
    return number


def _rule(given: argparse.Namespace) -> Rule:
    rule: Rule = given.rule or "predicts"
    return rule


def _recorded(given: argparse.Namespace) -> Trace:
    """The trace file, or the model's example; needs no torch."""
    from model.trace.trace_file import open_trace

    if given.trace:
        return open_trace(given.trace)
    folder = resolve_model(given.model)
    if not (folder / _EXAMPLE).is_file():
        raise HeadscopeError("heads_no_example", name=given.model)
    return open_trace(folder / _EXAMPLE)


def _decoded(given: argparse.Namespace) -> tuple[Trace, Importance | None]:
    """The sentence's greedy decoding, and what its heads are worth if that is asked for."""
    resolve_model(given.model)
    use_threads(given.threads)
    from model.inspection.importance import measure_heads
    from model.trace.exploration import Importance
    from model.translator.translator import Translator

    translator = Translator.load(given.model)
    *_, last = translator.decode(given.text)
    if not given.importance:
        return last.trace, None
    ids = list(map(int, last.trace.tgt_out_ids))
    measured = measure_heads(translator.bundle, given.text, ids)
    return last.trace, next(event for event in measured if isinstance(event, Importance))


def _table(report: HeadsReport) -> list[str]:
    """Lines for people, who count layers and heads from 1."""
    facts, lines = report.to_json(), []
    added = [one.extension.name for one in report.scores.added]
    extra = ("importance", "aer", *map(str, GENERAL), "likeness")
    names = [*_COLUMNS, *added, *(name for name in extra if name in facts["heads"][0])]
    widths = {name: min(17, max(11, len(name))) for name in names}
    heading = (f"{name[: widths[name]]:>{widths[name]}}" for name in names)
    lines.append("  ".join(["layer", " head", *heading, "role"]))
    for kind in AttentionKind:
        heads = [head for head in facts["heads"] if head["kind"] == kind]
        if report.likeness is not None:
            heads.sort(key=lambda head: -(head["likeness"] or 0.0))
        lines += [str(kind)] if heads else []
        for head in heads:
            values = [
                ("-" if head[name] is None else f"{head[name]:.3f}").rjust(widths[name]) for name in names
            ]
            roles = [
                f"{role['name']} {role['score']:.2f} (random {role['random']:.2f})"
                for role in head.get("roles", ())
            ]
            place = f"{head['layer'] + 1:>5}  {head['head'] + 1:>5}"
            lines.append("  ".join([place, *values, ", ".join(roles)]).rstrip())
    if report.likeness is not None:
        lines.append(f"likeness to {report.likeness.drawing.name}: {FORMULA}")
    if report.aer is not None:
        plain = "-" if report.diagonal is None else f"{report.diagonal:.3f}"
        lines.append(f"AER by the row that {report.rule} a word; of a plain diagonal {plain}")
        if report.diagonal is not None and not np.nanmin(report.aer, initial=np.inf) < report.diagonal:
            lines.append("no head is better than a diagonal")
    return [*lines, _closing(report)]


def _closing(report: HeadsReport) -> str:
    found = report.corpus
    if found is None:
        return "one sentence: no roles are named, since what a head does in it may be due to that sentence"
    said = f"{found.sentences} sentences, {found.left_out} left out; "
    if found.sentences < LEAST_SENTENCES:
        return said + f"roles are named from {LEAST_SENTENCES} sentences on"
    return said + f"roles beside the best head of random weights (seed {found.seed})"
