from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import safetensors.numpy
from hypothesis import given, settings
from hypothesis import strategies as st

from model.errors import HeadscopeError
from model.trace import trace_file
from model.trace.trace import ArrayPatterns, AttentionKind
from model.trace.trace_file import FilePatterns, open_trace, save_trace
from model.version import VERSION
from tests.model.safetensors_by_hand import build, parse
from tests.model.tiny_trace import KINDS, drawn, make_trace, same


def code_of(action: Callable[[], object]) -> str:
    with pytest.raises(HeadscopeError) as caught:
        action()
    assert str(caught.value)
    return caught.value.code


# round trips


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"seed": None, "finished": False, "alterations": ({"kind": "cross", "head": 0},)},
        {"numbers": "rollout", "compute_dtype": "bfloat16", "created_by": "somebody else 3"},
        {"step_rank": np.array([1, 60000])},
        drawn(),
        {"extra": {"frame": "3", "frame_kind": "round", "note": "任意"}},
    ],
)
def test_what_is_saved_is_what_is_opened(tmp_path: Path, changes: dict[str, Any]) -> None:
    trace = make_trace(**changes)
    save_trace(trace, tmp_path / "a.trace")
    opened = open_trace(tmp_path / "a.trace")
    same(trace, opened)
    assert opened.created_by == changes.get("created_by", f"headscope {VERSION}")
    save_trace(opened, tmp_path / "b.trace")
    assert (tmp_path / "a.trace").read_bytes() == (tmp_path / "b.trace").read_bytes()
    save_trace(opened, tmp_path / "a.trace")  # over the file it is read from
    same(trace, opened)
    same(trace, open_trace(tmp_path / "a.trace"))


@settings(max_examples=60, deadline=None)
@given(
    s=st.integers(1, 6),
    t=st.integers(0, 5),
    k=st.integers(0, 4),
    text=st.text(),
    tokens=st.lists(st.text(), min_size=6, max_size=6),
)
def test_any_sizes_and_texts(
    tmp_path_factory: pytest.TempPathFactory, s: int, t: int, k: int, text: str, tokens: list[str]
) -> None:
    path = tmp_path_factory.mktemp("any") / "a.trace"
    trace = make_trace(s, t, k, src_text=text, src_tokens=tuple(tokens[:s]), extra={"key" + text: text})
    save_trace(trace, path)
    same(trace, open_trace(path))


def test_the_file_as_the_safetensors_package_and_as_a_hand_reads_it(tmp_path: Path) -> None:
    trace = make_trace()
    path = tmp_path / "a.trace"
    save_trace(trace, path)
    by_hand, metadata = parse(path)
    by_package = safetensors.numpy.load_file(path)
    families = {"encoder_self": [2, 2, 3, 3], "decoder_self": [2, 2, 2, 2], "cross": [2, 2, 2, 3]}
    arrays = ("src_ids", "tgt_in_ids", "tgt_out_ids", "step_logprob", "candidate_ids", "candidate_logprobs")
    assert set(by_hand) == set(by_package) == {*families, *arrays}
    for name, array in by_hand.items():
        assert np.array_equal(array, by_package[name])
        assert array.dtype == (np.int64 if name.endswith("ids") else np.float32)
    for name in arrays:
        assert np.array_equal(by_hand[name], getattr(trace, name))
    for name, shape in families.items():
        assert list(by_hand[name].shape) == shape
        for layer in range(2):
            assert np.array_equal(by_hand[name][layer], trace.patterns.layer(AttentionKind(name), layer))
    assert metadata["format"] == "headscope-trace"
    assert metadata["version"] == "1"
    assert json.loads(metadata["tgt_in_tokens"]) == ["▁i0", "▁i1"]
    assert json.loads(metadata["candidate_tokens"]) == [["c00", "c01"], ["c10", "c11"]]
    assert json.loads(metadata["decoding"]) == {"mode": "beam", "beam": 4}
    assert metadata["alterations"] == "[]"
    assert metadata["numbers"] == "pattern"
    assert metadata["seed"] == "7"
    assert metadata["tgt_text"] == "一个词"
    assert metadata["created_by"].startswith("headscope ")


def test_every_tensor_is_aligned_for_other_readers(tmp_path: Path) -> None:
    save_trace(make_trace(), tmp_path / "a.trace", float16=True)
    data = (tmp_path / "a.trace").read_bytes()
    length = int.from_bytes(data[:8], "little")
    assert length % 8 == 0
    header = json.loads(data[8 : 8 + length])
    widths = {"F32": 4, "F16": 2, "I64": 8}
    for name, entry in header.items():
        if name != "__metadata__":
            assert entry["data_offsets"][0] % widths[entry["dtype"]] == 0


