"""A new alteration: one file and its row are all that it takes, from the command line to the picture."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from model.alterations import registry as model_registry
from model.alterations.registry import from_json
from model.commands.translate import build_parser
from model.commands.translate import run as translate
from model.decoding.decode_config import DecodeConfig
from model.errors import HeadscopeError
from model.trace.trace import AttentionKind, Trace
from model.translator.translator import Translator
from tests.assets import SENTENCE
from tests.viewer.document.alterations.flatten import Flatten, FlattenRow, FlattenSection
from tests.viewer.pages.look.what_if.samples import BASE, Heard, altered_run, session_with
from viewer.document.alterations import registry
from viewer.document.alterations.alteration_text import altered_badges, set_rows
from viewer.document.alterations.registry import ROWS
from viewer.document.files.run_json import run_json, run_of
from viewer.export.command_line import alteration_flags
from viewer.pages.look.what_if.what_if_panel import WhatIfPanel
from viewer.pages.widgets.appearance import Appearance

CROSS = AttentionKind.CROSS
FLAT = Flatten(CROSS, 1, 2)


@pytest.fixture(autouse=True)
def rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_registry, "ALTERATIONS", (*model_registry.ALTERATIONS, Flatten))
    monkeypatch.setattr(registry, "ROWS", (*ROWS, FlattenRow(Flatten)))


def decoded(folder: Path, *changes: Flatten) -> Trace:
    *_, last = Translator.load(folder).decode(SENTENCE, DecodeConfig(), alterations=changes)
    return last.trace


def test_commands_take_it_and_it_changes_what_they_compute(
    tiny_bundle: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "--flatten LAYER:HEAD" in build_parser().format_help()
    said = []
    for flags in ([], ["--flatten", "2:3", "--flatten", "1:1"]):
        assert translate(["--model", str(tiny_bundle), "--json", *flags, SENTENCE]) == 0
        said.append(json.loads(capsys.readouterr().out)["steps"][0]["logprob"])
    assert said[0] != said[1]


def test_what_is_recorded_is_what_it_did(tiny_bundle: Path) -> None:
    plain, flat = decoded(tiny_bundle), decoded(tiny_bundle, FLAT)

    keys = len(flat.src_tokens)
    np.testing.assert_allclose(flat.pattern(CROSS, 1, 2), np.full((flat.steps, keys), 1 / keys), rtol=1e-6)
    np.testing.assert_array_equal(flat.pattern(CROSS, 0, 2)[0], plain.pattern(CROSS, 0, 2)[0])
    assert abs(flat.pattern(CROSS, 2, 0)[0] - plain.pattern(CROSS, 2, 0)[0]).max() > 0
    assert flat.alterations == ({"type": "flatten", "kind": "cross", "layer": 1, "head": 2},)
    assert from_json(flat.alterations[0]) == FLAT


def test_what_the_model_has_not_got_is_refused(tiny_bundle: Path) -> None:
    with pytest.raises(HeadscopeError) as caught:
        decoded(tiny_bundle, Flatten(CROSS, 9, 0))
    assert caught.value.code == "alteration_layer"


def test_pictures_say_it_and_the_copied_command_asks_for_it(tiny_bundle: Path) -> None:
    trace = decoded(tiny_bundle, FLAT)

    assert altered_badges(trace) == ["model altered: cross-attention of layer 2, head 3 flat"]
    assert set_rows(trace, CROSS, 1, 2) == tuple(range(trace.steps))
    assert set_rows(trace, CROSS, 1, 1) == ()
    assert alteration_flags(trace) == ["--flatten", "2:3"]


def test_without_a_row_in_the_window_it_is_told_in_english(
    monkeypatch: pytest.MonkeyPatch, tiny_bundle: Path
) -> None:
    monkeypatch.setattr(registry, "ROWS", ROWS)
    trace = decoded(tiny_bundle, FLAT)

    assert altered_badges(trace) == ["model altered: cross-attention of decoder layer 2, head 3 flattened"]


def test_a_session_keeps_it() -> None:
    run = altered_run(FLAT)

    kept = run_of(json.loads(json.dumps(run_json(run, "t"))), run.trace)
    assert kept.changes == (FLAT,)


@pytest.mark.qt_log_ignore("propagateSizeHints")
def test_what_if_offers_it(qtbot: Any) -> None:
    session = session_with()
    heard = Heard(session)
    panel = WhatIfPanel(session, Appearance("light"))
    qtbot.addWidget(panel)
    panel.show()

    part = next(one for one in panel.sections if isinstance(one, FlattenSection))
    assert part.isVisible()
    assert part.button.isEnabled()
    part.button.click()
    assert heard.altered == [(BASE, (Flatten(CROSS, 1, 0),))]
    assert not part.button.isEnabled()


def test_every_alteration_that_is_shipped_has_a_row_in_the_window() -> None:
    assert {row.kind for row in ROWS} == set(model_registry.ALTERATIONS) - {Flatten}
    assert len(ROWS) == len({row.kind for row in ROWS})
