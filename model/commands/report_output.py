"""Output of a report: `--json`, `--csv`, `--out`, the progress until it is there, and lists of choices."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Iterator
from typing import Any

from model.commands.console import Progress, emit, put, say
from model.files.suffixes import check_suffix, suffix_of
from model.questions.causes.report import FORMS, Report

_WIDTH = 110  # of lines that stand under a name in a list


def last_of(events: Iterator[Any]) -> Any:
    """What an answer ends with; how far it has come, pairs of numbers, is said every ten seconds."""
    progress, found = Progress(), None
    for event in events:
        found = event
        if isinstance(event, tuple):
            progress.tell(f"{event[0]} of {event[1]}")
    return found


def put_entry(name: str, *sentences: str) -> None:
    """A line for a choice, and under it what there is to say of it."""
    if name:
        put(name)
    for sentence in sentences:
        put(textwrap.fill(sentence, _WIDTH, initial_indent="    ", subsequent_indent="      "))


def add_output_arguments(to: argparse.ArgumentParser) -> None:
    """How the result is wanted."""
    form = to.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="one JSON object")
    form.add_argument("--csv", action="store_true", help="one line per row of the table")
    to.add_argument("--out", metavar="FILE", help="write to a .json, .csv or .npz file instead of stdout")


def check_output(given: argparse.Namespace, arguments: argparse.ArgumentParser) -> None:
    """Refuse what no file can be called, before anything is computed; ends with status 2 for wrong usage."""
    if given.out:
        form = _form(given)
        if form not in FORMS:
            arguments.error("--out needs --json or --csv, or a name that ends in .json, .csv or .npz")
        check_suffix(given.out, (form, "txt"))


def give_report(report: Report, given: argparse.Namespace) -> None:
    """Print a report, or write its file."""
    if given.out:
        report.write(given.out, _form(given))
        say(f"{given.out}: {len(report.rows)} rows")
    elif given.json:
        emit(report.to_json())
    elif given.csv:
        put(report.to_csv().rstrip("\r\n"))
    else:
        for line in report.lines():
            put(line)


def _form(given: argparse.Namespace) -> str:
    return "json" if given.json else "csv" if given.csv else suffix_of(given.out)
