"""Tokenizer process: learns a SentencePiece vocabulary where it can be ended at any moment.

SentencePiece's C++ code cannot be interrupted and takes minutes and much memory for a large text. In a thread
it would go on after a cancel, and crash a program that ends meanwhile; a process is killed, gives its memory
back, and works alike in every thread and on every system. Its numbers are those of `train_tokenizer`.

`python -m model.tokens.tokenizer_process` is that process. It reads one line of JSON (the settings),
sentences one a line and an empty line; it writes one line of JSON ({"size": N} or {"error":
[code, values]}) and the N bytes of the model. When its input closes it ends: it never
outlives who started it.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from pathlib import Path
from typing import IO, Any

import model
from model.errors import HeadscopeError
from model.tokens.tokenizer_training import BREAKS, train_tokenizer

POLL = 0.02  # seconds between two moments at which the work may be left
_BLOCK = 1 << 16


def learn_tokenizer(
    sentences: Iterable[str], settings: dict[str, Any], should_cancel: Callable[[], bool] = lambda: False
) -> Generator[int, None, bytes]:
    """As `train_tokenizer` with these settings, elsewhere; yields the number of sentences handed over.

    Yields often while it waits, too. Where no process can be started, the vocabulary is learned here.

    Raises:
        HeadscopeError: as `train_tokenizer`, or `cancelled`.
    """
    process = _start()
    if process is None:
        return train_tokenizer(sentences, **settings)
    assert process.stdin is not None
    assert process.stdout is not None
    answer = bytearray()
    reader = threading.Thread(target=lambda out: answer.extend(out.read()), args=[process.stdout])
    reader.start()
    try:
        sent = yield from _send(process.stdin, sentences, settings, should_cancel)
        while reader.is_alive():
            if should_cancel():
                raise HeadscopeError("cancelled")
            yield sent
            reader.join(POLL)
        status = process.wait()
    finally:
        process.kill()
        process.wait()
        reader.join()
        process.stdout.close()
        with contextlib.suppress(OSError):  # what was not handed over before the process ended
            process.stdin.close()
    return _result(bytes(answer), status)


def _start() -> subprocess.Popen[bytes] | None:
    """The process, out of reach of the terminal's Ctrl-C, which is the parent's to answer."""
    root = str(Path(model.__file__).parents[1])
    path = os.pathsep.join(filter(None, (root, os.environ.get("PYTHONPATH"))))
    apart: dict[str, Any] = {"start_new_session": True}
    if sys.platform == "win32":
        apart = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW}
    if getattr(sys, "frozen", False):  # then the executable is the whole program
        return None
    try:
        return subprocess.Popen(
            [sys.executable, "-P", "-m", "model.tokens.tokenizer_process"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": path},
            **apart,
        )
    except (OSError, ValueError):
        return None


def _send(
    pipe: IO[bytes], sentences: Iterable[str], settings: dict[str, Any], should_cancel: Callable[[], bool]
) -> Generator[int, None, int]:
    """Hand the sentences over; a process that ended meanwhile is noticed by its answer."""
    sent = 0
    block = bytearray(json.dumps(settings).encode() + b"\n")
    try:
        for sentence in sentences:
            for line in BREAKS.split(sentence):
                if line.strip():
                    block += line.encode("utf-8", "replace") + b"\n"
            sent += 1
            if len(block) >= _BLOCK:
                if should_cancel():
                    raise HeadscopeError("cancelled")
                pipe.write(block)
                block.clear()
                yield sent
        pipe.write(block + b"\n")
        pipe.flush()
    except OSError:
        pass
    return sent


def _result(answer: bytes, status: int) -> bytes:
    head, _, data = answer.partition(b"\n")
    try:
        values = json.loads(head)
    except ValueError:
        values = {}
    if "error" in values:
        code, details = values["error"]
        raise HeadscopeError(code, **details)
    if status or values.get("size") != len(data):
        raise HeadscopeError("tokenizer_training", reason=f"its process ended with status {status}")
    return data


def main() -> None:
    """The process."""
    source, out = sys.stdin.buffer, sys.stdout.buffer
    settings = json.loads(source.readline())
    try:
        data = train_tokenizer(_received(source), **settings)
    except HeadscopeError as error:
        out.write(json.dumps({"error": [error.code, error.values]}).encode() + b"\n")
    else:
        out.write(json.dumps({"size": len(data)}).encode() + b"\n" + data)
    out.flush()
    os._exit(0)  # the thread that waits for the input's end would keep an ordinary exit waiting


def _received(source: IO[bytes]) -> Iterator[str]:
    for line in source:
        if line == b"\n":
            threading.Thread(target=_end_with, args=[source], daemon=True).start()
            return
        yield line[:-1].decode("utf-8")
    os._exit(1)


def _end_with(source: IO[bytes]) -> None:
    source.read()
    os._exit(1)


if __name__ == "__main__":
    main()
