"""`render` of pairs: A by its file or by its text, the difference and what carrying over did."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import main
from model.errors import HeadscopeError
from model.trace.trace import AttentionKind
from model.translator.translator import Translator
from tests.assets import SENTENCE
from viewer.commands import render

pytestmark = pytest.mark.usefixtures("qapp")
OTHER = "the cat sees the dog"


@pytest.fixture
def words(tiny_bundle: Path) -> list[str]:
    """B and A by their texts."""
    return ["--model", str(tiny_bundle), "--from", OTHER, SENTENCE]


def test_a_text_stands_for_the_file_of_its_decoding(
    tmp_path: Path, tiny_bundle: Path, words: list[str]
) -> None:
    for name, text in (("a", OTHER), ("b", SENTENCE)):
        said = ["render", "--model", str(tiny_bundle), text, "--out", str(tmp_path / f"{name}.trace")]
        assert main.main(said) == 0
    files = ["--trace", str(tmp_path / "b.trace"), "--compare", str(tmp_path / "a.trace")]
    for view in ([], ["--view", "difference"], ["--view", "effects", "--model", str(tiny_bundle)]):
        place = [] if "effects" in view else ["--kind", "cross", "--layer", "2", "--head", "1"]
        texts, saved = tmp_path / "texts.csv", tmp_path / "files.csv"
        step = ["--step", "1"] if "effects" in view else []
        assert render.run([*view, *place, *step, *words, "--out", str(texts)]) == 0
        assert render.run([*view, *place, *step, *files, "--out", str(saved)]) == 0
        assert texts.read_bytes() == saved.read_bytes(), view


@pytest.mark.parametrize(
    "wanted",
    [
        ["--step", "1"],
        ["--what", "residual", "--step", "2"],
        ["--what", "patterns", "--by", "position", "--step", "1"],
        ["--path", "encoder_self:1:2", "--step", "1"],
        ["--path", "encoder_self:1:2", "--into", "cross:1:1:k,cross:2:2:v", "--step", "1"],
    ],
    ids=lambda wanted: "-".join(wanted[:2]),
)
def test_effects_are_those_of_patch(
    tmp_path: Path, tiny_bundle: Path, words: list[str], wanted: list[str]
) -> None:
    drawn, table = tmp_path / "drawn.csv", tmp_path / "table.csv"
    assert render.run(["--view", "effects", *wanted, *words, "--out", str(drawn)]) == 0
    told = [part for word in wanted for part in word.split(",")]
    if "--into" in told:  # which `patch` is told once for each
        told.insert(told.index("--into") + 2, "--into")
    said = ["patch", "--model", str(tiny_bundle), "--from", OTHER, "--to", SENTENCE, *told]
    assert main.main([*said, "--out", str(table)]) == 0
    assert drawn.read_bytes() == table.read_bytes()
    picture = tmp_path / "drawn.svg"
    assert render.run(["--view", "effects", *wanted, *words, "--out", str(picture)]) == 0
    assert "Carried from A into B" in picture.read_text("utf-8")


def test_pairs_that_are_none(tmp_path: Path, words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    out = ["--out", str(tmp_path / "x.png")]
    for wrong, said in (
        (["--view", "effects", "text"], "name A by --from TEXT or --compare FILE"),
        (["--view", "flow", *words], "leave --view out, or name one of difference, effects"),
        (["--compare", "a.trace", *words], "--compare FILE or --from TEXT, not both"),
        (["--lesson", "scaling", *words], "--from is not of a lesson"),
    ):
        with pytest.raises(SystemExit, match="2"):
            render.run([*wrong, *out])
        assert said in capsys.readouterr().err
    for wrong in (["--path", "cross:1:1", "--what", "heads"], ["--into", "final"], ["--by", "head"]):
        extra = ["--what", "residual"] if wrong[0] == "--by" else []
        with pytest.raises(HeadscopeError) as caught:
            render.run(["--view", "effects", "--step", "1", *wrong, *extra, *words, *out])
        assert caught.value.code == "export_effects_options"
    assert not (tmp_path / "x.png").exists()


def test_what_alters_the_model_is_done_to_b(tmp_path: Path, tiny_bundle: Path, words: list[str]) -> None:
    plain, altered = tmp_path / "plain.npz", tmp_path / "altered.npz"
    place = ["--kind", "encoder_self", "--layer", "2", "--head", "1"]
    assert render.run([*place, *words, "--out", str(plain)]) == 0
    assert render.run([*place, "--ablate", "encoder_self:1:1", *words, "--out", str(altered)]) == 0
    with np.load(plain) as without, np.load(altered) as done:
        np.testing.assert_array_equal(without["weight_a"], done["weight_a"])
        assert np.nanmax(abs(without["weight_b"] - done["weight_b"])) > 1e-4
    *_, last = Translator.load(str(tiny_bundle)).decode(OTHER)
    weights = last.trace.pattern(AttentionKind.ENCODER_SELF, 1, 0)
    with np.load(plain) as found:
        rows, columns = found["query_a"] >= 0, found["key_a"] >= 0
        np.testing.assert_allclose(found["weight_a"][rows][:, columns], weights, atol=1e-6)
