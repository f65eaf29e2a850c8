"""A Heads table with a stand-in for the engine, and a corpus's made-up scores."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from model.heads.head_metrics import METRICS, PLACE, Metric
from model.heads.head_roles import CorpusScores
from model.heads.head_scores import HeadScores
from model.inspection.answering import answer
from model.questions.head_questions import CorpusHeads
from model.trace.trace import AttentionKind
from tests.viewer.figure_samples import sample_trace
from viewer.document.document import Run
from viewer.document.selection import Selection
from viewer.document.session import Session
from viewer.pages.look.heads_table.heads_model import COLUMNS
from viewer.pages.look.heads_table.heads_table_panel import HeadsTablePanel
from viewer.pages.widgets.appearance import Appearance

ENC, DEC, CRO = AttentionKind.ENCODER_SELF, AttentionKind.DECODER_SELF, AttentionKind.CROSS


class Asked:
    """Stands for the engine: remembers what is asked, answers when told."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.waiting: list[Any] = []
        self.dropped: list[Any] = []
        session.answers.wanted.connect(self._wanted)
        session.answers.unwanted.connect(self._unwanted)

    def _wanted(self, question: Any, reading: Any, topic: str) -> None:
        assert reading is None
        self.waiting.append(question)

    def _unwanted(self, question: Any, reading: Any) -> None:
        self.dropped.append(question)

    def answer(self) -> None:
        """Work out what waits."""
        while self.waiting:
            question = self.waiting.pop()
            *_, found = answer(None, question)
            self.session.answers.finish((question, None), found)


class Bench:
    def __init__(self, qtbot: QtBot, qapp: Any) -> None:
        self.session = Session()
        self.asked = Asked(self.session)
        self.look = Appearance("light", qapp)
        self.panel = HeadsTablePanel(self.session, self.look)
        qtbot.addWidget(self.panel)
        qtbot.addWidget(self.panel.tools)
        self.panel.resize(970, 230)

    def add(self, name: str = "a", **changes: Any) -> Run:
        run = Run(name, sample_trace(), **changes)
        self.session.add_run(run, Selection(CRO, 1, 0, 1))
        return run

    def shown(self) -> HeadsTablePanel:
        self.panel.show()
        return self.panel

    def cell(self, row: int, name: str) -> str:
        model = self.panel.list.model()
        return str(model.index(row, COLUMNS.index(name)).data())

    def column(self, name: str) -> list[str]:
        return [self.cell(row, name) for row in range(self.panel.list.model().rowCount())]


def full(bench: Bench, **changes: Any) -> Bench:
    bench.add(**changes)
    bench.shown()
    bench.asked.answer()
    return bench


def corpus_scores(**changes: Any) -> CorpusScores:
    """Every head's numbers 0.25; encoder layer 1, head 0 reads the token before; random weights 0.125."""
    shapes = dict.fromkeys(AttentionKind, (2, 2))
    own, random = (
        HeadScores(
            {kind: np.full((*size, len(METRICS)), value) for kind, size in shapes.items()},
            {kind: np.full(size, 1234) for kind, size in shapes.items()},
        )
        for value in (0.25, 0.125)
    )
    own.values[ENC][1, 0, PLACE[Metric.PREVIOUS_TOP]] = 0.75
    fields: dict[str, Any] = {
        "path": "/somewhere/pairs.tsv", "sentences": 345, "left_out": 2, "forced": True, "seed": 1,
        "scores": own, "random": random, "model_name": "tiny",
    }  # fmt: skip
    return CorpusScores(**(fields | changes))


def read(bench: Bench, monkeypatch: pytest.MonkeyPatch, path: str = "/somewhere/pairs.tsv") -> CorpusHeads:
    """Choose a file; what is then asked."""
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (path, ""))
    bench.panel.tools.scopes[1].click()
    bench.panel.corpus.ask()
    question = bench.asked.waiting.pop()
    assert isinstance(question, CorpusHeads)
    return question
