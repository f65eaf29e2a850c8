"""The engine with a tiny real bundle: what the window gets is what the model computes."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from pytestqt.qtbot import QtBot

from model.decoding.decode_config import DecodeConfig
from model.trace.trace import AttentionKind, Trace
from model.work import result_of
from tests.assets import SENTENCE
from tests.viewer.engine.test_engine import Listener
from viewer.cores import spare_cores
from viewer.document.messages.messages import Decode, OpenModel, SplitText
from viewer.engine.engine import Engine
from viewer.engine.threads import ThreadCount
from viewer.engine.translator_source import TranslatorLoader


@pytest.fixture
def listener(qtbot: QtBot, tiny_bundle: Path) -> Iterator[Listener]:
    engine = Engine(threads=1)
    listener = Listener(engine)
    engine.submit(OpenModel(engine.new_job(), str(tiny_bundle)))
    qtbot.waitUntil(lambda: "ModelOpened" in listener.types(), timeout=20_000)
    yield listener
    assert engine.close()


def submit(
    listener: Listener, qtbot: QtBot, text: str, config: DecodeConfig | None = None, **more: Any
) -> list[Any]:
    listener.heard.clear()
    engine = listener.engine
    engine.submit(Decode(engine.new_job(), text, config or DecodeConfig(), **more))
    qtbot.waitUntil(lambda: not engine.busy)
    return listener.heard


def test_the_model_tells_what_its_files_say(listener: Listener, tiny_bundle: Path) -> None:
    info = listener.last("ModelOpened").info
    config = json.loads((tiny_bundle / "config.json").read_text("utf-8"))
    assert (info.name, list(info.languages)) == (config["name"], config["languages"])
    assert info.architecture == config["architecture"]
    assert info.showcase == config["showcase"]
    assert info.sha256 == hashlib.sha256((tiny_bundle / "model.safetensors").read_bytes()).hexdigest()
    assert info.positions.shape == (128, 32)
    assert "twenty sentences" in info.card


def test_a_sentence_grows_token_by_token_into_the_models_own_trace(
    listener: Listener, qtbot: QtBot, tiny_trace: Trace
) -> None:
    heard = submit(listener, qtbot, SENTENCE)
    *grown, done = heard
    assert [m.trace.steps for m in grown] == list(range(tiny_trace.steps + 1))
    assert done.trace.tgt_out_tokens == tiny_trace.tgt_out_tokens
    for kind in AttentionKind:
        for layer in range(tiny_trace.layers(kind)):
            np.testing.assert_allclose(
                done.trace.patterns.layer(kind, layer), tiny_trace.patterns.layer(kind, layer), atol=1e-6
            )
    assert done.note is None
    assert listener.threads == {threading.get_ident()}


def test_an_early_trace_does_not_change_while_the_later_ones_are_made(
    listener: Listener, qtbot: QtBot
) -> None:
    *grown, done = submit(listener, qtbot, SENTENCE)
    third = grown[3].trace
    assert third.tgt_out_tokens == done.trace.tgt_out_tokens[:3]
    np.testing.assert_array_equal(
        third.pattern(AttentionKind.CROSS, 1, 2), done.trace.pattern(AttentionKind.CROSS, 1, 2)[:3]
    )


def test_the_length_limit_is_said(listener: Listener, qtbot: QtBot) -> None:
    done = submit(listener, qtbot, SENTENCE, DecodeConfig(max_length=2))[-1]
    assert done.note is not None
    assert done.note.code == "length_limit"
    assert done.trace.steps == 2


def test_a_beam_search_tells_what_it_considered(listener: Listener, qtbot: QtBot) -> None:
    *grown, done = submit(listener, qtbot, SENTENCE, DecodeConfig(mode="beam", beam_size=3, n_best=2))
    considered = [node for message in grown for node in message.considered]
    assert {node.fate for node in considered} >= {"kept", "pruned", "finished"}
    assert len(done.n_best) == 2
    assert done.n_best[0] is done.trace
    # The best translation is a path of kept pieces from the root to a finished one.
    by_id = {node.id: node for node in considered}
    wanted = float(done.trace.step_logprob.sum())
    node = min((n for n in considered if n.fate == "finished"), key=lambda n: abs(n.score - wanted))
    path = []
    while node.parent is not None:
        path.append(node.piece)
        node = by_id[node.parent]
        assert node.fate == "kept"
    assert tuple(reversed(path)) == done.trace.tgt_out_tokens


def test_a_forced_target_is_read_out(listener: Listener, qtbot: QtBot) -> None:
    done = submit(listener, qtbot, SENTENCE, DecodeConfig(mode="forced", target="La maison est grande."))[-1]
    assert done.trace.tgt_text == "La maison est grande."


@pytest.mark.parametrize(("text", "code"), [("", "empty_text"), ("word " * 300, "too_long")])
def test_a_text_that_cannot_be_read_gets_its_sentence(
    listener: Listener, qtbot: QtBot, text: str, code: str
) -> None:
    heard = submit(listener, qtbot, text)
    assert [type(m).__name__ for m in heard] == ["JobFailed"]
    assert heard[0].error.code == code


def test_pieces_are_the_tokenizers(listener: Listener, qtbot: QtBot, tiny_trace: Trace) -> None:
    engine = listener.engine
    engine.submit(SplitText(engine.new_job(), SENTENCE))
    qtbot.waitUntil(lambda: not engine.busy)
    split = listener.last("PiecesSplit")
    assert (*split.pieces, "</s>") == tiny_trace.src_tokens
    assert (split.tokens, split.limit, split.unknown) == (len(tiny_trace.src_tokens), 128, 0)


def test_a_cancelled_sentence_stops_midway(listener: Listener, qtbot: QtBot) -> None:
    listener.heard.clear()
    engine = listener.engine
    config = DecodeConfig(mode="sample", temperature=50.0, max_length=120, seed=3)
    job = engine.submit(Decode(engine.new_job(), SENTENCE, config))
    qtbot.waitUntil(lambda: len(listener.types(job)) > 2)
    engine.cancel(job)
    qtbot.waitUntil(lambda: not engine.busy)
    assert listener.types(job)[-1] == "JobCancelled"
    assert "TraceDone" not in listener.types(job)
    assert submit(listener, qtbot, SENTENCE)[-1].note is None


@pytest.mark.parametrize("bad", ["nothing", "garbage"])
def test_a_folder_that_holds_no_model_gets_its_sentence(
    listener: Listener, qtbot: QtBot, tmp_path: Path, bad: str
) -> None:
    folder = tmp_path / bad
    folder.mkdir()
    if bad == "garbage":
        (folder / "config.json").write_bytes(b"\x00\xff{")
    listener.heard.clear()
    engine = listener.engine
    engine.submit(OpenModel(engine.new_job(), str(folder)))
    qtbot.waitUntil(lambda: not engine.busy)
    error = listener.last("JobFailed").error
    assert error.code != "internal"
    assert str(folder) in str(error)
    assert submit(listener, qtbot, SENTENCE)[-1].note is None


def test_a_decoding_leaves_gradients_on_for_the_jobs_between_its_tokens(tiny_bundle: Path) -> None:
    """A training run has its slices between two tokens of a sentence: it must find gradients on."""
    source = result_of(TranslatorLoader(ThreadCount(1))(str(tiny_bundle)))
    seen: set[tuple[bool, bool]] = set()
    configs = (DecodeConfig(), DecodeConfig(mode="beam", beam_size=2), DecodeConfig(mode="sample", seed=1))
    for config in configs:
        steps = 0
        for _ in source.decode(Decode(1, SENTENCE, config)):
            seen.add((torch.is_grad_enabled(), torch.is_inference_mode_enabled()))
            steps += 1
        assert steps > 2
    assert seen == {(True, False)}


def test_one_core_is_left_to_the_window(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda pid: set(range(6)), raising=False)
    assert spare_cores() == 5
    monkeypatch.setattr("os.sched_getaffinity", lambda pid: {0}, raising=False)
    assert spare_cores() == 1
    monkeypatch.delattr("os.sched_getaffinity", raising=False)
    monkeypatch.setattr("os.cpu_count", lambda: 4)
    assert spare_cores() == 3


IMPORTS = """
import sys, threading
from PySide6.QtCore import QCoreApplication, QObject, QTimer, Slot
from viewer.engine.engine import Engine
from viewer.engine.gc_guard import GcGuard
from viewer.document.session import Session
from viewer.services.player import Player
from viewer.document.files import session_file
from viewer.document.messages.messages import OpenModel

application = QCoreApplication([])
guard = GcGuard(application)
guard.start()
session = Session()
engine = Engine(threads=1)
heavy = [name for name in ("torch", "sentencepiece") if name in sys.modules]
assert not heavy, heavy

class Ear(QObject):
    @Slot(object)
    def opened(self, message):
        guard.freeze()
        assert "torch" in sys.modules
        print("opened", message.info.name, threading.current_thread() is threading.main_thread())
        application.quit()

ear = Ear()
engine.model_opened.connect(ear.opened)
engine.submit(OpenModel(engine.new_job(), sys.argv[1]))
application.exec()
assert engine.close()
guard.stop()
"""


def test_torch_is_imported_by_the_worker_and_only_when_a_model_is_opened(tiny_bundle: Path) -> None:
    command = [sys.executable, "-W", "error", "-c", IMPORTS, str(tiny_bundle)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "opened tiny True\n", "")
