"""What is chosen is remembered and stays; oracles: files written by hand, numbers of whole decodings."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
import torch

from model.decoding.constraints import TokenConstraints
from model.decoding.decoding_state import Decoding
from model.folder.decoding_rules import NO_RULES
from model.network.products import choices, remembered
from model.network.products.choices import Choice, choose, forcing
from model.network.products.measuring import Measured, Times, measured
from model.network.products.ways import WAYS
from model.network.transformer import Transformer
from model.trace.trace import AttentionKind
from tests.model.small import small_transformer

SHAPE = (300, 256)
CHOSEN = Choice("columns", "vector", "packed", "onednn")
FORCED = [f"{way.name}:{layout}" for way in WAYS.values() for layout in way.layouts or ("rows",)]


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty cache, and nothing forced."""
    path = tmp_path / "cache" / "products.json"
    monkeypatch.setattr(remembered, "choices_file", lambda: path)
    choices.forget()
    with forcing(""):
        yield path
    choices.forget()


@pytest.fixture
def times(monkeypatch: pytest.MonkeyPatch) -> Callable[[bool], None]:
    """Say what is measured: the vector way is quickest, by columns; few rows are, packed."""

    def tell(undisturbed: bool) -> None:
        one = {("linear", "rows"): 3.0, ("linear", "columns"): 2.5, ("vector", "columns"): 2.0}
        few = {("linear", "rows"): 1.0, ("linear", "columns"): 4.0, ("packed", "rows"): 2.0}
        read = {("linear", "rows"): 3.0, ("linear", "columns"): 1.0, ("onednn", "rows"): 2.0}
        found = Measured({SHAPE: Times({**one, ("packed", "rows"): 1.9}, few, read)}, undisturbed)  # type: ignore[arg-type]
        monkeypatch.setattr(choices, "measured", lambda *_: found)

    return tell


def chosen() -> Choice:
    (choice,) = choose([(torch.ones(SHAPE), False)])
    return choice


def test_the_quickest_is_taken_and_stays(file: Path, times: Callable[[bool], None]) -> None:
    times(True)
    # A copy must be worth its memory; one layout serves all rows.
    assert chosen() == CHOSEN
    choices.measured = pytest.fail  # type: ignore[assignment]
    assert chosen() == CHOSEN
    choices.forget()
    assert chosen() == CHOSEN
    assert list(json.loads(file.read_text())) == [remembered.machine()]


def test_what_a_sentence_reads_once_makes_no_step_larger(
    file: Path, times: Callable[[bool], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    times(True)
    asked: list[int] = []
    monkeypatch.setattr(choices, "settled", lambda matrices: asked.append(len(matrices)) or len(asked) > 1)
    matrices = [(torch.ones(SHAPE), False)] * 3
    kept = choose(matrices[:1], matrices[1:])
    passing = choose(matrices[:1], matrices[1:])
    assert asked == [1, 1]
    assert [choice.past for choice in (*kept, *passing)] == [False] * 3 + [True] * 3
    assert not any(choice.of_encoder.past for choice in passing)


@pytest.mark.skipif(not WAYS["streamed_alone"].present(), reason="no compiler of C when it was installed")
@pytest.mark.parametrize(("seconds", "one"), [(0.9, "streamed_alone"), (0.8, "vector")])
def test_a_layer_stays_compiled_unless_another_way_is_clearly_quicker(
    file: Path, monkeypatch: pytest.MonkeyPatch, seconds: float, one: str
) -> None:
    same = {("linear", "rows"): 3.0, ("streamed_alone", "rows"): 1.0, ("vector", "rows"): seconds}
    found = Measured({SHAPE: Times(dict(same), dict(same), dict(same))}, True)  # type: ignore[arg-type]
    monkeypatch.setattr(choices, "measured", lambda *_: found)
    assert chosen().one == one


def test_what_was_measured_beside_others_is_not_remembered(file: Path, times: Callable[[bool], None]) -> None:
    times(False)
    assert chosen() == CHOSEN
    assert not file.exists()


@pytest.mark.parametrize(
    "damage",
    [
        "",
        "{",
        "[]",
        '{"%s": 3}',
        '{"%s": {"300x256 float32 1": ["rows", "half", "linear", "linear"]}}',
        '{"%s": {"300x256 float32 1": ["rows", "bags", "linear", "linear"]}}',
        '{"%s": {"300x256 float32 1": ["rows", "vector", "vector", "linear"]}}',
        '{"%s": {"300x256 float32 1": ["rows", {}, 4, 5]}}',
    ],
)
def test_a_damaged_file_is_as_if_absent(file: Path, times: Callable[[bool], None], damage: str) -> None:
    file.parent.mkdir()
    file.write_text(damage.replace("%s", remembered.machine()))
    times(True)
    assert chosen() == CHOSEN
    assert json.loads(file.read_text())[remembered.machine()]["300x256 float32 1"][1] == "vector"


def test_where_nothing_can_be_kept_it_goes_on(file: Path, times: Callable[[bool], None]) -> None:
    file.parent.write_text("no folder")
    times(True)
    assert chosen() == CHOSEN


@pytest.mark.parametrize("threads", [1, 2])
def test_measuring_tries_every_way_and_changes_nothing(threads: int) -> None:
    memory = [torch.randn(SHAPE).half().float(), torch.randn(64, 16).half().float().t().contiguous().t()]
    before = [matrix.clone() for matrix in memory]
    found = measured({SHAPE: True, (64, 16): False}, memory, threads).times
    assert all(torch.equal(one, other) for one, other in zip(memory, before))
    for shape in found:
        tried = {name for name, way in WAYS.items() if way.present() and (shape == SHAPE or not way.halves)}
        # Alone a thread does the same in both of two ways that differ in how threads share the work.
        tried -= {name for name, way in WAYS.items() if way.shares and threads == 1}
        assert {name for name, _ in found[shape].one} == tried
        assert all(0 < seconds < 10 for seconds in [*found[shape].one.values(), *found[shape].few.values()])


def test_each_way_decodes_the_same() -> None:
    wanted, plain = decoded("linear:rows")
    for way in FORCED:
        tokens, arrays = decoded(way)
        assert tokens == wanted
        for one, other in zip(arrays, plain, strict=True):
            np.testing.assert_allclose(one, other, rtol=0, atol=1e-5)
        again, bits = decoded(way)
        assert again == wanted
        assert all(np.array_equal(one, other) for one, other in zip(arrays, bits))


def decoded(way: str) -> tuple[list[int], list[np.ndarray]]:
    """Tokens, patterns and candidates of a sentence by a model whose numbers are float16's."""
    network: Transformer = small_transformer(tie_embeddings="all", source_vocab=31, target_vocab=31).eval()
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.copy_(parameter.half())
    with forcing(way):
        network.lay_out_for_decoding()
    rules = TokenConstraints(NO_RULES, end_id=-1, given=(1,), limit=6)
    decoding = Decoding(network, (3, 4, 5, 6), given=(1,), constraints=rules, limit=6, candidates=5)
    for _ in range(6):
        decoding.advance()
    path = decoding.path()
    patterns = [path.patterns.layer(kind, 0) for kind in AttentionKind]
    return decoding.out_ids, [*patterns, path.candidate_logprobs, path.step_logprob]
