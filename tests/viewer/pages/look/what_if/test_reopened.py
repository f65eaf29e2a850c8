"""Altered runs that come from files: what was changed goes on to be known, whoever made them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from model.alterations.block_token import BlockToken
from model.alterations.registry import all_to_json
from model.alterations.scale_head import ScaleHead
from model.decoding.decode_config import DecodeConfig
from model.inspection.importance import measure_heads
from model.trace.trace import AttentionKind
from model.trace.trace_file import save_trace
from model.translator.translator import Translator
from tests.assets import SENTENCE
from tests.viewer.pages.look.what_if.samples import base_trace
from tests.viewer.services.bench import Bench
from viewer.document.document import Document, Pane, Run
from viewer.document.files.session_file import open_session, save_session
from viewer.document.messages.requests import Branch, MeasureImportance
from viewer.document.run_source import RunSource
from viewer.document.selection import Selection
from viewer.document.what_if.what_if import pair_of
from viewer.engine.engine import Engine
from viewer.opening import recorded_run

CHANGES = (ScaleHead(AttentionKind.CROSS, 1, None, 0.25), BlockToken(1))
# As other programs and later versions may write them.
FOREIGN: tuple[Any, ...] = (
    {"type": "later", "x": [1, {"y": 2}]},
    {"type": "block", "token": "one"},
    {"type": ["scale"]},
    "said in words",
    None,
    [3],
    {"type": "scale", "kind": "cross", "layer": 77, "head": 99, "factor": 0.0},
)


def test_an_altered_trace_from_a_file_is_an_altered_run(tmp_path: Path) -> None:
    save_trace(base_trace(alterations=all_to_json(CHANGES)), tmp_path / "a.trace")
    run = recorded_run(tmp_path / "a.trace", RunSource.FILE)
    assert run.changes == CHANGES
    assert pair_of(Document((run,)), run) is None, "nothing untouched is known that it could be compared with"


def test_its_heads_are_measured_and_its_branches_made_by_the_altered_model(
    qtbot: QtBot, tiny_bundle: Path, tmp_path: Path
) -> None:
    translator = Translator.load(tiny_bundle)
    *_, last = translator.decode(SENTENCE, alterations=CHANGES)
    save_trace(last.trace, tmp_path / "a.trace")
    bench = Bench(qtbot, Engine(threads=1))
    bench.open(str(tiny_bundle))
    run = recorded_run(tmp_path / "a.trace", RunSource.FILE)
    bench.session.add_run(run, Selection())
    bench.session.ask(MeasureImportance(run.id))
    bench.idle()
    found = bench.runs[0].importance
    *_, expected = measure_heads(translator.bundle, SENTENCE, last.trace.tgt_out_ids.tolist(), CHANGES)
    assert found is not None
    assert not isinstance(expected, tuple)
    assert found.logprob == pytest.approx(float(last.trace.step_logprob.sum(dtype=np.float64)), abs=1e-4)
    for kind, change in expected.change.items():
        np.testing.assert_allclose(found.change[kind], change, atol=1e-4)

    other = int(last.trace.candidate_ids[0, 1])
    bench.session.ask(Branch(run.id, 0, other))
    bench.idle()
    *_, branch = translator.decode(SENTENCE, DecodeConfig(prefix_ids=(other,)), alterations=CHANGES)
    assert bench.tokens(bench.runs[-1]) == branch.trace.tgt_out_ids.tolist()
    np.testing.assert_allclose(bench.runs[-1].trace.step_logprob, branch.trace.step_logprob, atol=1e-4)

    unknown = Run("unknown", replace(last.trace, alterations=FOREIGN), alterations=FOREIGN)
    bench.session.add_run(unknown, Selection())
    bench.session.ask(MeasureImportance("unknown"))
    assert bench.notice() == "alteration_unknown"
    assert bench.engine.close()


def test_a_session_keeps_what_another_program_says_of_its_changes(qapp: object, tmp_path: Path) -> None:
    trace = base_trace(alterations=FOREIGN)
    document = Document((Run("a", trace, alterations=FOREIGN),), (Pane("a", Selection()),))
    save_session(tmp_path / "s.headscope", document, "x", None)
    (run,) = open_session(tmp_path / "s.headscope").document.runs
    assert run.alterations == run.trace.alterations == FOREIGN
