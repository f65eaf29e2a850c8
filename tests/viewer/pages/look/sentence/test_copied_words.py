"""Words that a model copies: told at the chips and beside the candidates, drawn under the words."""

from __future__ import annotations

import numpy as np
from pytestqt.qtbot import QtBot

from model.trace.trace import Trace
from tests.viewer.figure_samples import sample_trace
from viewer.document.document import Document, Run
from viewer.pages.look.next_word.next_word_text import note_text
from viewer.pages.look.sentence.output_chips import all_chips
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.token_strip import Chip, TokenStrip


def chips_of(trace: Trace) -> tuple[Chip, ...]:
    run = Run("1", trace)
    return all_chips(Document((run,)), run, raw=False, paused=False).at(trace.steps - 1)


def test_what_is_copied_is_said() -> None:
    steps = sample_trace().steps
    shares = np.linspace(0, 1, steps).astype(np.float32)
    trace = sample_trace(copy_share=shares)
    chips = chips_of(trace)
    assert [chip.copied for chip in chips] == shares.tolist()
    assert "copied" not in chips[0].tip
    assert chips[-1].tip.endswith("100 % copied")
    note = note_text(trace, steps - 1, 0.5, 9)
    assert note.endswith("100 % of them is copied from the sentence read, the rest generated.")
    plain = sample_trace()
    assert "copied" not in note_text(plain, 0, 0.5, 9)
    assert all(chip.copied == 0 for chip in chips_of(plain))


def test_a_bar_under_a_word_is_as_long_as_the_share(qtbot: QtBot) -> None:
    strip = TokenStrip(look := Appearance("light"))
    qtbot.addWidget(strip)
    strip.resize(300, strip.height())
    accent = look.color("accent").rgb()

    def length(share: float) -> int:
        strip.show_chips((Chip("Francine", 0.2, copied=share),), 1)
        image = strip.grab().toImage()
        rows = [sum(image.pixel(x, y) == accent for x in range(image.width())) for y in range(image.height())]
        return max(rows)

    whole = length(1.0)
    assert whole > 20
    assert abs(length(0.5) - whole / 2) <= 2
    assert length(0.0) == 0