def test_half_precision_holds_the_patterns_only(tmp_path: Path) -> None:
    trace = make_trace()
    save_trace(trace, tmp_path / "a.trace", float16=True)
    tensors, _ = parse(tmp_path / "a.trace")
    opened = open_trace(tmp_path / "a.trace")
    for kind in AttentionKind:
        assert tensors[kind].dtype == np.float16
        head = opened.patterns.pattern(kind, 1, 0)
        assert head.dtype == np.float32
        assert np.array_equal(head, tensors[kind][1, 0].astype(np.float32))
        assert np.abs(head - trace.patterns.pattern(kind, 1, 0)).max() < 5e-4
    assert opened.step_logprob.tobytes() == trace.step_logprob.tobytes()


def test_an_encoder_alone_has_no_target(tmp_path: Path) -> None:
    trace = make_trace(t=0, kinds=("encoder_self",), tgt_text="")
    save_trace(trace, tmp_path / "a.trace")
    tensors, metadata = parse(tmp_path / "a.trace")
    assert set(tensors) == {"encoder_self", "src_ids"}
    assert not [key for key in metadata if key.startswith(("tgt_", "candidate_"))]
    opened = open_trace(tmp_path / "a.trace")
    assert opened.kinds == (AttentionKind.ENCODER_SELF,)
    assert opened.steps == 0
    assert opened.candidate_ids.shape == (0, 0)


def test_a_decoder_alone_has_no_source(tmp_path: Path) -> None:
    trace = make_trace(s=0, t=4, kinds=("decoder_self",), extra={"prompt_length": "2"})
    save_trace(trace, tmp_path / "a.trace")
    tensors, metadata = parse(tmp_path / "a.trace")
    assert "src_ids" not in tensors
    assert not [key for key in metadata if key.startswith("src_")]
    assert metadata["prompt_length"] == "2"
    opened = open_trace(tmp_path / "a.trace")
    assert opened.extra == {"prompt_length": "2"}
    assert opened.src_tokens == ()
    assert opened.src_ids.shape == (0,)


def test_a_decoding_that_has_just_begun(tmp_path: Path) -> None:
    trace = make_trace(t=0, finished=False)
    save_trace(trace, tmp_path / "a.trace")
    opened = open_trace(tmp_path / "a.trace")
    assert opened.kinds == KINDS
    assert opened.patterns.pattern(AttentionKind.CROSS, 0, 0).shape == (0, 3)
    assert not opened.finished


def test_lone_surrogates_become_text_that_every_reader_takes(tmp_path: Path) -> None:
    save_trace(make_trace(src_text="a\ud800b", src_tokens=("\udfff", "x", "y")), tmp_path / "a.trace")
    safetensors.numpy.load_file(tmp_path / "a.trace")
    opened = open_trace(tmp_path / "a.trace")
    assert opened.src_text == "a\ufffdb"
    assert opened.src_tokens[0] == "\ufffd"


def test_additions_are_ignored_or_kept(tmp_path: Path) -> None:
    save_trace(make_trace(), tmp_path / "a.trace")
    tensors, metadata = parse(tmp_path / "a.trace")
    tensors["something_new"] = np.ones(3)
    (tmp_path / "b.trace").write_bytes(build(tensors, {**metadata, "new_key": "kept"}))
    opened = open_trace(tmp_path / "b.trace")
    assert opened.extra == {"new_key": "kept"}
    same(make_trace(extra={"new_key": "kept"}), opened)
    save_trace(opened, tmp_path / "c.trace")
    assert open_trace(tmp_path / "c.trace").extra == {"new_key": "kept"}


def test_an_older_writer_without_finished(tmp_path: Path) -> None:
    save_trace(make_trace(), tmp_path / "a.trace")
    tensors, metadata = parse(tmp_path / "a.trace")
    del metadata["finished"]
    (tmp_path / "a.trace").write_bytes(build(tensors, metadata))
    assert open_trace(tmp_path / "a.trace").finished


# reading one head


def test_heads_are_read_only_and_out_of_range_is_said(tmp_path: Path) -> None:
    for half in (False, True):
        save_trace(make_trace(), tmp_path / "a.trace", float16=half)
        patterns = open_trace(tmp_path / "a.trace").patterns
        assert isinstance(patterns, FilePatterns)
        for array in (patterns.pattern(AttentionKind.CROSS, 0, 1), patterns.layer(AttentionKind.CROSS, 0)):
            assert not array.flags.writeable
        for layer, head in ((2, 0), (0, 2), (-1, 0), (0, -1)):
            with pytest.raises(IndexError):
                patterns.pattern(AttentionKind.CROSS, layer, head)
        with pytest.raises(IndexError):
            patterns.layer(AttentionKind.CROSS, 2)


