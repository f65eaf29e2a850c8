"""`train`: train a bundle on files of sentence pairs, or on a built-in task."""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import signal
import traceback
from collections.abc import Generator, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import TYPE_CHECKING, Any, NoReturn, cast

from model.commands.console import (
    DONE,
    FAILED,
    HANG_UP,
    INTERRUPTED,
    TERMINATED,
    ending_signals,
    guarded,
    let_terminal_go,
    say,
)
from model.commands.train_arguments import build_parser, options_from, stored_names
from model.commands.train_previews import preview, print_estimate, show_batch
from model.commands.train_report import Report, report_for
from model.errors import HeadscopeError
from model.files.suffixes import check_folder
from model.quoting import joined
from model.train_options import TrainOptions
from model.training.batch_view import DEFAULT_PAD
from model.training.control import Control
from model.training.progress.events import PausedEvent, TrainEvent

if TYPE_CHECKING:
    from model.training.distributed import Ranks

__all__ = ["build_parser", "options_from", "run"]

TRY_AGAIN = 3.0  # seconds between two tries to write what could not be written
_DATA = ("pairs", "parallel", "task")
# What is read from some kinds of data alone.
_BELONGS = {"task_size": ("task",), "columns": ("pairs",), "encoding": ("pairs", "parallel")}
_LOOKS = ("preview", "estimate", "show_batch")


def run(argv: list[str]) -> int:
    """See `headscope train --help`; `ending_signals` save the run before it ends."""
    arguments = build_parser()
    with _silent() if _follows() else contextlib.nullcontext():
        given = vars(arguments.parse_args(argv))
        _check_usage(arguments, given)
    folder = given.pop("out", None)
    resume, as_json = given.pop("resume", False), given.pop("json", False)
    if given.keys() & set(_LOOKS):
        if not _follows():
            _look(given, folder, as_json=as_json)
        return DONE
    out = Path(folder)
    check_folder(out)
    command = joined(["headscope", "train", *argv])
    return _train(given, out, command, resume=resume, as_json=as_json)


def _follows() -> bool:
    """Whether this is one of several processes that `torchrun` started, and not the one that speaks."""
    return os.environ.get("RANK", "0") != "0" and os.environ.get("WORLD_SIZE", "1") != "1"


@contextlib.contextmanager
def _silent() -> Iterator[None]:
    """While inside, nothing is printed."""
    nowhere = io.StringIO()
    with contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere):
        yield


def _check_usage(arguments: argparse.ArgumentParser, given: dict[str, Any]) -> None:
    """End with exit status 2 where arguments do not go together."""
    looks = [name for name in _LOOKS if name in given]
    if "out" not in given and not looks:
        arguments.error("the following arguments are required: --out")
    if "resume" in given and looks:
        arguments.error(f"--resume does not go with --{looks[0].replace('_', '-')}")
    if "pad" in given and "show_batch" not in given:
        arguments.error("--pad belongs to --show-batch")
    if given.get("pad", 0) < 0:
        arguments.error("--pad: 0 or more columns can be added")
    others = given.keys() & set(_DATA) if "resume" not in given else set()
    for name, whose in _BELONGS.items():
        if name in given and others - set(whose):
            flags = " and ".join(f"--{one}" for one in whose)
            arguments.error(f"--{name.replace('_', '-')} belongs to {flags}")
    if len(given.get("vocab_files", ())) > 2:
        arguments.error("--vocab-files takes one file for both languages, or two")
    stored = "show_batch" in given and "out" in given and os.path.exists(given["out"])
    if not (_names(given) or "resume" in given or stored or "estimate" in given):
        arguments.error("one of --pairs, --parallel and --task is needed")


