"""Rust calls: what goes wrong in a tokenizer, which is written in Rust, is no ordinary exception."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Iterator
from typing import Any

from model.errors import HeadscopeError
from model.files.safe_folder import clean

# Else one thread would put back as standard error what another had put in its place.
_one_at_a_time = threading.RLock()


def called(call: Callable[..., Any], *given: Any, **named: Any) -> Any:
    """What `call` returns.

    Raises:
        HeadscopeError: `tokenizer_failed`: it panicked, or refused a text.
    """
    try:
        with without_panic_reports():
            return call(*given, **named)
    except (HeadscopeError, MemoryError):
        raise
    except BaseException as error:
        if not is_panic(error) and not isinstance(error, Exception):
            raise
        reason = clean(" ".join(str(error).split())) or type(error).__name__
        raise HeadscopeError("tokenizer_failed", reason=reason) from error


def is_panic(error: BaseException) -> bool:
    """Whether Rust gave up: a `BaseException` of a class that cannot be imported."""
    return type(error).__name__ == "PanicException"


@contextlib.contextmanager
def without_panic_reports() -> Iterator[None]:
    """Nothing reaches the process's standard error within; Rust writes there of a panic before raising it."""
    with _one_at_a_time:
        try:
            kept = os.dup(2)
        except OSError:  # a window without a terminal has none
            yield
            return
        try:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, 2)
            os.close(nowhere)
            yield
        finally:
            os.dup2(kept, 2)
            os.close(kept)
