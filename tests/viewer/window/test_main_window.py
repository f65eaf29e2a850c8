"""The real window on a tiny real model, driven as a person would."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent, QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from safetensors.numpy import load_file

from model.errors import HeadscopeError
from model.trace.trace import AttentionKind, Trace
from model.trace.trace_file import save_trace
from tests.assets import SENTENCE
from tests.viewer.desk import Desk
from tests.viewer.driving import Driver, cell_color, start
from tests.viewer.heard_requests import heard
from viewer.document.decoding_settings import SLOW
from viewer.document.document import Run
from viewer.document.messages.requests import Translate
from viewer.resources import samples
from viewer.window.settings import Settings


@pytest.fixture
def driver(qtbot: QtBot, tmp_path: Path) -> Iterator[Driver]:
    driver = start(qtbot, tmp_path)
    yield driver
    driver.window.close()
    assert driver.program.ended


@pytest.fixture
def translated(desk: Desk) -> Driver:
    """The window after "type a sentence, press Enter"."""
    return desk


def test_type_enter_and_the_translation_is_there(translated: Driver) -> None:
    trace = translated.session.trace()

    assert trace is not None
    assert trace.src_text == SENTENCE
    assert trace.tgt_text == "La petite fille a donné une pomme rouge à son frère."
    assert translated.page.sentence.output.accessibleDescription().startswith("La petite")
    assert translated.page.sentence.translate.text() == "Translate"


def test_the_map_shows_the_trace(translated: Driver, tmp_path: Path) -> None:
    """Pixels at cell centres against the colours of the weights read from the saved file."""
    driver, session = translated, translated.session
    trace = session.trace()
    assert trace is not None
    save_trace(trace, tmp_path / "t.trace")
    stored = load_file(tmp_path / "t.trace")
    view = driver.page.panes[0].map
    session.last_step()

    for kind, layer, head in (
        ("cross", 1, 2),
        ("cross", 2, 0),
        ("decoder_self", 0, 3),
        ("encoder_self", 1, 1),
    ):
        session.select(0, kind=AttentionKind(kind), layer=layer, head=head)
        driver.qtbot.wait(1)
        weights = stored[kind][layer, head]
        for row, column in np.ndindex(*weights.shape):
            if kind == "decoder_self" and column > row:
                continue
            _assert_color(view.theme.table, cell_color(view, row, column), float(weights[row, column]))
            if row > 3:
                break


def _assert_color(table: object, color: object, weight: float) -> None:
    wanted = int(table[round(weight * 255)])  # type: ignore[index]
    red, green, blue = wanted >> 16 & 255, wanted >> 8 & 255, wanted & 255
    found = (color.red(), color.green(), color.blue())  # type: ignore[attr-defined]
    assert np.allclose(found, (red, green, blue), atol=6), (found, (red, green, blue), weight)


def test_steps_by_button_key_click_and_play(translated: Driver) -> None:
    driver, session, steps = translated, translated.session, translated.page.sentence.steps

    def step() -> int:
        selection = session.selection()
        assert selection is not None
        return selection.step

    trace = session.trace()
    assert trace is not None
    driver.click(steps.first)
    assert step() == 0
    driver.click(steps.next)
    assert step() == 1
    assert steps.where.text() == f"Step 2 of {trace.steps}"
    driver.key(Qt.Key.Key_PageDown)
    assert step() == 2
    driver.key(Qt.Key.Key_PageUp)
    assert step() == 1
    driver.key(Qt.Key.Key_End)
    assert step() == trace.steps - 1
    driver.key(Qt.Key.Key_Home)
    assert step() == 0
    output = driver.page.sentence.output
    driver.click(output, output.chip_center(4))
    assert step() == 4
    driver.key(Qt.Key.Key_Right, output)
    assert step() == 5
    steps.slider.setValue(3)
    assert step() == 2

    driver.program.player.set_interval(1)
    driver.key(Qt.Key.Key_Space)
    driver.wait(lambda: step() == trace.steps - 1 and not session.playing)


def test_what_the_step_reads_and_predicts_is_said(translated: Driver) -> None:
    translated.session.set_step(1)

    assert translated.page.kind_row.sentence.text().startswith("reads “L” → predicts “⋅a”, ")


def test_families_by_click_and_key(translated: Driver) -> None:
    driver, session = translated, translated.session

    def kind() -> AttentionKind:
        selection = session.selection()
        assert selection is not None
        return selection.kind

    driver.click(driver.page.kind_row.tabs[AttentionKind.ENCODER_SELF])
    assert kind() is AttentionKind.ENCODER_SELF
    assert driver.page.panes[0].title.text().startswith("Encoder layer")
    driver.key(Qt.Key.Key_D)
    assert kind() is AttentionKind.DECODER_SELF
    driver.key(Qt.Key.Key_C)
    assert kind() is AttentionKind.CROSS
    driver.key(Qt.Key.Key_E)
    assert kind() is AttentionKind.ENCODER_SELF


def test_letters_go_into_the_sentence_while_typing(translated: Driver) -> None:
    box = translated.page.sentence.box
    box.setFocus()
    box.clear()

    QTest.keyClicks(box, "edc ms")

    selection = translated.session.selection()
    assert selection is not None
    assert selection.kind is AttentionKind.CROSS
    assert box.text() == "edc ms"
    assert not translated.session.playing


def test_heads_by_click_arrows_and_mean(translated: Driver) -> None:
    driver, session, heads = translated, translated.session, translated.page.heads

    def head() -> tuple[int, int | None]:
        selection = session.selection()
        assert selection is not None
        return selection.layer, selection.head

    driver.click(heads.view, driver.head_center(2, 1))
    assert head() == (2, 1)
    assert driver.page.panes[0].title.text() == "Decoder layer 3 of 3, head 2 of 4"
    driver.key(Qt.Key.Key_Up, heads.view)
    assert head() == (1, 1)
    driver.key(Qt.Key.Key_Right, heads.view)
    assert head() == (1, 2)
    driver.key(Qt.Key.Key_Left, control=True)
    assert head() == (1, 1)
    driver.click(heads.mean)
    assert head() == (1, None)
    assert any("mean" in badge for badge in driver.page.panes[0].map.spec.badges)  # type: ignore[union-attr]
    assert "mean" in driver.page.panes[0].badges.text()
    driver.key(Qt.Key.Key_M)
    assert head() == (1, 1)


def test_a_click_in_the_map_pins_the_cell_and_its_step(translated: Driver) -> None:
    driver, session = translated, translated.session
    view = driver.page.panes[0].map
    session.last_step()
    session.select_head(1, 2)
    geometry = view.geometry_now()
    assert geometry is not None

    driver.click(view, geometry.rect_of(3, 5).center())

    selection, trace = session.selection(), session.trace()
    assert selection is not None
    assert trace is not None
    assert (selection.step, selection.query, selection.key) == (3, 3, 5)
    weight = float(trace.pattern(AttentionKind.CROSS, 1, 2)[3, 5])
    driver.wait(lambda: f"{weight:.3f}"[:4] in driver.window.status.read_out.text())
    driver.key(Qt.Key.Key_Left, view)
    selection = session.selection()
    assert selection is not None
    assert (selection.query, selection.key) == (3, 4)


def test_zoom_shows_a_part_and_reset_the_whole(translated: Driver) -> None:
    pane = translated.page.panes[0]
    whole = pane.map.geometry_now()
    assert whole is not None
    pane.map.zoom_by(2.0, QPointF(whole.rect_of(2, 2).center()))
    zoomed = pane.map.geometry_now()

    assert zoomed is not None
    assert zoomed.cell_width > whole.cell_width * 1.5
    assert pane.reset.isVisible()
    translated.click(pane.reset)
    again = pane.map.geometry_now()
    assert again is not None
    assert again.cell_width == whole.cell_width


def test_square_root_scale_says_so_and_changes_colours(translated: Driver) -> None:
    pane, session = translated.page.panes[0], translated.session
    session.last_step()
    session.select_head(0, 0)
    trace = session.trace()
    assert trace is not None
    weights = trace.pattern(AttentionKind.CROSS, 0, 0)
    row, column = np.unravel_index(np.argmin(np.abs(weights - 0.25)), weights.shape)

    translated.click(pane.sqrt)

    assert session.view.sqrt_scale
    assert "√" in pane.badges.text() or "square-root" in pane.badges.text()
    color = cell_color(pane.map, int(row), int(column))
    _assert_color(pane.map.theme.table, color, float(np.sqrt(weights[row, column])))


def test_a_second_pane_is_chosen_for_itself(translated: Driver) -> None:
    driver, session = translated, translated.session
    first, second = driver.page.panes
    session.select(0, kind=AttentionKind.CROSS, layer=1, head=2)
    assert not second.isVisible()

    driver.click(first.second)
    assert second.isVisible()
    driver.click(second.map, QPointF(2, 2))
    driver.key(Qt.Key.Key_E, second.map)

    assert first.title.text() == "Decoder layer 2 of 3, head 3 of 4"
    assert second.title.text().startswith("Encoder layer")
    assert second.property("active") is True
    assert first.property("active") is False
    driver.click(first.map, QPointF(2, 2))
    assert first.property("active") is True
    driver.click(second.close_button)
    assert not second.isVisible()
    assert len(session.document.panes) == 1


def test_the_next_word_table_lists_the_candidates_of_the_step(translated: Driver) -> None:
    trace, panel = translated.session.trace(), translated.page.next_word
    assert trace is not None
    translated.session.set_step(2)

    shares = [row.share for row in panel.model.rows if row.token_id >= 0]

    assert np.allclose(shares, np.exp(trace.candidate_logprobs[2]), atol=1e-6)
    assert panel.model.rows[0].raw == trace.candidate_tokens[2][0]
    assert [row.token_id for row in panel.model.rows if row.chosen] == [trace.tgt_out_ids[2]]


def test_pieces_follow_the_typing(translated: Driver) -> None:
    box = translated.page.sentence.box
    box.setFocus()
    box.selectAll()
    QTest.keyClicks(box, "green tea")

    translated.wait(lambda: translated.session.pieces is not None)
    pieces = translated.session.pieces
    assert pieces is not None
    assert "".join(pieces.pieces).replace("▁", " ").strip() == "green tea"
    assert translated.page.sentence.pieces.accessibleDescription().replace(" ", "") == "greentea"


class _Unreadable:
    """Patterns of a file that was damaged after it had been opened."""

    def shape(self, kind: AttentionKind) -> tuple[int, int, int, int] | None:
        return (1, 1, 3, 3) if kind is AttentionKind.ENCODER_SELF else None

    def pattern(self, kind: AttentionKind, layer: int, head: int) -> NoReturn:
        raise HeadscopeError("trace_values", kind=str(kind), layer=layer + 1, path="torn.trace")

    def layer(self, kind: AttentionKind, layer: int) -> NoReturn:
        self.pattern(kind, layer, 0)


def test_an_empty_sentence_becomes_a_sentence(translated: Driver) -> None:
    before = translated.session.trace()
    translated.page.sentence.box.clear()
    translated.session.set_text("")
    translated.click(translated.page.sentence.translate)
    translated.wait(lambda: bool(translated.window.notice.text))

    assert translated.session.trace() is before
    assert not translated.session.job.busy


def test_the_language_switches_while_the_window_is_open(translated: Driver) -> None:
    driver = translated
    assert driver.page.sentence.translate.text() == "Translate"

    driver.click(driver.window.top.language)

    driver.wait(lambda: driver.page.sentence.translate.text() == "翻译")
    assert driver.page.heads.mean.text() == "各注意力头平均"
    assert driver.page.sentence.steps.where.text().startswith("第")
    assert "层" in driver.page.panes[0].title.text()
    driver.click(driver.window.top.language)
    driver.wait(lambda: driver.page.sentence.translate.text() == "Translate")


def test_the_theme_switches_while_the_window_is_open(translated: Driver) -> None:
    driver, view = translated, translated.page.panes[0].map
    driver.session.set_step(0)
    light = view.grab().toImage().pixelColor(1, 1)

    driver.window.actions_.themes["dark"].trigger()

    dark = view.grab().toImage().pixelColor(1, 1)
    assert light.lightness() > 240
    assert dark.lightness() < 60
    driver.window.actions_.themes["light"].trigger()
    assert view.grab().toImage().pixelColor(1, 1) == light


def test_present_hides_the_chrome_and_enlarges_the_type(translated: Driver) -> None:
    driver, box = translated, translated.page.sentence.box
    before = box.fontInfo().pixelSize()

    driver.window.actions_["present"].trigger()

    assert not driver.window.top.isVisible()
    assert not driver.window.menuBar().isVisible()
    assert box.fontInfo().pixelSize() >= before * 1.6 - 1
    driver.page.panes[0].map.setFocus()
    driver.key(Qt.Key.Key_Escape)
    assert driver.window.top.isVisible()
    assert box.fontInfo().pixelSize() == before


def test_positions_show_the_models_own_encoding(translated: Driver) -> None:
    driver, page = translated, translated.window.pages.positions.panels["encoding"]
    driver.click(driver.window.top.pages[1])
    info = driver.session.model
    assert info is not None
    assert info.positions is not None
    assert page.view.isVisible()

    geometry = page.view.geometry_now()
    assert geometry is not None
    before = page.curves
    center = _cell_center(geometry, page.view.rect().width(), page.view.rect().height(), (5, 7))
    QTest.mouseMove(page.view, center.toPoint())
    driver.click(page.view, center)

    assert 7 in set(page.curves) ^ set(before)
    angle = 5 / 10000 ** (6 / 32)
    assert f"{np.cos(angle):+.4f}" in driver.window.status.read_out.text()


def _cell_center(geometry: object, width: int, height: int, wanted: tuple[int, int]) -> QPointF:
    for y in range(height):
        for x in range(width):
            if geometry.cell_at(QPointF(x, y)) == wanted:  # type: ignore[attr-defined]
                return QPointF(x + 1, y + 1)
    raise AssertionError(f"no pixel shows {wanted}")


def test_an_empty_window_says_what_to_do_and_takes_what_is_dropped(
    driver: Driver, tiny_trace: Trace, tmp_path: Path
) -> None:
    pane = driver.page.panes[0]

    assert pane.empty.isVisible()
    assert "press Enter" in pane.empty.sentence.text()
    assert pane.empty.button.text() == "Show an example"

    driver.ask_path(tmp_path)

    assert str(tmp_path) in driver.window.notice.text
    assert "holds a model" in driver.window.notice.text

    path = tmp_path / "dropped.trace"
    save_trace(tiny_trace, path)
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    none, left = Qt.KeyboardModifier.NoModifier, Qt.MouseButton.LeftButton

    driver.window.dropEvent(QDropEvent(QPointF(5, 5), Qt.DropAction.CopyAction, data, left, none))
    driver.read()

    run = driver.session.run()
    assert run is not None
    assert run.trace.src_text == SENTENCE
    assert driver.page.sentence.box.text() == SENTENCE
    assert driver.window._settings.recents == [str(path)]

    damaged = replace(tiny_trace, patterns=_Unreadable(), src_tokens=("a", "b", "</s>"))
    driver.session.add_run(Run("torn", damaged))

    driver.wait(lambda: "torn.trace" in driver.window.notice.text)


def test_opening_a_model_without_an_example_translates_a_sample(driver: Driver, tiny_bundle: Path) -> None:
    driver.open(tiny_bundle)
    driver.wait(driver.translated)

    assert driver.session.text == samples("en")["agreement"][0]
    driver.wait(driver.page.panes[0].map.isVisible)
    assert "tiny" in driver.window.top.model.text()
    assert "4 heads" in driver.window.top.model.text()

    # Enter does not translate while an input method composes.
    box = driver.page.sentence.box
    asked = heard(driver.session, Translate)

    QApplication.sendEvent(box, QInputMethodEvent("ni", []))
    QTest.keyClick(box, Qt.Key.Key_Return)
    assert asked == []

    QApplication.sendEvent(box, QInputMethodEvent("", []))
    QTest.keyClick(box, Qt.Key.Key_Return)
    assert len(asked) == 1
    driver.wait(driver.translated)

    # Escape cancels.
    driver.session.set_text(" ".join([SENTENCE] * 5))
    driver.click(driver.page.sentence.translate)
    assert driver.page.sentence.translate.text() == "Stop"

    driver.key(Qt.Key.Key_Escape)

    driver.wait(lambda: not driver.session.job.busy)
    assert driver.page.sentence.translate.text() == "Translate"
    driver.translate(SENTENCE)


def test_a_bad_file_becomes_a_sentence_and_the_window_goes_on(
    driver: Driver, tiny_bundle: Path, tmp_path: Path
) -> None:
    path = tmp_path / "bad.trace"
    for content in (b"", b"garbage", b"\x08\x00\x00\x00\x00\x00\x00\x00{}      "):
        path.write_bytes(content)
        driver.ask_path(path)
        assert "bad.trace" in driver.window.notice.text, content
        assert driver.window.notice.text.endswith(".")
        driver.open(tiny_bundle)
        driver.wait(driver.translated)
        assert "bad.trace" not in driver.window.notice.text, content


def test_closing_during_a_job_is_clean(driver: Driver, tiny_bundle: Path) -> None:
    driver.open(tiny_bundle)
    driver.session.set_text(" ".join([SENTENCE] * 5))
    driver.click(driver.page.sentence.translate)

    driver.window.close()

    assert driver.program.ended
    assert not driver.program.engine.busy


def test_choices_are_remembered_and_callouts_come_once(
    qtbot: QtBot, tmp_path: Path, tiny_bundle: Path
) -> None:
    driver = start(qtbot, tmp_path)
    driver.window.guidance.show_callouts()
    driver.open(tiny_bundle)
    driver.wait(driver.translated)
    guide = driver.window.guidance.guide
    assert guide is not None
    callouts = guide.callouts
    assert [bubble.isVisible() for bubble in callouts.bubbles] == [True, True, True]

    driver.translate(SENTENCE)
    assert not callouts.bubbles[0].isVisible()
    driver.key(Qt.Key.Key_PageUp)
    assert not callouts.bubbles[1].isVisible()
    driver.click(callouts.bubbles[2].close_button)

    driver.window.resize(1100, 700)
    driver.session.set_view(raw_pieces=True)
    driver.window.actions_["whole_words"].trigger()
    driver.session.set_decoding({"mode": "beam", "beam_size": 3, "length_penalty": 0.5})
    driver.session.set_pace(SLOW)
    driver.window.actions_.themes["dark"].trigger()
    driver.window.close()

    again = start(qtbot, tmp_path, theme=None)
    again.window.guidance.show_callouts()
    assert again.window.guidance.guide is None
    assert again.session.view.raw_pieces
    assert again.session.view.whole_words
    assert again.page.sentence.decoding.text() == "Beam 3 · slow"
    assert again.session.decoding.pace == SLOW
    again.window.close()
    assert again.program.ended
    assert Settings(str(tmp_path / "settings.ini")).theme == "dark"


def test_a_page_is_made_in_many_short_parts(desk: Desk) -> None:
    """Each part is a turn of the event loop, beforehand or once somebody waits for the page."""
    pages = desk.window.pages
    for lazy, least in ((pages._train, 12), (pages._learn, 4), (pages._positions, 9)):
        parts = 0
        for _ in lazy.ahead():
            parts += 1
            if lazy.made is None:  # another language, in the middle of it, is no trouble
                QApplication.sendEvent(pages, QEvent(QEvent.Type.LanguageChange))
        assert parts >= least
    assert pages.train.form.heading.text() == "Train a model"
