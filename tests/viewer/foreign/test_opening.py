"""Opening models of others: what a path means, progress, leaving it, and what is shown then."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Generator, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from model.errors import HeadscopeError
from tests.viewer.driving import Driver
from tests.viewer.fake_source import FakeSource
from tests.viewer.figure_samples import sample_trace
from tests.viewer.foreign.samples import info_of
from viewer.app import Program
from viewer.document.document import Run
from viewer.document.messages.messages import ModelInfo
from viewer.engine.engine import Engine
from viewer.opening import kind_of, model_folder
from viewer.window.settings import Settings

MEGABYTE = 1_000_000


class ForeignSource(FakeSource):
    """A model that says it is another's."""

    def info(self) -> ModelInfo:
        return info_of("decoder_only", path=self.path, name=Path(self.path).name)


class Loader:
    """Loads in three parts, each let through by a test; a folder called `bad` cannot be loaded."""

    def __init__(self) -> None:
        self.gate = threading.Semaphore(0)
        self.left = threading.Event()

    def __call__(self, path: str) -> Generator[tuple[int, int], None, FakeSource]:
        try:
            yield 0, 0
            if Path(path).name == "bundle":
                return FakeSource(path)
            if Path(path).name == "bad":
                raise HeadscopeError("hf_missing", path=path)
            for part in range(1, 4):
                while not self.gate.acquire(timeout=0.01):
                    yield (part - 1) * 50 * MEGABYTE, 150 * MEGABYTE
            return ForeignSource(path)
        finally:
            self.left.set()


@pytest.fixture
def loader() -> Loader:
    return Loader()


@pytest.fixture
def driver(qtbot: QtBot, tmp_path: Path, loader: Loader) -> Iterator[Driver]:
    engine = Engine(load_model=loader, threads=1)
    program = Program(Settings(str(tmp_path / "settings.ini")), theme="light", language="en", engine=engine)
    program.window.resize(1440, 900)
    qtbot.addWidget(program.window)
    program.window.show()
    qtbot.waitExposed(program.window)
    yield Driver(qtbot, program)
    for _ in range(9):
        loader.gate.release()
    program.window.close()
    assert program.ended


def folder(tmp_path: Path, name: str, **values: object) -> Path:
    place = tmp_path / name
    place.mkdir(exist_ok=True)
    config = {"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"], "vocab_size": 9} | values
    (place / "config.json").write_text(json.dumps(config), "utf-8")
    (place / "model.safetensors").write_bytes(b"")
    return place


def test_a_model_is_meant_by_its_folder_and_by_its_files(tmp_path: Path) -> None:
    place = folder(tmp_path, "gpt")
    for name in ("model.safetensors", "pytorch_model.bin", "tokenizer.json", "source.spm", "example.trace"):
        (place / name).write_bytes(b"")
    for name in ("alone.safetensors", "alone.gguf"):
        (tmp_path / name).write_bytes(b"")
    assert kind_of(place) == kind_of(place / "config.json") == "model"
    assert kind_of(place / "model.safetensors") == kind_of(place / "pytorch_model.bin") == "model"
    assert kind_of(place / "tokenizer.json") == kind_of(place / "source.spm") == "model"
    assert kind_of(place / "example.trace") == kind_of(tmp_path / "alone.safetensors") == "trace"
    assert kind_of(tmp_path / "alone.gguf") == "model"  # who looks there says what that is
    assert model_folder(place / "model.safetensors").path == model_folder(place).path
    with pytest.raises(HeadscopeError) as raised:
        kind_of(tmp_path / "nowhere")
    assert raised.value.code == "file_missing"


