"""What only a model that reads tells, in trace files: written, opened, damaged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import safetensors.numpy

from model.errors import HeadscopeError
from model.trace.trace import AttentionKind
from model.trace.trace_file import open_trace, save_trace
from tests.model.safetensors_by_hand import build, parse
from tests.model.tiny_trace import make_trace, same
from tests.model.trace.reading_trace import reading_trace

PARTS = ("src_candidate_ids", "src_candidate_logprobs", "src_logprob", "src_rank", "src_segments")
TOKENS = "src_candidate_tokens"


@pytest.mark.parametrize("float16", [False, True])
def test_what_is_saved_is_what_is_opened(tmp_path: Path, float16: bool) -> None:
    trace = reading_trace()
    save_trace(trace, tmp_path / "a.trace", float16=float16)
    opened = open_trace(tmp_path / "a.trace")
    for name in PARTS:
        saved, found = getattr(trace, name), getattr(opened, name)
        assert (found.dtype, found.tolist()) == (saved.dtype, saved.tolist())
        assert not found.flags.writeable
    assert opened.src_candidate_tokens == trace.src_candidate_tokens
    assert opened.masked == (2,)
    assert opened.only_reads
    assert opened.decoding == {"mode": "read", "candidates": 3}
    assert opened.extra == trace.extra
    if not float16:
        same(trace, opened)
        save_trace(opened, tmp_path / "b.trace")
        assert (tmp_path / "a.trace").read_bytes() == (tmp_path / "b.trace").read_bytes()


def test_the_file_as_others_read_it(tmp_path: Path) -> None:
    save_trace(reading_trace(), tmp_path / "a.trace", float16=True)
    tensors = safetensors.numpy.load_file(tmp_path / "a.trace")
    _, metadata = parse(tmp_path / "a.trace")
    assert set(tensors) == {"encoder_self", "src_ids", *PARTS}
    types = {name: str(tensors[name].dtype) for name in ("encoder_self", *PARTS)}
    assert types == {
        "encoder_self": "float16", "src_candidate_ids": "int64", "src_candidate_logprobs": "float32",
        "src_logprob": "float32", "src_rank": "int64", "src_segments": "int64",
    }  # fmt: skip
    assert tensors["src_candidate_logprobs"].shape == (8, 3)
    assert tensors["src_segments"].tolist() == [0, 0, 0, 0, 0, 1, 1, 1]
    assert json.loads(metadata[TOKENS])[2] == ["w0", "w1", "##w2"]
    assert not [key for key in metadata if key.startswith(("tgt_", "candidate_"))]
    assert metadata["mask_token"] == "[MASK]"


def test_other_traces_have_none_of_it(tmp_path: Path) -> None:
    save_trace(make_trace(), tmp_path / "a.trace")
    tensors, metadata = parse(tmp_path / "a.trace")
    assert not {*PARTS, TOKENS} & (tensors.keys() | metadata.keys())
    opened = open_trace(tmp_path / "a.trace")
    assert all(getattr(opened, name) is None for name in PARTS)
    assert opened.src_candidate_tokens == ()
    assert not opened.only_reads
    assert opened.masked == ()
    assert not make_trace(t=0).only_reads  # a decoding that has just begun


def test_a_model_without_candidates_may_know_sentences(tmp_path: Path) -> None:
    nothing: dict[str, Any] = dict.fromkeys(PARTS[:-1])
    save_trace(reading_trace(**nothing, src_candidate_tokens=()), tmp_path / "a.trace")
    tensors, metadata = parse(tmp_path / "a.trace")
    assert set(tensors) == {"encoder_self", "src_ids", "src_segments"}
    assert TOKENS not in metadata
    opened = open_trace(tmp_path / "a.trace")
    assert opened.only_reads
    assert opened.mask_token == ""
    assert opened.masked == ()


ROWS = np.zeros((8, 3), np.float32)


@pytest.mark.parametrize(
    ("name", "array"),
    [
        ("src_candidate_ids", None),
        ("src_candidate_ids", np.zeros((7, 3), np.int64)),
        ("src_candidate_ids", np.zeros((8, 2), np.int64)),
        ("src_candidate_ids", np.zeros(24, np.int64)),
        ("src_candidate_ids", np.full((8, 3), -1)),
        ("src_candidate_ids", ROWS),
        ("src_candidate_logprobs", None),
        ("src_candidate_logprobs", np.zeros((8, 4), np.float32)),
        ("src_candidate_logprobs", ROWS.astype(np.int64)),
        ("src_candidate_logprobs", ROWS + 0.5),
        ("src_candidate_logprobs", ROWS - np.inf),
        ("src_candidate_logprobs", ROWS + np.nan),
        ("src_candidate_logprobs", np.tile(np.array([-3, -2, -1], np.float32), (8, 1))),
        ("src_logprob", None),
        ("src_logprob", np.zeros(7, np.float32)),
        ("src_logprob", np.ones(8, np.float32)),
        ("src_logprob", np.full(8, np.nan, np.float32)),
        ("src_rank", None),
        ("src_rank", np.zeros(8, np.int64)),
        ("src_rank", np.ones(9, np.int64)),
        ("src_rank", np.ones(8, np.float32)),
        ("src_segments", np.zeros(7, np.int64)),
        ("src_segments", np.full(8, -1)),
        ("src_segments", np.zeros((8, 1), np.int64)),
        ("src_segments", np.zeros(8, np.float32)),
    ],
)
def test_arrays_that_do_not_fit(tmp_path: Path, name: str, array: np.ndarray | None) -> None:
    path = tmp_path / "a.trace"
    save_trace(reading_trace(), path)
    tensors, metadata = parse(path)
    del tensors[name]
    path.write_bytes(build(tensors if array is None else {**tensors, name: array}, metadata))
    with pytest.raises(HeadscopeError) as caught:
        open_trace(path)
    assert caught.value.code == "trace_invalid"


@pytest.mark.parametrize("text", ["3", "[]", '["ab"]', '[["a", "b", "c"]]', "[[1, 2, 3]]", "nonsense", None])
def test_words_that_do_not_fit(tmp_path: Path, text: str | None) -> None:
    path = tmp_path / "a.trace"
    save_trace(reading_trace(), path)
    tensors, metadata = parse(path)
    metadata.pop(TOKENS)
    path.write_bytes(build(tensors, metadata | ({} if text is None else {TOKENS: text})))
    with pytest.raises(HeadscopeError) as caught:
        open_trace(path)
    assert caught.value.code == "trace_invalid"


def test_what_could_not_be_opened_is_not_written(tmp_path: Path) -> None:
    for changes in (
        {"src_rank": None},
        {"src_candidate_tokens": ()},
        {"src_segments": np.zeros(3, np.int64)},
        {"src_logprob": np.ones(8, np.float32)},
    ):
        with pytest.raises(HeadscopeError):
            save_trace(reading_trace(**changes), tmp_path / "a.trace")
    assert list(tmp_path.iterdir()) == []


def test_a_head_is_read_as_ever(tmp_path: Path) -> None:
    trace = reading_trace()
    save_trace(trace, tmp_path / "a.trace")
    kind = AttentionKind.ENCODER_SELF
    head = open_trace(tmp_path / "a.trace").pattern(kind, 1, 0)
    np.testing.assert_array_equal(head, trace.pattern(kind, 1, 0))
