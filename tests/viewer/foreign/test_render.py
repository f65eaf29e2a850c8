"""`render` with every kind of model that is not ours, from a text and from its trace."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

import main
from tests.foreign_assets import TEXTS, WRITERS

FIRST_OF = {
    "bart": "cross",
    "bert": "encoder_self",
    "gpt2": "decoder_self",
    "llama": "decoder_self",
    "t5": "cross",
}


@pytest.mark.slow
@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("kind", list(WRITERS))
def test_a_text_and_its_trace_are_drawn_alike(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    folder, path = WRITERS[kind](tmp_path / kind), tmp_path / "x.trace"
    model = ("--model", str(folder), "--any-script")
    assert main.main(["trace", *model, "--out", str(path), TEXTS[0]]) == 0
    for ending in ("png", "csv"):
        assert main.main(["render", "--trace", str(path), "--out", str(tmp_path / f"a.{ending}")]) == 0
        assert main.main(["render", *model, "--out", str(tmp_path / f"b.{ending}"), TEXTS[0]]) == 0
    texts = {name: (tmp_path / f"{name}.csv").read_text(encoding="utf-8") for name in "ab"}
    assert texts["a"] == texts["b"]
    assert next(csv.DictReader(texts["a"].splitlines()))["kind"] == FIRST_OF[kind]
    capsys.readouterr()
    out = str(tmp_path / "x.png")
    assert main.main(["render", *model, "--view", "arithmetic", "--out", out, TEXTS[0]]) == 0
    capsys.readouterr()
    assert main.main(["render", *model, "--view", "shares", "--out", out, TEXTS[0]]) == 1
    said = capsys.readouterr().err.splitlines()
    assert said[-1].startswith("headscope: error:")
