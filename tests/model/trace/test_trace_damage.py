from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.errors import HeadscopeError
from model.trace.trace import Trace
from model.trace.trace_file import open_trace, save_trace
from model.trace.trace_header import header_of
from tests.model.safetensors_by_hand import build, parse
from tests.model.tiny_trace import KINDS, drawn, make_trace, same


def code_of(action: Callable[[], object]) -> str:
    with pytest.raises(HeadscopeError) as caught:
        action()
    assert str(caught.value)
    return caught.value.code


def broken(path: Path, change: Callable[[dict[str, np.ndarray], dict[str, str]], object]) -> str:
    save_trace(make_trace(), path)
    tensors, metadata = parse(path)
    change(tensors, metadata)
    path.write_bytes(build(tensors, metadata))
    return code_of(lambda: open_trace(path))


def test_every_key_and_tensor_is_needed(tmp_path: Path) -> None:
    save_trace(make_trace(), tmp_path / "a.trace")
    tensors, metadata = parse(tmp_path / "a.trace")
    for name in tensors.keys() - set(KINDS):
        assert broken(tmp_path / "b.trace", lambda t, m, name=name: t.pop(name)) == "trace_invalid", name  # type: ignore[misc]
    for key in metadata.keys() - {"format", "version", "finished"}:
        assert broken(tmp_path / "b.trace", lambda t, m, key=key: m.pop(key)) == "trace_invalid", key  # type: ignore[misc]
    assert broken(tmp_path / "b.trace", lambda t, m: [t.pop(k) for k in KINDS]) == "trace_invalid"


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("src_tokens", "not json"),
        ("src_tokens", "[1, 2, 3]"),
        ("src_tokens", '{"a": 1}'),
        ("src_tokens", '["a", "b"]'),
        ("src_tokens", "[" * 100_000),
        ("tgt_in_tokens", '["a"]'),
        ("tgt_out_tokens", "null"),
        ("candidate_tokens", "3"),
        ("candidate_tokens", '["ab", "cd"]'),
        ("candidate_tokens", '[["a", "b"]]'),
        ("candidate_tokens", '[["a", "b"], ["c"]]'),
        ("decoding", "[]"),
        ("decoding", '{"temperature": NaN}'),
        ("alterations", "{}"),
        ("seed", "seven"),
        ("seed", "1.5"),
        ("finished", "maybe"),
    ],
)
def test_entries_of_the_wrong_kind(tmp_path: Path, key: str, value: str) -> None:
    assert broken(tmp_path / "a.trace", lambda t, m: m.update({key: value})) == "trace_invalid"


@pytest.mark.parametrize(
    ("name", "array"),
    [
        ("src_ids", np.zeros(2, np.int64)),
        ("src_ids", np.zeros(3, np.float32)),
        ("src_ids", np.zeros((3, 1), np.int64)),
        ("src_ids", np.array([0, -1, 0])),
        ("step_logprob", np.zeros(3, np.float32)),
        ("step_logprob", np.array([0, np.nan], np.float32)),
        ("step_logprob", np.array([0, -np.inf], np.float32)),
        ("step_logprob", np.array([0, 0.5], np.float32)),
        ("step_logprob", np.zeros(2)),
        ("candidate_ids", np.zeros((2, 3), np.int64)),
        ("candidate_ids", np.zeros(4, np.int64)),
        ("candidate_logprobs", np.array([[-2, -1], [-1, -2]], np.float32)),
        ("encoder_self", np.zeros((2, 2, 3, 2), np.float32)),
        ("decoder_self", np.zeros((2, 2, 3, 3), np.float32)),
        ("cross", np.zeros((2, 2, 3, 2), np.float32)),
        ("cross", np.zeros((2, 2, 2), np.float32)),
        ("cross", np.zeros((2, 2, 2, 3), np.float64)),
        ("cross", np.zeros((0, 2, 2, 3), np.float32)),
    ],
)
def test_arrays_that_do_not_fit(tmp_path: Path, name: str, array: np.ndarray) -> None:
    assert broken(tmp_path / "a.trace", lambda t, m: t.update({name: array})) == "trace_invalid"


@pytest.mark.parametrize(
    ("name", "array"),
    [
        ("step_rank", np.zeros(2, np.int64)),
        ("step_rank", np.ones(3, np.int64)),
        ("step_rank", np.ones(2, np.float32)),
        ("step_rank", np.ones((2, 1), np.int64)),
        ("drawn_count", np.array([1, 0])),
        ("drawn_count", np.ones(1, np.int64)),
        ("candidate_drawn", np.zeros((2, 3), np.float32)),
        ("candidate_drawn", np.zeros((2, 2), np.int64)),
        ("candidate_drawn", np.array([[0, np.nan], [0, 0]], np.float32)),
        ("candidate_drawn", np.array([[0, np.inf], [0, 0]], np.float32)),
        ("candidate_drawn", np.array([[0.5, -1], [0, 0]], np.float32)),
        ("candidate_drawn", None),
        ("drawn_count", None),
    ],
)
def test_ranks_and_drawn_probabilities_that_cannot_be(
    tmp_path: Path, name: str, array: np.ndarray | None
) -> None:
    path = tmp_path / "a.trace"
    save_trace(make_trace(**drawn()), path)
    tensors, metadata = parse(path)
    tensors[name] = array
    path.write_bytes(build({key: value for key, value in tensors.items() if value is not None}, metadata))
    assert code_of(lambda: open_trace(path)) == "trace_invalid"


