"""Headscope: `python main.py [PATH]` opens the window, `python main.py COMMAND ...` needs no screen."""

from __future__ import annotations

import importlib
import sys

COMMANDS = {
    "demo": "viewer.commands.demo",
    "doctor": "viewer.commands.doctor",
    "integrate": "viewer.commands.integrate",
    "render": "viewer.commands.render",
    "translate": "model.commands.translate",
    "trace": "model.commands.trace",
    "train": "model.commands.train",
    "task": "model.commands.task",
    "evaluate": "model.commands.evaluate",
    "heads": "model.commands.heads",
    "align": "model.commands.align",
    "info": "model.commands.info",
    "experiment": "model.commands.experiment",
    "lesson": "model.commands.lesson",
    "why": "model.commands.causes.why",
    "circuits": "model.commands.causes.circuits",
    "patch": "model.commands.causes.patch",
    "manual": "viewer.commands.manual",
    "manual-pictures": "viewer.commands.manual_pictures",
    "prune": "model.commands.causes.prune",
}


def main(argv: list[str] | None = None) -> int:
    """Hand over to a command, or to the window; returns the exit status."""
    if sys.version_info < (3, 11):  # noqa: UP036, so many start it with the Python that they have
        sys.exit(f"headscope: error: Python 3.11 or newer is needed; this is {sys.version.split()[0]}")
    from model.commands.console import guarded

    arguments = sys.argv[1:] if argv is None else argv
    name = arguments[0] if arguments else ""
    module = COMMANDS.get(name, "viewer.commands.window")
    rest = arguments[1:] if name in COMMANDS else arguments
    return guarded(lambda: importlib.import_module(module).run(rest))


if __name__ == "__main__":
    sys.exit(main())
