"""`why`: what a translation was caused by, by one of the methods of `model.questions.causes.methods`."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from model.alterations.arguments import add_alteration_arguments, alterations_of
from model.commands.console import DONE, emit, one_line, parser, say
from model.commands.decoding_options import add_computing_arguments, for_model, use_threads
from model.commands.report_output import add_output_arguments, check_output, give_report, last_of, put_entry
from model.commands.standard_input import one_text
from model.decoding.decode_config import DecodeConfig
from model.folder.bundled import resolve_model
from model.questions.causes.method import ARGUMENTS, Given, Method
from model.questions.causes.methods import METHODS, method_named
from model.questions.questions import Reading

if TYPE_CHECKING:
    from model.trace.trace import Trace
    from model.translator.translator import Translator


def build_parser() -> argparse.ArgumentParser:
    """The command's arguments; those of the methods are the rows of `ARGUMENTS`."""
    result = parser(
        "why",
        "Tell what a translation was caused by: what words, heads and layers add to a score or to a word. "
        "The parts of a sum come with the sum. --list names the methods.",
    )
    add = result.add_argument
    add(
        "text",
        nargs="?",
        metavar="TEXT",
        help="a sentence, translated greedily; - for a line of standard input",
    )
    add("--method", metavar="NAME", help=f"one of {', '.join(method.name for method in METHODS)}")
    add(
        "--list", action="store_true", help="name every method with its formula, caveat, source and arguments"
    )
    add("--target", metavar="TEXT", help="force this translation instead of decoding freely")
    for argument in ARGUMENTS.values():
        users = ", ".join(each.name for each in METHODS if argument.name in (*each.needs, *each.takes))
        add(
            f"--{argument.name}",
            type=argument.taken,
            metavar=argument.metavar,
            help=f"{argument.about} ({users})" if users else argparse.SUPPRESS,
        )
    add_alteration_arguments(result)
    result.set_defaults(mode=None)  # the model's own way of writing
    add_output_arguments(result)
    add_computing_arguments(result)
    return result


def run(argv: list[str]) -> int:
    """See `headscope why --help`."""
    arguments = build_parser()
    given = arguments.parse_args(argv)
    if given.list:
        _list(given)
        return DONE
    if given.text is None or given.method is None:
        arguments.error("give a TEXT and a --method, or --list")
    method = method_named(given.method)
    _check(method, given, arguments)
    alterations = alterations_of(given, arguments)
    text = one_text(given.text)
    resolve_model(given.model)  # before torch is imported, which takes a second
    use_threads(given.threads)
    from model.inspection.answering import answer
    from model.translator.translator import Translator

    translator = Translator.load(given.model)
    config = DecodeConfig() if given.target is None else DecodeConfig(mode="forced", target=given.target)
    config = for_model(config, given, translator.model)
    *_, last = translator.decode(text, config, alterations=alterations)
    asked = Given(last.trace, _values(method, given, translator))
    found = last_of(answer(translator.model, method.ask(asked), Reading.of(last.trace)))
    report = method.report(found, asked)
    give_report(report.under(_facts(method, last.trace), method.notes), given)
    return DONE


def _check(method: Method, given: argparse.Namespace, arguments: argparse.ArgumentParser) -> None:
    """Usage that the parser cannot know of; ends with status 2."""
    known = (*method.needs, *method.takes)
    for name in ARGUMENTS:
        if getattr(given, name) is not None and name not in known:
            takes = ", ".join(f"--{each}" for each in known) or "nothing besides the text"
            arguments.error(f"--method {method.name} has no --{name}; it takes {takes}")
    missing = [f"--{name}" for name in method.needs if getattr(given, name) is None]
    if missing:
        arguments.error(f"--method {method.name} needs {', '.join(missing)}")
    check_output(given, arguments)


def _values(method: Method, given: argparse.Namespace, translator: Translator) -> dict[str, Any]:
    """What was given, words as ids."""
    values = {name: getattr(given, name) for name in (*method.needs, *method.takes)}
    values = {name: value for name, value in values.items() if value is not None}
    for name, value in values.items():
        if ARGUMENTS[name].word:
            values[name] = first_piece(value, translator, first=values.get("step") == 0)
    return values


def first_piece(word: str, translator: Translator, *, first: bool) -> int:
    """The id of a word's first piece, which is what a step chooses between; raises as `pieces_of`."""
    from model.causes.words import pieces_of

    tokenizer = translator.model.target_tokenizer
    ids = pieces_of(tokenizer, word, first=first)
    if len(ids) > 1:
        pieces = [tokenizer.piece(token) for token in ids]
        say(one_line(f"{word} is written in {len(ids)} pieces ({' '.join(pieces)}); the first stands for it"))
    return ids[0]


def _facts(method: Method, trace: Trace) -> dict[str, Any]:
    """What every report says first."""
    return {
        "method": method.name,
        "formula": method.formula,
        "caveat": method.caveat,
        "source": method.source,
        "model": trace.model_name,
        "model_sha256": trace.model_sha256,
        "text": trace.src_text or trace.extra.get("prompt_text", ""),
        "translation": trace.tgt_text,
        "alterations": list(trace.alterations),
    }


def _list(given: argparse.Namespace) -> None:
    for method in METHODS:
        if given.json:
            emit(
                {
                    "method": method.name,
                    "label": method.label,
                    "formula": method.formula,
                    "caveat": method.caveat,
                    "source": method.source,
                    "needs": list(method.needs),
                    "takes": list(method.takes),
                }
            )
        else:
            flags = [f"--{name}" for name in method.needs] + [f"[--{name}]" for name in method.takes]
            put_entry(" ".join((method.name, *flags)), *method.notes)
