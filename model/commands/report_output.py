"""Output of a report: `--json`, `--csv` and `--out` of the commands that tell of causes."""

from __future__ import annotations

import argparse

from model.commands.console import emit, put, say
from model.files.suffixes import check_suffix, suffix_of
from model.questions.causes.report import FORMS, Report


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