def with_pattern(path: Path, value: float, numbers: str = "pattern", half: bool = False) -> None:
    save_trace(make_trace(numbers=numbers), path, float16=half)
    tensors, metadata = parse(path)
    cross = tensors["cross"].copy()
    cross[1, 1, 0, 2] = value
    path.write_bytes(build({**tensors, "cross": cross}, metadata))


@pytest.mark.parametrize("half", [False, True])
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, -0.1, 1.1])
def test_numbers_that_are_no_weights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: float, half: bool
) -> None:
    path = tmp_path / "a.trace"
    with_pattern(path, value, half=half)
    assert code_of(lambda: open_trace(path)) == "trace_values"
    # in a large file only the head that is read is looked at
    monkeypatch.setattr(trace_file, "_CHECKED_AT_OPEN", 0)
    patterns = open_trace(path).patterns
    patterns.pattern(AttentionKind.CROSS, 1, 0)
    patterns.layer(AttentionKind.CROSS, 0)
    assert code_of(lambda: patterns.pattern(AttentionKind.CROSS, 1, 1)) == "trace_values"
    assert code_of(lambda: patterns.layer(AttentionKind.CROSS, 1)) == "trace_values"


def test_an_aggregate_may_have_another_range_but_must_be_finite(tmp_path: Path) -> None:
    with_pattern(tmp_path / "a.trace", -3.5, "attention x norm")
    assert open_trace(tmp_path / "a.trace").patterns.pattern(AttentionKind.CROSS, 1, 1).min() == -3.5
    with_pattern(tmp_path / "a.trace", np.nan, "attention x norm")
    assert code_of(lambda: open_trace(tmp_path / "a.trace")) == "trace_values"


# what is refused when saving


def test_a_trace_that_could_not_be_opened_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "a.trace"
    save_trace(make_trace(), path)
    old = path.read_bytes()
    bad_head = np.full((1, 1, 2, 3), np.nan, np.float32)
    wrong = [
        make_trace(patterns=ArrayPatterns({AttentionKind.CROSS: bad_head})),
        make_trace(patterns=ArrayPatterns({})),
        make_trace(src_tokens=("one",)),
        make_trace(step_logprob=np.array([np.nan, 0], np.float32)),
        make_trace(candidate_ids=np.zeros(2, np.int64)),
    ]
    for trace in wrong:
        assert code_of(lambda trace=trace: save_trace(trace, path)) in ("trace_invalid", "trace_values")  # type: ignore[misc]
    large = np.full((1, 1, 2, 3), 1e6, np.float32)
    trace = make_trace(patterns=ArrayPatterns({AttentionKind.CROSS: large}), numbers="norm")
    assert code_of(lambda: save_trace(trace, path, float16=True)) == "trace_float16"
    with pytest.raises(TypeError):
        save_trace(make_trace(decoding={"mode": object()}), path)
    assert path.read_bytes() == old
    assert os.listdir(tmp_path) == ["a.trace"]


def test_no_torch_is_imported() -> None:
    code = "import sys, model.trace.trace_file, model.folder.bundle_config; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_what_a_sampling_drew_is_in_the_file_as_anyone_reads_it(tmp_path: Path) -> None:
    save_trace(make_trace(t=3, **drawn(3)), tmp_path / "a.trace", float16=True)
    tensors = safetensors.numpy.load_file(tmp_path / "a.trace")
    assert tensors["step_rank"].tolist() == [1, 2, 3]
    assert tensors["candidate_drawn"].dtype == np.float32
    assert tensors["candidate_drawn"].tolist() == [[-0.25, -np.inf]] * 3
    assert tensors["drawn_count"].tolist() == [7] * 3
    for name, array in vars(open_trace(tmp_path / "a.trace")).items():
        assert name not in drawn() or not array.flags.writeable


def test_files_without_ranks_open_as_before(tmp_path: Path) -> None:
    save_trace(make_trace(), tmp_path / "a.trace")
    assert not drawn().keys() & parse(tmp_path / "a.trace")[0].keys()
    trace = open_trace(tmp_path / "a.trace")
    assert trace.step_rank is trace.candidate_drawn is trace.drawn_count is None