def test_progress_stands_on_the_model_button(driver: Driver, loader: Loader, tmp_path: Path) -> None:
    top = driver.window.top
    driver.ask_path(folder(tmp_path, "gpt"))
    assert top.model.text() == "gpt · loading"
    loader.gate.release()
    driver.wait(lambda: top.model.text() == "gpt · loading 33 %")
    assert "50 of 150 MB" in top.model.toolTip()
    assert not top.stop.isHidden()
    loader.gate.release()
    loader.gate.release()
    driver.wait(lambda: driver.session.model is not None)
    assert top.model.text() == "gpt · 2 layers, 3 heads"
    assert top.stop.isHidden()
    assert driver.session.document.runs == ()
    assert driver.page.panes[0].empty.sentence.text() == (
        "Type the beginning of a text; the model continues it.\n"
        "Or drop a trace, a session or the folder of a model here."
    )
    shown = driver.page.sentence.box.placeholderText()
    assert shown == "Type the beginning of a text and press Enter (Ctrl+L)"
    assert driver.page.sentence.translate.text() == "Continue"
    assert driver.program.window.menus.recents.isEnabled()


@pytest.mark.parametrize("way", ["button", "escape"])
def test_who_leaves_a_loading_keeps_model_and_run(
    driver: Driver, loader: Loader, tmp_path: Path, way: str
) -> None:
    first, second = folder(tmp_path, "bundle"), folder(tmp_path, "gpt")
    driver.ask_path(first)
    driver.wait(driver.translated)
    before, run, text = driver.session.model, driver.session.run(), driver.session.text
    assert before is not None
    loader.left.clear()
    driver.ask_path(second)
    loader.gate.release()
    driver.wait(lambda: "33 %" in driver.window.top.model.text())
    driver.session.first_step()  # what is there can be looked at all the while
    if way == "button":
        driver.click(driver.window.top.stop)
    else:
        QTest.keyClick(driver.page.panes[0].map, Qt.Key.Key_Escape)
    loader.gate.release()
    driver.wait(lambda: loader.left.is_set() and not driver.session.job.busy)
    assert driver.session.model is before
    assert driver.session.run() is run
    assert driver.session.text == text
    assert driver.session.notice is None
    assert "loading" not in driver.window.top.model.text()


def test_the_model_that_is_there_is_used_while_another_loads(
    driver: Driver, loader: Loader, tmp_path: Path
) -> None:
    driver.ask_path(folder(tmp_path, "bundle"))
    driver.wait(driver.translated)
    driver.ask_path(folder(tmp_path, "gpt"))
    loader.gate.release()
    driver.wait(lambda: "33 %" in driver.window.top.model.text())
    runs = len(driver.session.document.runs)
    box = driver.page.sentence.box
    box.setFocus()
    box.selectAll()
    QTest.keyClicks(box, "c d")
    QTest.keyClick(box, Qt.Key.Key_Return)
    done: Callable[[], bool] = lambda: (  # noqa: E731
        len(driver.session.document.runs) > runs and not driver.session.document.runs[-1].live
    )
    driver.wait(done)
    assert "loading" in driver.window.top.model.text()
    assert driver.session.document.runs[-1].trace.model_name == "fake"


def test_a_failure_is_one_sentence(driver: Driver, loader: Loader, tmp_path: Path) -> None:
    driver.ask_path(folder(tmp_path, "bad"))
    driver.wait(lambda: driver.session.notice is not None)
    notice = driver.session.notice
    assert notice is not None
    assert notice.code == "hf_missing"
    assert "headscope[hf]" in driver.window.notice.text
    assert driver.window.top.stop.isHidden()
    driver.ask_path(tmp_path)
    assert driver.session.notice is not None
    assert driver.session.notice.level == "error"


def test_a_person_s_own_runs_and_words_stay(driver: Driver, loader: Loader, tmp_path: Path) -> None:
    session = driver.session
    session.add_run(Run("mine", sample_trace(), provenance={"source": "decoded"}))
    session.add_run(Run("example", sample_trace(src_text="an example"), provenance={"source": "recorded"}))
    session.set_text("half a sente")
    for _ in range(3):
        loader.gate.release()
    driver.ask_path(folder(tmp_path, "gpt"))
    driver.wait(lambda: session.model is not None)
    assert [run.id for run in session.document.runs] == ["mine"]
    assert session.text == "half a sente"
