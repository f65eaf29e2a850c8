"""What every command shares: one-line errors, exit statuses, progress on stderr, JSON on stdout."""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any

from model.errors import HeadscopeError

DONE, FAILED, USAGE, INTERRUPTED, TERMINATED = 0, 1, 2, 130, 143


class Terminated(BaseException):
    """SIGTERM arrived; like KeyboardInterrupt it is no error and unwinds everything."""


def guarded(work: Callable[[], int]) -> int:
    """Run a command; bad input becomes one line on stderr, never a traceback.

    Returns:
        The exit status of CONTRACTS: 0 done, 1 could not, 130 interrupted, 143 terminated.
    """
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, _terminate)
    try:
        status = work()
        sys.stdout.flush()
        return status
    except HeadscopeError as error:
        return fail(str(error))
    except BrokenPipeError:
        # The reader (`| head`) has gone; Python would complain again while flushing at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except MemoryError:
        return fail("there is not enough memory for this; try a shorter text or a smaller batch")
    except KeyboardInterrupt:
        return INTERRUPTED
    except Terminated:
        return TERMINATED


def fail(sentence: str) -> int:
    """Print `headscope: error: ...` on stderr; returns status 1."""
    say("headscope: error: " + " ".join(sentence.split()))
    return FAILED


def say(text: str) -> None:
    """A line for the person at the terminal, on stderr."""
    print(text, file=sys.stderr, flush=True)


def emit(value: Any) -> None:
    """One JSON value as a line on stdout."""
    print(json.dumps(value, ensure_ascii=False, allow_nan=False), flush=True)


def parser(command: str, description: str) -> argparse.ArgumentParser:
    """An argument parser whose usage names the command as a person types it."""
    return argparse.ArgumentParser(prog=f"headscope {command}", description=description, allow_abbrev=False)


def positive(text: str) -> int:
    """A whole number from 1 up, for an argument's `type`."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 up")
    return int(text)


def _terminate(signum: int, frame: FrameType | None) -> None:
    raise Terminated
