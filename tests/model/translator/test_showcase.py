from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from safetensors import safe_open
from safetensors.numpy import load_file

from model.errors import HeadscopeError
from model.tokens.tokenizer import SentencePieceTokenizer
from model.trace.trace import ArrayPatterns, AttentionKind
from model.translator.showcase import refresh_example, telling_head
from model.translator.translator import Translator
from tests.assets import PAIRS, SENTENCE
from tests.model.tiny_trace import make_trace


@pytest.fixture
def bundle(tmp_path: Path, tiny_bundle: Path) -> Path:
    folder = tmp_path / "mine"
    shutil.copytree(tiny_bundle, folder)
    return folder


def ordinary_columns(tokens: Sequence[str]) -> NDArray[np.bool_]:
    return np.array([token != "</s>" and any(c.isalpha() for c in token) for token in tokens])


def test_example_and_head_are_written(bundle: Path) -> None:
    before = json.loads((bundle / "config.json").read_text("utf-8"))
    showcase = refresh_example(bundle, SENTENCE)
    after = json.loads((bundle / "config.json").read_text("utf-8"))
    assert after.pop("showcase") == {"kind": "cross", "layer": showcase.layer, "head": showcase.head}
    before.pop("showcase")
    assert after == before
    # The head again, from the file alone.
    tensors = load_file(bundle / "example.trace")
    with safe_open(bundle / "example.trace", "numpy") as file:
        ordinary = ordinary_columns(json.loads(file.metadata()["src_tokens"]))
        rows = ordinary_columns(json.loads(file.metadata()["tgt_out_tokens"]))
    assert 0 < ordinary.sum() < len(ordinary) - 1
    cross = tensors["cross"]
    assert cross.shape[2:] == (len(tensors["tgt_out_ids"]), len(tensors["src_ids"]))
    reach = cross[..., ordinary].max(-2).mean(-1) * cross[..., rows, :][..., ordinary].max(-1).mean(-1)
    assert reach[showcase.layer, showcase.head] == pytest.approx(reach.max())
    decoded = list(Translator.load(bundle).decode(SENTENCE))[-1].trace
    np.testing.assert_array_equal(tensors["tgt_out_ids"], decoded.tgt_out_ids)
    assert sorted(path.name for path in bundle.iterdir()) == sorted(
        ["README.md", "config.json", "example.trace", "model.safetensors", "source.spm", "target.spm"]
    )


def test_further_sentences_count_for_the_head(bundle: Path) -> None:
    others = [text for text, _ in PAIRS[3:6]]
    showcase = refresh_example(bundle, SENTENCE, sentences=others)
    reach = np.zeros((3, 4))
    translator = Translator.load(bundle)
    for text in (SENTENCE, *others):
        trace = list(translator.decode(text))[-1].trace
        for layer in range(3):
            weights = trace.patterns.layer(AttentionKind.CROSS, layer)
            read = weights[..., ordinary_columns(trace.src_tokens)]
            rows = ordinary_columns(trace.tgt_out_tokens)
            reach[layer] += read.max(-2).mean(-1) * read[:, rows].max(-1).mean(-1)
    assert (showcase.layer, showcase.head) == np.unravel_index(reach.argmax(), reach.shape)


def test_specials_and_punctuation_are_not_ordinary(tiny_bundle: Path) -> None:
    tokenizer = SentencePieceTokenizer.load(tiny_bundle / "source.spm")
    ids = [*tokenizer.encode("cat."), tokenizer.end_id]
    assert [tokenizer.piece(i) for i in ids[-2:]] == [".", "</s>"]
    words = len(ids) - 2
    # Head 0 looks at the full stop, head 1 at the end token, head 2 half at the word, head 3 not quite.
    cross = np.zeros((1, 4, 1, len(ids)), np.float32)
    cross[0, 0, 0, -2] = cross[0, 1, 0, -1] = 1
    cross[0, 2, 0, 0] = cross[0, 2, 0, -2] = 0.5
    cross[0, 3, 0, words - 1], cross[0, 3, 0, -1] = 0.4, 0.6
    changes: dict[str, Any] = {
        "patterns": ArrayPatterns({AttentionKind.CROSS: cross}),
        "src_ids": np.array(ids, np.int64),
        "tgt_out_ids": np.array(ids[:1], np.int64),
    }
    showcase = telling_head([make_trace(s=len(ids), t=1, **changes)], tokenizer, tokenizer)
    assert (showcase.layer, showcase.head) == (0, 2)


def test_a_text_that_cannot_be_read_changes_nothing(bundle: Path) -> None:
    before = (bundle / "config.json").read_bytes()
    with pytest.raises(HeadscopeError):
        refresh_example(bundle, " ")
    assert (bundle / "config.json").read_bytes() == before
    assert not (bundle / "example.trace").exists()
