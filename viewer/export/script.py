"""Script: what was done in the window as commands that make the same files again. No Qt but its words.

For bash. Trainings come first, since runs may use their models, then the runs, then the files that were
written. Each file gets its own name in the folder in which the script runs: nothing is written over.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QCoreApplication

from model.files.files import replace_bytes
from model.quoting import can_be_said, joined
from model.trace.trace import Trace
from model.trace.trace_file import save_trace
from model.version import VERSION
from viewer.document.deeds import OUT, Deed, run_meant
from viewer.document.document import Document, Run
from viewer.document.run_source import RunSource
from viewer.document.text.input_text import input_text
from viewer.export.run_command import model_word, run_words

_TRAIN = "train"


@dataclass(frozen=True, eq=False)
class Script:
    """A script, and what has to lie beside it.

    Attributes:
        text: what the file holds.
        beside: traces of runs that no command makes, by file name.
    """

    text: str
    beside: tuple[tuple[str, Trace], ...] = ()

    def write(self, path: str) -> None:
        """Write it, and beside it what it needs.

        Raises:
            HeadscopeError: a file cannot be written.
        """
        for name, trace in self.beside:
            save_trace(trace, Path(path).parent / name)
        replace_bytes(path, self.text.encode("utf-8", "surrogateescape"))


def session_script(document: Document, deeds: Sequence[Deed], models: Mapping[str, str]) -> Script:
    """All runs and all files of a session.

    Args:
        models: folder of each model that was open, by hash.
    """
    return _Composer(document, models).whole(deeds)


def figure_script(document: Document, deed: Deed, models: Mapping[str, str]) -> Script:
    """One file, and the runs that it needs."""
    return _Composer(document, models).whole([deed], all_runs=False)


class _Composer:
    """Gives every file a name, and every run its place."""

    def __init__(self, document: Document, models: Mapping[str, str]) -> None:
        self._document = document
        self._models = models
        self._trained: dict[str, str] = {}  # new names of folders, which runs' models may lie in
        self._words: dict[tuple[str, str], str] = {}  # of models, by hash and name
        self._names: set[str] = set()
        self._traces: dict[str, str] = {}  # by run: the file, or the round of a folder
        self._beside: list[tuple[str, Trace]] = []
        self._lines: list[str] = []

    def whole(self, deeds: Sequence[Deed], *, all_runs: bool = True) -> Script:
        """The script."""
        trained = [deed for deed in deeds if deed.words[:1] == (_TRAIN,)]
        for deed in trained:
            self._write(deed)
        meant = {run_meant(word) for deed in deeds for word in deed.words}
        for number, run in enumerate(self._document.runs, 1):
            if run.id in meant or (all_runs and not run.live):
                self._run(run, number)
        for deed in deeds:
            if deed not in trained:
                self._write(deed)
        return Script("\n".join([*_head(), *self._lines]) + "\n", tuple(self._beside))

    def _run(self, run: Run, number: int) -> None:
        translate = QCoreApplication.translate
        source, path = run.provenance.get("source"), str(run.provenance.get("path", ""))
        if source == RunSource.FILE and Path(path).is_file():
            self._traces[run.id] = path
            return
        name = self._name(f"run-{number}" if run.rounds else f"run-{number}.trace")
        # Of rounds, all are written; the one in view is the file of its number.
        words = run_words(run, self._model(run.trace), name)
        self._say(input_text(run.trace))
        if words is None or not can_be_said(words):
            if not name.endswith(".trace"):
                name = self._name(f"{name}.trace")
            self._traces[run.id] = name
            self._beside.append((name, run.trace))
            self._say(
                translate("Script", "No command makes {name}: it lies beside this script.").format(name=name)
            )
            return
        digits = len(str(len(run.rounds)))
        self._traces[run.id] = f"{name}/round-{run.place + 1:0{digits}d}.trace" if run.rounds else name
        self._command(words)

    def _model(self, trace: Trace) -> str:
        key = trace.model_sha256, trace.model_name
        if key not in self._words:  # which looks at the disk
            self._words[key] = model_word(trace, self._models)
        word = self._words[key]
        return self._trained.get(word, word)

    def _write(self, deed: Deed) -> None:
        translate = QCoreApplication.translate
        name = self._name(Path(deed.path).name)
        self._say(deed.path)
        if deed.words[:1] == (_TRAIN,):
            self._trained[deed.path] = name
        words = [self._word(word, name) for word in deed.words]
        if None in words or not words or not can_be_said([word or "" for word in words]):
            reason = deed.reason or translate("Script", "What it shows is not in the session any more.")
            self._say(translate("Script", "No command makes it: {reason}").format(reason=reason))
            return
        self._command([word for word in words if word is not None])

    def _word(self, word: str, name: str) -> str | None:
        """A word with real names in it; None for the trace of a run that is gone."""
        meant = run_meant(word)
        if meant is not None:
            return self._traces.get(meant)
        return word.replace(OUT, name)

    def _name(self, wished: str) -> str:
        """A name that no other file of the script has, nor reads as an option."""
        wished = wished.lstrip("-") or "file"
        name, number = wished, 2
        while name.lower() in self._names:
            name, number = f"{number}-{wished}", number + 1
        self._names.add(name.lower())
        return name

    def _say(self, text: str) -> None:
        shown = " ".join(text.split())
        self._lines.append(f"# {''.join(letter for letter in shown if letter.isprintable())}")

    def _command(self, words: Iterable[str]) -> None:
        self._lines.append(f"$HEADSCOPE {joined(list(words))}")


def _head() -> list[str]:
    translate = QCoreApplication.translate
    first = translate(
        "Script", "What was done in Headscope {version}, as commands: bash runs them in an empty folder."
    )
    second = translate("Script", 'Where headscope is not installed: HEADSCOPE="python main.py" in front.')
    return [
        "#!/usr/bin/env bash",
        f"# {first.format(version=VERSION)}",
        f"# {second}",
        "set -eu",
        "HEADSCOPE=${HEADSCOPE:-headscope}",
        "",
    ]