def _look(given: dict[str, Any], folder: str | None, *, as_json: bool) -> None:
    """What is asked for instead of training."""
    out = Path("model" if folder is None else folder)
    if "preview" in given:
        preview(options_from(given, out), as_json=as_json)
    elif "estimate" in given:
        print_estimate(options_from(given, out), as_json=as_json)
    else:
        step, pad = given["show_batch"] - 1, given.get("pad", DEFAULT_PAD)
        if folder is not None and os.path.exists(out):
            # A run that is there knows its own options.
            show_batch(TrainOptions(name="run"), out, step, pad, as_json=as_json)
            return
        with TemporaryDirectory() as empty:
            show_batch(options_from(given, out), Path(empty) / "new", step, pad, as_json=as_json)


def _names(given: dict[str, Any]) -> bool:
    return any(name in given for name in _DATA)


def _train(given: dict[str, Any], out: Path, command: str, *, resume: bool, as_json: bool) -> int:
    with _Stop() as stop:
        from model.training.distributed import joined
        from model.training.follow import follow

        with joined() as ranks:
            try:
                if ranks.is_writer:
                    _lead(given, out, command, stop, ranks, resume=resume, as_json=as_json)
                else:
                    stop.quiet = True
                    follow(ranks)
            except Exception as error:
                if ranks.astray:
                    _leave(error)
                raise
        if ranks.astray:
            os._exit(stop.status())
        return stop.status()


def _leave(error: Exception) -> NoReturn:
    """Say what went wrong and end at once, as `joined` asks for where touch was lost."""

    def again() -> int:
        raise error

    try:
        status = guarded(again)
    except Exception:
        traceback.print_exc()
        status = FAILED
    os._exit(status)


def _lead(
    given: dict[str, Any],
    out: Path,
    command: str,
    stop: _Stop,
    ranks: Ranks,
    *,
    resume: bool,
    as_json: bool,
) -> None:
    """Run to the end, or until told to stop; other processes, if any, follow."""
    from model.training.train import stored_options, train

    options = stored_options(out).resumed_with(stored_names(given)) if resume else options_from(given, out)
    report = stop.report = report_for(options.train, as_json=as_json)
    run = train(options, out, resume=resume, command=command, control=stop.control, ranks=ranks)
    events = cast(Generator[TrainEvent, None, None], run)
    launcher = os.getppid()
    try:
        # Closed whatever happens, which saves what can be saved.
        with contextlib.closing(report), contextlib.closing(events):
            for event in events:
                report(event)
                if ranks.world > 1 and os.getppid() != launcher:
                    stop.launcher_gone()
                if isinstance(event, PausedEvent):
                    stop.control.stop.wait(TRY_AGAIN)
    except HeadscopeError as error:
        if error.code != "cancelled" or not stop.signal:
            raise


class _Stop:
    """While inside, turns the first of `ending_signals` that comes into a request to save and stop.

    Attributes:
        signal: the one that came, 0 when none did.
        control: what tells the run.
        report: where a person is told, once there is one.
        quiet: another process tells the person.
    """

    def __init__(self) -> None:
        self.signal = 0
        self.control = Control()
        self.report: Report | None = None
        self.quiet = False

    def __enter__(self) -> _Stop:
        self._before = {number: signal.signal(number, self._note) for number in ending_signals()}
        return self

    def __exit__(self, *error: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def launcher_gone(self) -> None:
        """Stop as for SIGTERM: nobody is left who would tell these processes to end."""
        if not self.signal:
            self._note(signal.SIGTERM, None)

    def _note(self, signum: int, frame: FrameType | None) -> None:
        if signum == HANG_UP:
            let_terminal_go()
            if self.signal:
                return
        elif self.signal not in (0, HANG_UP):
            os._exit(128 + signum)
        told, self.signal = self.signal, signum
        self.control.stop.set()
        if not (told or self.quiet):
            tell = say if self.report is None else self.report.note
            tell("stopping: saving the run first (again to stop at once)")

    def status(self) -> int:
        return {0: DONE, signal.SIGINT: INTERRUPTED}.get(self.signal, TERMINATED)
