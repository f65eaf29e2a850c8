from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterator
from typing import Any

import pytest

from model.errors import HeadscopeError
from model.tokens import tokenizer_process
from model.tokens.tokenizer_process import learn_tokenizer
from model.tokens.tokenizer_training import train_tokenizer

SETTINGS: dict[str, Any] = {"vocab_size": 500, "model_type": "unigram", "dummy_prefix": True}


def sentences(count: int, words: int = 3000) -> list[str]:
    draw = random.Random(5)
    known = ["".join(draw.choices("abcdefghiklmnoprstuvé苹", k=draw.randint(2, 9))) for _ in range(words)]
    return [" ".join(draw.choices(known, k=7)) for _ in range(count)]


def finish(work: Generator[int, None, bytes]) -> tuple[bytes, list[int]]:
    seen = []
    while True:
        try:
            seen.append(next(work))
        except StopIteration as end:
            return end.value, seen


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[subprocess.Popen[bytes]]:
    """The processes that were started."""
    processes: list[subprocess.Popen[bytes]] = []
    start = tokenizer_process._start

    def noted() -> subprocess.Popen[bytes] | None:
        process = start()
        assert process is not None
        processes.append(process)
        return process

    monkeypatch.setattr(tokenizer_process, "_start", noted)
    return processes


def test_the_same_bytes_and_progress(started: list[subprocess.Popen[bytes]]) -> None:
    texts = sentences(6000)
    data, seen = finish(learn_tokenizer(iter(texts), SETTINGS))
    assert data == train_tokenizer(texts, **SETTINGS)
    assert seen == sorted(seen)
    assert seen[-1] == len(texts)
    assert len(set(seen)) > 3
    assert started[0].poll() == 0


def test_from_another_thread(started: list[subprocess.Popen[bytes]]) -> None:
    texts, found = sentences(300), list[bytes]()
    thread = threading.Thread(target=lambda: found.append(finish(learn_tokenizer(texts, SETTINGS))[0]))
    thread.start()
    thread.join()
    assert found == [train_tokenizer(texts, **SETTINGS)]


def test_cancelled_while_it_learns(started: list[subprocess.Popen[bytes]]) -> None:
    """The process is ended, not left to go on."""
    texts = sentences(30_000, words=30_000)
    cancelled: list[bool] = []
    work = learn_tokenizer(texts, {**SETTINGS, "vocab_size": 8000}, lambda: bool(cancelled))
    while next(work) < len(texts):
        pass
    assert started[0].poll() is None
    cancelled.append(True)
    with pytest.raises(HeadscopeError) as error:
        next(work)
    assert error.value.code == "cancelled"
    assert started[0].poll() is not None


def test_cancelled_while_it_reads(started: list[subprocess.Popen[bytes]]) -> None:
    def endless() -> Iterator[str]:
        while True:
            yield "the red house"

    asked = iter([False, False, True])
    with pytest.raises(HeadscopeError) as error:
        finish(learn_tokenizer(endless(), SETTINGS, lambda: next(asked)))
    assert error.value.code == "cancelled"
    assert started[0].poll() is not None


def test_left_alone(started: list[subprocess.Popen[bytes]]) -> None:
    work = learn_tokenizer(sentences(20_000), SETTINGS)
    next(work)
    work.close()
    assert started[0].poll() is not None


def test_errors_come_back() -> None:
    with pytest.raises(HeadscopeError) as error:
        finish(learn_tokenizer(sentences(50), {**SETTINGS, "vocab_size": 6}))
    assert error.value.code == "tokenizer_vocab_too_small"
    with pytest.raises(HeadscopeError) as error:
        finish(learn_tokenizer(["", " \n "], SETTINGS))
    assert error.value.code == "tokenizer_no_text"


@pytest.mark.parametrize("program", ["import sys; sys.exit(3)", "import os; os.abort()", "print('hello')"])
def test_a_process_that_dies_is_said(monkeypatch: pytest.MonkeyPatch, program: str) -> None:
    def start() -> subprocess.Popen[bytes]:
        pipe = subprocess.PIPE
        command = [sys.executable, "-c", program]
        return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL)

    monkeypatch.setattr(tokenizer_process, "_start", start)
    with pytest.raises(HeadscopeError) as error:
        finish(learn_tokenizer(sentences(20_000), SETTINGS))
    assert error.value.code == "tokenizer_training"
    assert "process ended" in str(error.value)


@pytest.mark.parametrize("executable", ["", "/no/such/python"])
def test_without_a_process_it_is_learned_here(monkeypatch: pytest.MonkeyPatch, executable: str) -> None:
    monkeypatch.setattr(sys, "executable", executable)
    texts = sentences(100)
    assert finish(learn_tokenizer(texts, SETTINGS))[0] == train_tokenizer(texts, **SETTINGS)


def test_a_frozen_program_does_not_start_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert tokenizer_process._start() is None


@pytest.mark.skipif(os.name == "nt", reason="needs a process to be killed")
def test_it_does_not_outlive_its_parent() -> None:
    """Killed without a chance to clean up, the parent takes the learning process with it."""
    program = (
        "import random, sys\n"
        "from model.tokens import tokenizer_process as p\n"
        "start = p._start\n"
        "def told():\n"
        "    process = start(); print(process.pid, flush=True); return process\n"
        "p._start = told\n"
        "from tests.model.tokens.test_tokenizer_process import sentences\n"
        "texts = sentences(60_000, words=60_000)\n"
        "for sent in p.learn_tokenizer(texts, dict(vocab_size=8000, dummy_prefix=True)):\n"
        "    if sent == len(texts): print('learning', flush=True)\n"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        assert parent.stdout.readline() == "learning\n"
        parent.kill()
    assert _soon(lambda: not _alive(child))


def _soon(true: Callable[[], bool]) -> bool:
    end = time.monotonic() + 20
    while not true() and time.monotonic() < end:
        time.sleep(0.02)
    return true()


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    try:  # ended, and only waiting to be noticed by whoever adopted it
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return True
