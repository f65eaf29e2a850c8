"""The chips of the output: what is yet to come waits as dots, and in a round nothing is."""

from __future__ import annotations

import dataclasses
import gc
import weakref

import numpy as np
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from model.trace.trace import Trace
from tests.viewer.desk import Desk
from viewer.document.document import Document, Run
from viewer.pages.look.sentence.output_chips import ShownChips, all_chips
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.token_strip import Chip, TokenStrip


def pending(trace: Trace, step: int) -> list[bool]:
    run = Run("1", trace)
    return [chip.pending for chip in all_chips(Document((run,)), run, raw=False, paused=False).at(step)]


def test_later_tokens_wait_but_those_of_a_round_are_all_there(qapp: QApplication, tiny_trace: Trace) -> None:
    later = tiny_trace.steps - 2
    assert pending(tiny_trace, 1) == [False] * 2 + [True] * later
    of_round = dataclasses.replace(tiny_trace, extra={**tiny_trace.extra, "frame_kind": "round"})
    assert pending(of_round, 1) == [False] * tiny_trace.steps


def test_chips_stand_where_they_would_in_a_strip_that_never_had_others(qtbot: QtBot) -> None:
    plain = tuple(Chip(text) for text in ("one", "two", "three"))
    framed = [
        tuple(dataclasses.replace(chip, shade=0.0 if n == at else None) for n, chip in enumerate(plain))
        for at in range(3)
    ]
    longer = tuple(dataclasses.replace(chip, text=chip.text * 9) for chip in framed[1])
    look = Appearance("light")
    strip = TokenStrip(look)
    qtbot.addWidget(strip)
    for chips in (plain, framed[0], framed[2], longer, framed[1], plain):
        strip.show_chips(chips, 1)
        fresh = TokenStrip(look)
        qtbot.addWidget(fresh)
        fresh.show_chips(chips, 1)
        moved = [strip.chip_center(n) - fresh.chip_center(n) for n in range(3)]
        assert len({(by.x(), by.y()) for by in moved}) == 1, "but for how far they are scrolled"
        assert (strip.chips, strip.accessibleDescription()) == (chips, fresh.accessibleDescription())


def test_chips_that_nobody_sees_are_not_measured(qtbot: QtBot) -> None:
    strip = TokenStrip(Appearance("light"))
    qtbot.addWidget(strip)
    strip.resize(60, strip.height())
    chips = tuple(Chip(f"word{n}") for n in range(50))
    strip.show_chips(chips, 40)
    assert not strip._lefts

    assert strip.chip_center(40).x() < strip.width()  # it is scrolled to, whoever asks first
    assert strip._lefts


def test_what_chips_say_is_in_the_language_of_the_window(desk: Desk) -> None:
    def said() -> list[str]:
        return [chip.tip for chip in desk.page.sentence.output.chips]

    desk.wait(lambda: said()[0].startswith("Step 1: "))
    before, shown = said(), desk.page.sentence.output.chips
    desk.window.toggle_language()
    try:
        desk.wait(lambda: desk.page.sentence.output.chips is not shown)
        assert not any(tip.startswith("Step") for tip in said())
        assert [tip.split("%")[0].split()[-1] for tip in said()] == [
            tip.split("%")[0].split()[-1] for tip in before
        ]
    finally:
        desk.window.toggle_language()
        desk.wait(lambda: said() == before)


def test_in_another_language_only_chips_whose_text_or_signs_are_others_are_made_anew(desk: Desk) -> None:
    run = desk.session.run()
    assert run is not None
    last = run.trace.steps - 1
    copying = dataclasses.replace(run.trace, copy_share=np.full(run.trace.steps, 0.5, np.float32))
    copied, kept, signed = Run("copied", copying), ShownChips(), ShownChips()

    def shown() -> tuple[tuple[Chip, ...], tuple[Chip, ...]]:
        of_run = kept.of(Document((run,)), run, raw=False, paused=False)
        return of_run.at(last), signed.of(Document((copied,)), copied, raw=False, paused=False).at(last)

    before, signs = shown()
    assert signs[0].signs.endswith("copied")
    desk.window.toggle_language()
    try:
        after, signs_after = shown()
        words = [new is old for new, old in zip(after, before, strict=True) if new.text == old.text]
        assert all(words)
        assert len(words) > 1
        assert after[-1].text != before[-1].text, "the sign of the end has a name"
        assert after == all_chips(Document((run,)), run, raw=False, paused=False).at(last)
        assert signs_after[0].signs.endswith("50%"), signs_after[0].signs
    finally:
        desk.window.toggle_language()


def test_chips_keep_nothing_of_the_run_that_they_are_of(qapp: QApplication, tiny_trace: Trace) -> None:
    """A row that nobody sees does not hear that the run is gone."""
    trace = dataclasses.replace(tiny_trace)
    run, other = Run("1", trace), Run("2", tiny_trace)
    shown = ShownChips()
    made = shown.of(Document((run, other)), run, raw=False, paused=False)
    assert shown.of(Document((run, other)), run, raw=False, paused=False) is made
    chips, gone = made.at(1), weakref.ref(trace)
    assert chips[0].tip.startswith("Step 1: ")

    del trace, run
    gc.collect()

    assert gone() is None
    assert chips[0].tip == ""
    assert shown.of(Document((other,)), other, raw=False, paused=False) is not made
