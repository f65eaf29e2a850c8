"""Lists inside sentences have the separators of the language."""

from __future__ import annotations

import re
from dataclasses import replace

from PySide6.QtCore import QTranslator
from PySide6.QtWidgets import QApplication

from model.alterations.block_token import BlockToken
from model.alterations.registry import all_to_json
from model.alterations.scale_head import ScaleHead
from model.trace.trace import AttentionKind
from tests.viewer.figure_samples import sample_trace
from viewer.document.alterations.alteration_text import altered_badges, run_state_text
from viewer.document.document import Document, Run
from viewer.document.run_names import run_names
from viewer.document.text.lists import clauses, names, phrases
from viewer.pages.look.branches.run_words import mode_text
from viewer.resources import ROOT

CHANGES = (ScaleHead(AttentionKind.CROSS, 0, 0), BlockToken(1))


def said() -> dict[str, str]:
    run = Run("a", replace(sample_trace(), alterations=tuple(all_to_json(CHANGES))))
    return {
        "badge": " ".join(altered_badges(run.trace)),
        "state": run_state_text(run.trace),
        "name": run_names(Document((run,)))["a"],
        "made": mode_text(run),
    }


def test_every_list_has_the_languages_own_separators(qapp: QApplication) -> None:
    assert (clauses("ab"), phrases("ab"), names("ab")) == ("a; b", "a, b", "a, b")
    assert all("; source token 2" in text for text in said().values())
    translator = QTranslator()
    assert translator.load(str(ROOT / "translations" / "headscope_zh_CN.qm"))
    qapp.installTranslator(translator)
    try:
        assert (clauses("ab"), phrases("ab"), names("ab")) == ("a；b", "a，b", "a、b")
        texts = said()
    finally:
        qapp.removeTranslator(translator)
    for where, text in texts.items():
        assert "；" in text, where
        assert not re.search("[;,] ", text), where
