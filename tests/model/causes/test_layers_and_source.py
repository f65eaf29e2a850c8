"""The decoder reads an earlier encoder layer, or nothing of the source: held against plain torch."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from model.alterations.detach import Detach
from model.alterations.read_layer import ReadLayer
from model.alterations.scale_head import ScaleHead
from model.bundle.bundle import Bundle, load_bundle, write_bundle
from model.commands import translate
from model.commands.causes import why
from model.decoding.decode_config import DecodeConfig
from model.decoding.decoding import decode_events
from model.decoding.forcing import forced_logprobs
from model.errors import HeadscopeError
from model.inspection.answering import answer
from model.questions.causes.decoder_lens import LayersOf, LayersRead
from model.questions.causes.without_source import SourceWorth, WithoutSource
from model.questions.questions import Partial, Question, Reading
from model.trace.trace import AttentionKind, Trace
from tests.model import tiny_bundle
from tests.model.causes.ablated_plain import AblatedPlain

TEXT = "the red dog"
OUT = [9, 17, 5, 12, 3]
CLOSE = 2e-5  # float32 against float64, sums of a few dozen numbers of order 1
KINDS: dict[str, dict[str, Any]] = {
    "post_norm": {},
    "pre_norm": {"norm": "pre_norm", "positions": "learned", "tie_embeddings": "none", "kv_heads": 1},
    "same_depth": {"wiring": "same_depth"},
    "mix": {"wiring": "mix", "norm": "pre_norm"},
}


@pytest.fixture(scope="module", params=KINDS)
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Bundle, Path]:
    a = tiny_bundle.architecture(**{"encoder_layers": 2, "decoder_layers": 3, **KINDS[request.param]})
    folder, spm = tmp_path_factory.mktemp("layers") / "bundle", tiny_bundle.spm()
    write_bundle(folder, tiny_bundle.config(a), tiny_bundle.transformer(a), spm, spm, half=False)
    return load_bundle(folder), folder


def source_of(bundle: Bundle) -> list[int]:
    return [*bundle.source_tokenizer.encode(TEXT), 3]


def forced(bundle: Bundle, *changes: Any) -> Trace:
    """The given tokens, by the cached decode."""
    config = DecodeConfig(prefix_ids=tuple(OUT[:-1]), max_length=len(OUT))
    return list(decode_events(bundle, TEXT, config, alterations=changes))[-1].trace


def asked(bundle: Bundle, question: Question, *changes: Any) -> list[Any]:
    about = Reading("", tuple(source_of(bundle)), tuple(OUT), changes, TEXT)
    return list(answer(bundle, question, about))


def test_every_layer_is_read_as_by_hand(made: tuple[Bundle, Path]) -> None:
    bundle, folder = made
    plain = AblatedPlain(folder)
    for layer in range(3):
        plain.read_layer = layer
        expected = plain.words(source_of(bundle), OUT)
        np.testing.assert_allclose(
            forced_logprobs(bundle, TEXT, OUT, (ReadLayer(layer),)), expected, atol=CLOSE
        )
        trace = forced(bundle, ReadLayer(layer))
        np.testing.assert_allclose(trace.step_logprob[:4], expected[:4], atol=CLOSE)
        assert trace.alterations == ({"type": "read_layer", "layer": layer},)


def test_the_last_layer_is_what_is_read_anyway(made: tuple[Bundle, Path]) -> None:
    bundle, _ = made
    same = np.array_equal(forced(bundle, ReadLayer(2)).step_logprob, forced(bundle).step_logprob)
    assert same == (bundle.config.architecture.wiring == "last")


def test_a_translation_from_each_layer(made: tuple[Bundle, Path]) -> None:
    bundle, folder = made
    told = asked(bundle, LayersOf(), ReadLayer(0))
    found = told[-1]
    assert isinstance(found, LayersRead)
    parts = [each.answer for each in told if isinstance(each, Partial)]
    assert [len(part.rows) for part in parts] == [1, 2]
    assert [row.layer for row in found.rows] == [0, 1, 2]
    plain = AblatedPlain(folder)
    for row in found.rows:
        plain.read_layer = row.layer
        ids = plain.greedy(source_of(bundle), len(row.tokens))
        assert row.tokens == tuple(map(bundle.target_tokenizer.piece, ids))
        np.testing.assert_allclose(row.logprobs, plain.words(source_of(bundle), ids), atol=CLOSE)
        assert row.given == pytest.approx(sum(plain.words(source_of(bundle), OUT)), abs=5 * CLOSE)


def test_words_with_and_without_the_source(made: tuple[Bundle, Path]) -> None:
    bundle, folder = made
    found = asked(bundle, WithoutSource())[-1]
    assert isinstance(found, SourceWorth)
    plain = AblatedPlain(folder)
    if bundle.config.architecture.wiring == "last":  # else it is not what the oracle reads
        np.testing.assert_allclose(found.attached, plain.words(source_of(bundle), OUT), atol=CLOSE)
    places = [("cross", layer, head) for layer in range(3) for head in range(2)]
    plain.factors = dict.fromkeys(places, 0.0)
    np.testing.assert_allclose(found.detached, plain.words(source_of(bundle), OUT), atol=CLOSE)
    other = AblatedPlain(folder)
    other.factors = plain.factors
    another = [*reversed(source_of(bundle)[:-1]), 3]
    np.testing.assert_allclose(
        other.words(another, OUT), found.detached, atol=CLOSE
    )  # nothing of it is heard


def test_a_share_of_the_source(made: tuple[Bundle, Path]) -> None:
    bundle, folder = made
    each = tuple(ScaleHead(AttentionKind.CROSS, layer, None, 0.3) for layer in range(3))
    trace = forced(bundle, Detach(0.3))
    np.testing.assert_array_equal(trace.step_logprob, forced(bundle, *each).step_logprob)
    if bundle.config.architecture.wiring == "last":
        plain = AblatedPlain(folder)
        plain.factors = {("cross", layer, head): 0.3 for layer in range(3) for head in range(2)}
        expected = plain.words(source_of(bundle), OUT)
        np.testing.assert_allclose(trace.step_logprob[:4], expected[:4], atol=CLOSE)


def test_there_is_no_such_layer(made: tuple[Bundle, Path]) -> None:
    with pytest.raises(HeadscopeError) as caught:
        forced(made[0], ReadLayer(3))
    assert caught.value.code == "alteration_read_layer"


def test_commands(made: tuple[Bundle, Path], capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    model = ["--model", str(made[1])]
    assert translate.run([TEXT, *model, "--read-layer", "all", "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["read_layer"] for line in lines] == [0, 1, 2]
    assert translate.run([TEXT, *model, "--read-layer", "1", "--json"]) == 0
    alone = json.loads(capsys.readouterr().out)
    assert {"read_layer": 1, **alone} == lines[1]
    assert translate.run([TEXT, *model, "--detach", "0.5", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["alterations"] == [{"type": "detach", "factor": 0.5}]
    for method, columns in (("layers", "layer"), ("source", "logprob_without_source")):
        path = tmp_path / f"{method}.csv"
        assert why.run([TEXT, *model, "--method", method, "--out", str(path)]) == 0
        assert columns in path.read_text("utf-8").splitlines()[0].split(",")
