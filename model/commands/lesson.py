"""`lesson`: the numbers of a page of Learn, where its controls are set, without a window."""

from __future__ import annotations

import argparse
import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from model.commands.console import DONE, emit, parser, put
from model.commands.decoding_options import add_computing_arguments, use_threads
from model.commands.standard_input import one_text
from model.errors import HeadscopeError
from model.experiments.registry import PAGES, page_named
from model.folder.bundled import resolve_model
from model.lessons.lesson import Lesson, Numbers, Subject, Values, plain, taken_values
from model.questions.questions import Question, Reading
from model.trace.trace import Trace

if TYPE_CHECKING:
    from model.translator.translator import Translator

_EXAMPLE = "example.trace"


def build_parser() -> argparse.ArgumentParser:
    """The command's arguments."""
    result = parser(
        "lesson",
        "Print the numbers of a page of Learn. A page about a translation uses TEXT, or else the "
        "model's recorded example.",
    )
    add = result.add_argument
    add("name", nargs="?", metavar="NAME", help="the lesson; --list names them")
    add("--list", action="store_true", help="name every lesson with its controls")
    add_lesson_arguments(result)
    add("--text", metavar="TEXT", help="a sentence, translated greedily; - for a line of standard input")
    add("--json", action="store_true", help="one JSON object; with --list one per line")
    add_computing_arguments(result)
    return result


def add_lesson_arguments(result: argparse.ArgumentParser) -> None:
    """How a page's controls are set, as `render` takes it too."""
    result.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="CONTROL=VALUE",
        help="set a control of the lesson; words and heads count from 1; may be repeated",
    )


def run(argv: list[str]) -> int:
    """See `headscope lesson --help`."""
    arguments = build_parser()
    given = arguments.parse_args(argv)
    if given.list == (given.name is not None):
        arguments.error("give the NAME of a lesson, or --list")
    if given.list:
        _list(given)
        return DONE
    lesson = page_named(given.name)
    if given.text is not None:
        given.text = one_text(given.text)
    use_threads(given.threads)
    loaded = functools.cache(lambda: _loaded(given.model))
    if given.text is None:
        trace = recorded_example(given.model)
    else:
        *_, last = loaded().decode(given.text)
        trace = last.trace
    asked = AskedLesson(lesson, given.set, trace, loaded)
    if given.json:
        emit({"name": lesson.name, "values": plain(dict(asked.values)), **asked.numbers.to_json()})
    else:
        for finding in asked.numbers.findings:
            holds = {True: "  as expected", False: "  NOT as expected", None: ""}[finding.holds]
            put(f"{finding.name:<28} {_shown(finding.value)}{holds}")
    return DONE


class AskedLesson:
    """A lesson asked for in a command: where its controls stand, and its numbers.

    Args:
        settings: `CONTROL=VALUE` each.
        trace: what is open; None for nothing.
        load: gives the `Translator` of the model, which is loaded only where it is asked something.

    Raises:
        HeadscopeError: no such control, value or model; or it cannot be asked of this model.
    """

    def __init__(
        self, lesson: Lesson, settings: list[str], trace: Trace | None, load: Callable[[], Translator]
    ) -> None:
        self._load = load
        self.lesson = lesson
        self.trace = trace
        self.subject = None if trace is None else Subject.of(trace)
        self.values: Values = taken_values(lesson.controls(self.subject), dict(map(_setting, settings)))
        asked = lesson.asks(self.values, self.subject)
        answer = None if asked is None else self._answer(*asked)
        self.of_model = asked is not None and asked[0].needs_model
        if asked is None and lesson.needs_answer:
            raise HeadscopeError("lesson_nothing_open", name=lesson.name)
        self.numbers: Numbers = lesson.numbers(self.values, answer, self.subject)

    @property
    def model_facts(self) -> tuple[str, str]:
        """Name and hash of the model that the numbers are of; empty where they are of none."""
        known = self.trace if self.of_model else None
        return ("", "") if known is None else (known.model_name, known.model_sha256)

    def _answer(self, question: Question, reading: Reading | None) -> Any:
        from model.inspection.answering import answer

        *_, last = answer(self._load().model if question.needs_model else None, question, reading)
        return last


def recorded_example(model: str) -> Trace | None:
    """The example that is recorded in a model; None where there is none."""
    from model.trace.trace_file import open_trace

    example = resolve_model(model) / _EXAMPLE
    return open_trace(example) if example.is_file() else None


def _loaded(name: str) -> Translator:
    from model.translator.translator import Translator

    return Translator.load(name)


def _setting(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise HeadscopeError("lesson_setting", setting=text)
    return name.strip(), value.strip()


def _list(given: argparse.Namespace) -> None:
    for lesson in PAGES:
        controls = [control.name for control in lesson.controls(None)]
        if given.json:
            emit({"name": lesson.name, "controls": controls})
        else:
            put(f"{lesson.name:<24} {', '.join(controls)}")


def _shown(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else "-" if value is None else str(value)
