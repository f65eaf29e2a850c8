"""The page of the architecture: clicks, keys, steps in both directions, what it remembers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from model.abilities import ALL_ABILITIES
from model.questions.wiring import Mix, MixOf
from model.trace.trace import AttentionKind
from tests.viewer.fake_source import small_info
from tests.viewer.figure_samples import sample_trace
from tests.viewer.figures.architecture.samples import OURS
from viewer.document.document import Run
from viewer.document.scene import Place
from viewer.document.session import Session
from viewer.figures.architecture.spec import ArchitectureSpec
from viewer.lessons.registry import TOLD
from viewer.pages.learn.architecture.architecture_view import ArchitectureView
from viewer.pages.learn.architecture.told import heading
from viewer.pages.widgets.appearance import Appearance

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")


class Bench:
    """The page alone, with a model and a sentence."""

    def __init__(self, qtbot: QtBot, *, run: bool = True, model: bool = True) -> None:
        self.session = Session()
        self.places: list[Place] = []
        trace = sample_trace()
        if model:
            shape = {**OURS, "encoder_layers": trace.layers(AttentionKind.ENCODER_SELF), "decoder_layers": 2}
            info = replace(
                small_info(), architecture=shape, sha256=trace.model_sha256, name=trace.model_name,
                can=ALL_ABILITIES,
            )  # fmt: skip
            self.session.set_model(info)
        if run:
            self.session.add_run(Run("one", trace))
            self.session.select(kind=AttentionKind.CROSS, layer=1, head=0, step=1)
        self.trace = trace
        self.view = ArchitectureView(self.session, Appearance("light"))
        self.view.place_asked.connect(self.places.append)
        qtbot.addWidget(self.view)
        self.view.resize(1000, 640)
        self.view.show()

    @property
    def spec(self) -> ArchitectureSpec:
        spec = self.view.view.spec
        assert spec is not None
        return spec

    @property
    def key(self) -> str:
        block = self.view.block
        assert block is not None
        return block.key

    def click(self, key: str) -> None:
        place = self.view.view.place_of(key)
        assert place is not None
        self._click(place.center().toPoint())

    def _click(self, point: QPoint) -> None:
        QTest.mouseClick(self.view.view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, point)

    def press(self, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        QTest.keyClick(self.view.view, key, modifier)


@pytest.fixture
def bench(qtbot: QtBot) -> Bench:
    return Bench(qtbot)


def test_what_a_mix_reads_is_asked_of_the_model_and_told(bench: Bench) -> None:
    asked: list[tuple[object, object]] = []
    bench.session.answers.wanted.connect(lambda question, reading, topic: asked.append((question, reading)))
    info = bench.session.model
    assert info is not None
    shape = {**info.architecture, "wiring": "mix", "normalisation": "batch"}
    bench.session.set_model(replace(info, architecture=shape))
    assert asked == [(MixOf(info.sha256), None)]
    panel = bench.view.panel
    assert not any(name.startswith("Reads of") for name, _ in panel.facts)
    layers = shape["encoder_layers"]
    shares = np.array([[1.0, *[0.0] * layers], [0.25, 0.75, *[0.0] * (layers - 1)]], np.float32)
    bench.session.answers.finish((MixOf(info.sha256), None), Mix(shares))
    read = [(name, value) for name, value in panel.facts if name.startswith("Reads of")]
    assert len(read) == layers + 1
    assert read[:2] == [("Reads of the embedding", "25.0 %"), ("Reads of encoder layer 1", "75.0 %")]
    assert "weighted as learned" in panel.told.text()
    bench.click("decoder.1.cross.add_norm")
    assert "over the tokens of a batch" in panel.told.text()
    assert "Shen et al. 2020" in panel.paper.text()


def test_it_opens_on_what_look_shows_and_tells_of_it(bench: Bench) -> None:
    assert bench.key == "decoder.1.cross"
    panel = bench.view.panel
    assert panel.name.text() == "Cross-attention, decoder layer 2"
    source, read = len(bench.trace.src_tokens), 2
    facts = dict(panel.facts)
    assert facts["Weights"] == f"(4, {read}, {source})"
    assert facts["Q of each head"] == f"({read}, 4)"
    assert facts["Output"] == f"({read}, 16)"
    # Four matrices of 16 x 16 with biases.
    assert facts["Parameters"] == f"{4 * (16 * 16 + 16):,}"
    assert panel.formula.accessibleDescription() == r"\mathrm{softmax}\left(\frac{QK^\top}{\sqrt{4}}\right)V"
    assert panel.map.isVisible()
    assert panel.map_name.text() == "Decoder layer 2, head 1"
    assert bench.view.bar.line.text().startswith(f"Step 2 of {bench.trace.steps}.")


def test_every_block_is_reached_by_keys_and_told(bench: Bench) -> None:
    bench.press(Qt.Key.Key_Home)
    passed, told = [bench.key], {bench.view.panel.told.text()}
    for _ in bench.spec.order[1:]:
        bench.press(Qt.Key.Key_Up)
        passed.append(bench.key)
        told.add(bench.view.panel.told.text())
        assert bench.view.view.place_of(bench.key) is not None
        assert bench.view.panel.paper.text()
    assert tuple(passed) == bench.spec.order
    assert "" not in told
    bench.press(Qt.Key.Key_End)
    bench.press(Qt.Key.Key_Down)
    assert bench.key == "decoder.linear"
    bench.click("decoder.embedding")
    bench.press(Qt.Key.Key_Left)
    assert bench.key == "encoder.embedding"
    bench.press(Qt.Key.Key_Right)
    assert bench.key == "decoder.embedding"
    bench.click("decoder.1.cross")
    bench.press(Qt.Key.Key_Down, Qt.KeyboardModifier.ControlModifier)
    assert bench.key == "decoder.0.cross"
    bench.press(Qt.Key.Key_Down, Qt.KeyboardModifier.ControlModifier)
    assert bench.key == "decoder.0.cross"


def test_doors_lead_where_they_say(bench: Bench) -> None:
    bench.press(Qt.Key.Key_Return)
    (place,) = bench.places
    assert (place.scene.page, place.selection["kind"], place.selection["layer"]) == ("look", "cross", 1)
    doors = {button.text(): button for button in bench.view.panel.buttons if not button.isHidden()}
    doors["Arithmetic of one weight"].click()
    doors["What if this layer were off"].click()
    doors["Layer walk from here"].click()
    assert [place.scene.inspector for place in bench.places[1:3]] == ["arithmetic", "what_if"]
    walk = bench.places[3].scene
    assert (walk.tab, walk.state["stages"]) == ("walk", {"target": ["cross", "cross", 1]})
    assert sum(text.startswith("Lesson: ") for text in doors) == len(
        {"weighted_average", "scaling", "parallel", "explanation"} & {told.name for told in TOLD}
    )
    bench.click("encoder.positions")
    bench.view.panel.buttons[0].click()
    assert bench.places[-1].scene.page == "positions"
    bench.click("decoder.softmax")
    bench.view.panel.buttons[0].click()
    assert bench.places[-1].scene.inspector == "next_word"


def test_stepping_moves_the_session_and_the_other_way_round(bench: Bench) -> None:
    session, view = bench.session, bench.view
    bench.click("decoder.softmax")
    assert view.step(1)
    assert (bench.key, session.selection().step) == ("decoder.embedding", 2)  # type: ignore[union-attr]
    assert bench.spec.computed is not None
    assert "decoder.scale" not in bench.spec.computed
    assert "encoder.embedding" in bench.spec.computed
    assert view.bar.line.text() == "Step 3: embedding is being computed."
    assert view.step(-1)
    assert (bench.key, session.selection().step) == ("decoder.softmax", 1)  # type: ignore[union-attr]
    session.set_step(0)
    assert bench.spec.stacks[1].foot.endswith("so far: 1 tokens")
    assert bench.key == "decoder.softmax"
    # Who looks at the encoder while Look goes on finds the decoder at that step.
    bench.click("encoder.embedding")
    view.step(1)
    assert view.bar.line.text().startswith("Encoder, once: ")
    session.set_step(1)
    assert bench.key == "decoder.embedding"
    last = bench.trace.steps - 1
    bench.click("decoder.softmax")
    session.set_step(last)
    assert not view.step(1)
    bench.click("encoder.embedding")
    assert not view.step(-1)
    assert bench.spec.computed is None  # a click shows everything


def test_it_plays_and_stops(bench: Bench, qtbot: QtBot) -> None:
    bench.click("decoder.1.feed_forward")
    bench.press(Qt.Key.Key_Space)
    assert bench.view.playing
    qtbot.waitUntil(lambda: bench.key != "decoder.1.feed_forward", timeout=3000)
    bench.press(Qt.Key.Key_Space)
    assert not bench.view.playing
    bench.view.toggle_play()
    bench.view.hide()
    assert not bench.view.playing


def test_the_tour_passes_every_kind_of_block(bench: Bench) -> None:
    bench.view.show_scene({"tour": True})
    seen = [bench.key]
    while not bench.view.bar.next.isHidden():
        bench.view.bar.next.click()
        seen.append(bench.key)
    assert len(seen) - 1 == len(set(seen)) == len([k for k in bench.spec.order if ".1." not in k])
    assert bench.spec.computed is None


def test_it_folds_and_is_as_it_was(bench: Bench, qtbot: QtBot) -> None:
    place = bench.view.view.geometry_now()
    assert place is not None
    bench._click(place.columns[0].headings[0].center().toPoint())
    assert bench.spec.unfolded
    bench.click("encoder.1.self_attention")
    state: dict[str, Any] = bench.view.scene()
    again = Bench(qtbot)
    again.view.show_scene(state)
    assert (again.key, again.spec.unfolded) == ("encoder.1.self_attention", True)
    for strange in ({"block": 3}, {"block": "x.y"}, {"unfolded": "yes", "walking": 1}, {}):
        again.view.show_scene(strange)
        assert again.key in again.spec.order


def test_without_a_sentence_and_without_anything(qtbot: QtBot) -> None:
    bench = Bench(qtbot, run=False)
    assert all(block.shape == () for block in bench.spec.every)
    assert bench.view.step(1)
    bench.view.toggle_play()
    bench.view.hide()
    empty = Bench(qtbot, run=False, model=False)
    assert empty.view.figure is None
    assert empty.view.empty.isVisible()
    assert not empty.view.step(1)


def test_a_model_of_which_only_the_trace_tells(qtbot: QtBot) -> None:
    bench = Bench(qtbot, model=False)
    assert bench.spec.badges == ("where it normalises and adds residuals is not known",)
    for block in bench.spec.every:
        bench.view.choose(block.key)
        assert heading(bench.view._drawn.anatomy, block)  # type: ignore[union-attr]
        assert bench.view.panel.told.text()
    assert "Parameters" not in dict(bench.view.panel.facts)


@pytest.mark.parametrize("size", [(560, 420), (720, 480), (1000, 640)])
def test_it_fits(bench: Bench, size: tuple[int, int]) -> None:
    bench.view.resize(*size)
    assert bench.view.scroll_area.horizontalScrollBar().maximum() == 0
    assert bench.view.panel.horizontalScrollBar().maximum() == 0
    assert bench.view.bar.fold.visibleRegion().boundingRect().width() == bench.view.bar.fold.width()
