"""The chips of the output: what is yet to come waits as dots, and in a round nothing is."""

from __future__ import annotations

import dataclasses

from PySide6.QtWidgets import QApplication

from model.trace.trace import Trace
from viewer.document.document import Document, Run
from viewer.pages.look.sentence.output_chips import output_chips


def pending(trace: Trace, step: int) -> list[bool]:
    run = Run("1", trace)
    return [chip.pending for chip in output_chips(Document((run,)), run, step, raw=False, paused=False)]


def test_later_tokens_wait_but_those_of_a_round_are_all_there(qapp: QApplication, tiny_trace: Trace) -> None:
    later = tiny_trace.steps - 2
    assert pending(tiny_trace, 1) == [False] * 2 + [True] * later
    of_round = dataclasses.replace(tiny_trace, extra={**tiny_trace.extra, "frame_kind": "round"})
    assert pending(of_round, 1) == [False] * tiny_trace.steps