def test_a_header_whose_length_looks_like_a_pickle(tmp_path: Path) -> None:
    path = tmp_path / "a.trace"
    save_trace(make_trace(), path)
    tensors, metadata = parse(path)
    for start in (b"\x80\x02", b"\x80\x04"):
        metadata["filler"] = ""
        wanted = int.from_bytes(start, "little") + (1 << 16)
        short = int.from_bytes(build(tensors, metadata)[:8], "little")
        path.write_bytes(build(tensors, {**metadata, "filler": "x" * (wanted - short)}))
        assert path.read_bytes().startswith(start)
        same(make_trace(), Trace(**{**vars(open_trace(path)), "extra": {}}))


def test_other_formats_and_newer_versions(tmp_path: Path) -> None:
    path = tmp_path / "a.trace"
    assert broken(path, lambda t, m: m.update(format="other")) == "trace_format"
    assert broken(path, lambda t, m: m.pop("format")) == "trace_format"
    assert broken(path, lambda t, m: m.pop("version")) == "trace_format"
    assert broken(path, lambda t, m: m.update(version="one")) == "trace_format"
    assert broken(path, lambda t, m: m.update(version="2")) == "trace_newer"
    assert code_of(lambda: open_trace(tmp_path / "none.trace")) == "file_missing"
    assert code_of(lambda: open_trace(tmp_path)) == "file_is_folder"
    for data in (b"", b"PK\x03\x04" + b"x" * 100, pickle.dumps({"a": 1}), b"hello, world! " * 9, b"\0" * 64):
        path.write_bytes(data)
        assert code_of(lambda: open_trace(path)) in ("tensors_invalid", "tensors_pickle", "npz_damaged")


HUGE = 1 << 45


@pytest.mark.parametrize(
    "changes",
    [
        {"cross": {"shape": [2, 2, HUGE, HUGE]}},
        {"cross": {"shape": [HUGE, 2, 0, 3], "data_offsets": [0, 0]}},
        {"cross": {"data_offsets": [0, HUGE]}},
        {"cross": {"shape": [1 << 62, 1 << 62, 0, 0], "data_offsets": [0, 0]}},
        {"cross": {"shape": [1] * 10_000}},
        {"cross": {"shape": [-1, 2, 2, 3]}},
        {"cross": {"shape": [2.0, 2, 2, 3]}},
        {"cross": {"shape": "2233"}},
        {"cross": {"data_offsets": [8, 4]}},
        {"cross": {"data_offsets": [0]}},
        {"cross": {"dtype": 7}},
        {"cross": {"dtype": "F33"}},
        {"cross": None},
        {"__metadata__": []},
        {"__metadata__": {"format": 1}},
        {"late": {"dtype": "F32", "shape": [HUGE], "data_offsets": [0, 4 * HUGE]}},
    ],
)
def test_headers_that_lie(tmp_path: Path, changes: dict[str, Any]) -> None:
    save_trace(make_trace(), tmp_path / "a.trace")
    tensors, metadata = parse(tmp_path / "a.trace")
    (tmp_path / "a.trace").write_bytes(build(tensors, metadata, changes))
    assert code_of(lambda: open_trace(tmp_path / "a.trace")) in ("tensors_invalid", "trace_invalid")


@pytest.mark.parametrize("claimed", [0, 1, 1 << 20, 1 << 40, (1 << 64) - 1])
def test_headers_of_any_claimed_length(tmp_path: Path, claimed: int) -> None:
    save_trace(make_trace(), tmp_path / "a.trace")
    data = (tmp_path / "a.trace").read_bytes()
    (tmp_path / "a.trace").write_bytes(claimed.to_bytes(8, "little") + data[8:])
    assert code_of(lambda: open_trace(tmp_path / "a.trace")) == "tensors_invalid"


def test_a_file_cut_at_any_byte_or_too_long(tmp_path: Path) -> None:
    path = tmp_path / "a.trace"
    save_trace(make_trace(1, 1, 1), path)
    data = path.read_bytes()
    for length in range(len(data)):
        path.write_bytes(data[:length])
        assert code_of(lambda: open_trace(path)) == "tensors_invalid", length
    path.write_bytes(data + b"\0")
    assert code_of(lambda: open_trace(path)) == "tensors_invalid"


@pytest.fixture(scope="module")
def good_bytes(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("good") / "a.trace"
    save_trace(make_trace(), path)
    return path.read_bytes()


@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_damaged_bytes_open_or_are_refused(
    tmp_path_factory: pytest.TempPathFactory, good_bytes: bytes, data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("damaged") / "a.trace"
    content = bytearray(good_bytes)
    places = st.integers(0, len(content) - 1) | st.integers(0, 400)
    for place, value in data.draw(st.lists(st.tuples(places, st.integers(0, 255)), min_size=1, max_size=4)):
        content[place] = value
    path.write_bytes(content)
    try:
        trace = open_trace(path)
    except HeadscopeError:
        return
    for kind in trace.kinds:
        for layer in range(trace.layers(kind)):
            assert np.isfinite(trace.patterns.layer(kind, layer)).all()
    # what opened is sound enough to be written again
    header_of(trace, source=True, target=True)


@settings(max_examples=100, deadline=None)
@given(content=st.binary(max_size=200))
def test_any_bytes(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = tmp_path_factory.mktemp("bytes") / "a.trace"
    path.write_bytes(content)
    with pytest.raises(HeadscopeError):
        open_trace(path)
