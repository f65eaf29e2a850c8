"""Likeness to drawn patterns, and scores of repeated tokens, worked out by hand."""

from __future__ import annotations

import csv
import io
import json
import math
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file

from main import main
from model.errors import HeadscopeError
from model.folder.bundled import resolve_model
from model.heads.general_scores import repeated_scores
from model.heads.likeness import PRESETS, Drawing, cosine, drawing_csv, preset, read_drawing
from model.trace import trace
from model.trace.trace import AttentionKind

ENCODER, DECODER, CROSS = AttentionKind


@pytest.mark.parametrize("block", [1, 6, 1 << 18])
def test_the_cosine_by_hand(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Drawn: row 0 nothing, row 1 (2, 2, ·) over the visible, row 2 all on its first key."""
    monkeypatch.setattr(trace, "_BLOCK", block)
    pattern = np.array([[1, 0, 0], [0.75, 0.25, 0], [0.5, 0.3, 0.2]], np.float32)
    drawn = np.array([[0, 0, 9], [2, 2, 7], [3, 0, 0]], np.float64)
    seen = np.tril(np.ones((3, 3), bool))
    # d = (½, ½ | 1, 0, 0), α = (0.75, 0.25 | 0.5, 0.3, 0.2)
    product = 0.5 * 0.75 + 0.5 * 0.25 + 1 * 0.5
    lengths = (0.25 + 0.25 + 1) * (0.5625 + 0.0625 + 0.25 + 0.09 + 0.04)
    assert cosine(pattern, drawn, seen) == pytest.approx(product / math.sqrt(lengths), abs=1e-7)
    both = cosine(np.stack([pattern, np.zeros_like(pattern)]), drawn, seen)
    assert both.shape == (2,)
    assert np.isnan(both[1])  # a head that is masked as a whole is like nothing
    same = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1]], np.float32)
    assert cosine(same, 5.0 * same, seen) == pytest.approx(1.0)
    assert np.isnan(cosine(same, np.triu(np.ones((3, 3)), 1), seen))  # drawn where nobody sees


def test_presets_by_hand() -> None:
    found = {name: preset(name, ENCODER, 3, 3) for name in PRESETS}
    expected = {
        "diagonal": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
        "previous": [[0, 0, 0], [1, 0, 0], [0, 1, 0]],
        "next": [[0, 1, 0], [0, 0, 1], [0, 0, 0]],
        "first": [[1, 0, 0]] * 3,
        "last": [[0, 0, 1]] * 3,
        "uniform": [[1, 1, 1]] * 3,
    }
    for name, cells in expected.items():
        np.testing.assert_array_equal(found[name], cells)
    # From corner to corner: 4 rows over 3 columns are at 0, 2/3, 4/3, 2.
    diagonal = preset("diagonal", CROSS, 4, 3)
    assert diagonal is not None
    assert diagonal.argmax(1).tolist() == [0, 1, 1, 2]
    assert preset("previous", CROSS, 4, 3) is None


def test_repeated_tokens_by_hand() -> None:
    """a b c a b c behind a start token: row 4 reads the second a."""
    pattern = np.zeros((7, 7), np.float32)
    pattern[4] = [
        0,
        0.1,
        0.6,
        0.1,
        0.2,
        0,
        0,
    ]  # 0.1 on the first a, 0.6 on the b behind it, 0.1 on the c before
    pattern[5] = [0, 0, 0.2, 0.3, 0.5, 0, 0]
    pattern[6] = [0, 0, 0, 0.9, 0.1, 0, 0]
    previous, duplicate, induction = repeated_scores(pattern, 1, 3, causal=True)
    assert previous == pytest.approx((0.1 + 0.5 + 0.0) / 3)
    assert duplicate == pytest.approx((0.1 + 0.2 + 0.9) / 3)
    assert induction == pytest.approx((0.6 + 0.3 + 0.1) / 3)
    assert np.isnan(repeated_scores(pattern, 1, 3, causal=False)[2])


def told(argv: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    assert main(argv) == 0
    return capsys.readouterr().out


def test_the_command_says_what_numpy_says_of_the_trace(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arrays = load_file(resolve_model("en-fr") / "example.trace")
    pattern = arrays["decoder_self"][1, 3].astype(np.float64)
    own = np.array([pattern[i, i - 1] for i in range(1, len(pattern))])
    lengths = math.sqrt(len(own) * (np.tril(pattern)[1:] ** 2).sum())
    found = json.loads(told(["heads", "--like", "previous", "--json"], capsys))
    head = next(h for h in found["heads"] if (h["kind"], h["layer"], h["head"]) == ("decoder_self", 1, 3))
    assert head["likeness"] == pytest.approx(own.sum() / lengths, abs=1e-6)
    assert found["like"]["name"] == "previous"
    assert all(h["likeness"] is None for h in found["heads"] if h["kind"] == "cross")
    path = tmp_path / "drawn.csv"
    cells = np.eye(len(pattern), k=-1)
    path.write_text(drawing_csv(cells), "utf-8")
    rows = list(csv.DictReader(io.StringIO(told(["heads", "--like", str(path), "--csv"], capsys))))
    row = next(r for r in rows if (r["kind"], r["layer"], r["head"]) == ("decoder_self", "1", "3"))
    assert float(row["likeness"]) == pytest.approx(head["likeness"], abs=1e-8)
    lines = told(["heads", "--like", "previous"], capsys).splitlines()
    listed = lines[lines.index("decoder_self") + 1 : lines.index("cross")]
    shown = [float(line.split()[-1]) for line in listed]
    assert shown == sorted(shown, reverse=True)


@pytest.mark.parametrize("text", ["", "a,b\n", "1,2\n3\n", "-1,0\n", "0,0\n", "nan,1\n"])
def test_what_is_no_drawing_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "drawn.csv"
    path.write_text(text, "utf-8")
    with pytest.raises(HeadscopeError, match="no drawn pattern"):
        read_drawing(path)


def test_a_drawing_of_another_size_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert Drawing("x", np.ones((2, 2))).on(ENCODER, 3, 3) is None
    path = tmp_path / "drawn.csv"
    path.write_text("1,0\n0,1\n", "utf-8")
    assert main(["heads", "--like", str(path)]) == 1
    assert "2 × 2" in capsys.readouterr().err
