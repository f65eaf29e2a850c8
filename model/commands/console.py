"""Console: what every command shares, one-line errors, exit statuses, progress on stderr, JSON on stdout."""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import re
import signal
import stat
import sys
import threading
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from types import FrameType
from typing import Any, NoReturn

from model.abilities import computing_error
from model.arguments import positive
from model.commands.parsing import ArgumentParser
from model.config import MOST_THREADS
from model.errors import MESSAGES, HeadscopeError, is_out_of_memory
from model.extensions.troubles import listen

_PROGRESS_SECONDS = 10.0
DONE, FAILED, USAGE, INTERRUPTED, TERMINATED = 0, 1, 2, 130, 143
_OF_SIGNALS = 128  # and its number: the status of what a signal ended, as shells say it

# A model's texts and names are not to colour the terminal, move its cursor or set its title.
_COMMANDS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]|\r(?!\n)")
_BREAKS = re.compile("[\n\v\f\r\x1c-\x1e\x85\u2028\u2029]+")
# Nor is a file's name to turn the sentence around that it stands in.
_DISGUISED = re.compile(_COMMANDS.pattern + "|[\u202a-\u202e\u2066-\u2069]")


HANG_UP: int = getattr(signal, "SIGHUP", 0)
"""The signal of a terminal that was closed; a shell that ends with it passes it on, and it comes twice."""


class Terminated(BaseException):
    """SIGTERM arrived; like KeyboardInterrupt it is no error and unwinds everything."""


def guarded(work: Callable[[], int]) -> int:
    """Run a command; bad input becomes one line on stderr, never a traceback.

    Returns:
        The exit status of CONTRACTS: 0 done, 1 could not, 130 interrupted, 143 terminated.
    """
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, _terminate)
    _set_encoding()
    listen(lambda problem: say(f"headscope: note: {problem}"))
    try:
        return work()
    except HeadscopeError as error:
        return fail(str(error))
    except BrokenPipeError:  # the reader (`| head`) has gone, and needs no telling
        return FAILED
    except ModuleNotFoundError as error:
        missing = computing_error(error) or _package_error(error)
        if missing is None:
            raise
        return fail(str(missing))
    except (MemoryError, RuntimeError) as error:
        if not is_out_of_memory(error):
            raise
        return fail(MESSAGES["out_of_memory"])
    except KeyboardInterrupt:
        return INTERRUPTED
    except Terminated:
        return TERMINATED


def _package_error(error: ModuleNotFoundError) -> HeadscopeError | None:
    """What to say of an import that found no such package; None of a module that its package lacks."""
    package = (error.name or "").split(".")[0]
    there = not package or find_spec(package) is not None
    return None if there else HeadscopeError("package_missing", package=package)


def ending_signals() -> list[int]:
    """The signals that ask to end: of Ctrl-C, SIGTERM, and of a terminal that was closed where there is such.

    The last is left out where whoever started this process had it ignored, as `nohup` does.
    """
    outlives = not HANG_UP or signal.getsignal(HANG_UP) is signal.SIG_IGN
    return [signal.SIGINT, signal.SIGTERM, *([] if outlives else [HANG_UP])]


def _end(number: int, frame: FrameType | None) -> None:
    """Not by an exception, which would pass through whatever runs now."""
    os._exit(_OF_SIGNALS + number)


@contextlib.contextmanager
def ending_on_signals() -> Iterator[None]:
    """While inside, `ending_signals` end the process at once, with their status; while nothing can be lost.

    An exception instead might end in PySide: while that is imported it aborts the process, and later it
    imports half of a class and goes on with that. Called outside the main thread it changes nothing.
    """
    here = threading.current_thread() is threading.main_thread()
    before = {number: signal.signal(number, _end) for number in (ending_signals() if here else ())}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def let_terminal_go() -> None:
    """Write no more to a terminal that was closed: each word would be an error. May be in a handler."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):  # there is no stream, or it is no file
            number = stream.fileno()
            if stat.S_ISCHR(os.fstat(number).st_mode):  # one that was closed is no terminal to `isatty`
                nothing = os.open(os.devnull, os.O_WRONLY)
                os.dup2(nothing, number)
                os.close(nothing)


def fail(sentence: str) -> int:
    """Print `headscope: error: ...` on stderr; returns status 1."""
    say("headscope: error: " + " ".join(sentence.split()))
    return FAILED


def one_line(text: str) -> str:
    """A line in which somebody else's name or text stands: one line still, and nothing in it disguised."""
    return _DISGUISED.sub("\ufffd", _BREAKS.sub(" ", text))


def say(text: str) -> None:
    """A line for the person at the terminal, on stderr; if that is closed or full, nobody can be told."""
    if sys.stderr is not None:
        with contextlib.suppress(OSError):
            print(_DISGUISED.sub("\ufffd", text), file=sys.stderr, flush=True)


def put(text: str) -> None:
    """A line of the result, on stdout at once; characters that command a terminal become U+FFFD.

    Raises:
        HeadscopeError: `output_failed`.
        BrokenPipeError: whoever read the output has gone.
    """
    if sys.stdout is None:
        raise HeadscopeError("output_failed", reason="it is closed")
    try:
        print(_COMMANDS.sub("\ufffd", text), flush=True)
    except OSError as error:
        # What is still in the buffer would fail again, with a traceback, when Python flushes it at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            raise
        raise HeadscopeError("output_failed", reason=error.strerror or str(error)) from None


def emit(value: Any) -> None:
    """One JSON value as a line on stdout; raises as `put`."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    put(_DISGUISED.sub(lambda found: f"\\u{ord(found[0]):04x}", text))


def parser(command: str, description: str) -> argparse.ArgumentParser:
    """An argument parser whose usage names the command as a person types it."""
    return Parser(prog=f"headscope {command}", description=description, allow_abbrev=False)


class Parser(ArgumentParser):
    """What a command was told; no name of a file that it says again commands the terminal."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong with the usage, in one line, and end with status 2."""
        super().error(" ".join(message.split()))

    def _print_message(self, message: str, file: Any = None) -> None:
        super()._print_message(_DISGUISED.sub("\ufffd", message), file)


class Progress:
    """How far a command has come, on stderr every ten seconds."""

    def __init__(self) -> None:
        self._due = time.monotonic() + _PROGRESS_SECONDS

    def tell(self, text: str) -> None:
        """Say it if it is time."""
        if time.monotonic() >= self._due:
            say(text)
            self._due = time.monotonic() + _PROGRESS_SECONDS


def thread_count(text: str) -> int:
    """A number of processor threads, for an argument's `type`."""
    count = positive(text)
    if count > MOST_THREADS:
        raise argparse.ArgumentTypeError(f"{count} threads are too many; at most {MOST_THREADS}")
    return count


def _set_encoding() -> None:
    """Files and pipes get UTF-8 whatever the locale is; a terminal what it shows, with ? for the rest."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        if sys.stdout.isatty():
            sys.stdout.reconfigure(errors="replace")
        else:
            sys.stdout.reconfigure(encoding="utf-8", errors="replace")


def _terminate(signum: int, frame: FrameType | None) -> None:
    raise Terminated
