"""Arrays of anybody's as traces; the oracle reads the file by hand."""

from __future__ import annotations

import doctest
import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import model.record
from model.errors import HeadscopeError
from model.record import save_attention
from model.trace.trace import AttentionKind
from model.trace.trace_file import open_trace, save_trace
from tests.model.safetensors_by_hand import parse
from tests.model.trace.test_trace_file import code_of

WORDS = ["the", "cat", "sat"]


def weights(*shape: int, causal: bool = False, seed: int = 0) -> Any:
    draw = np.random.default_rng(seed).random(shape) + 0.1
    if causal:
        draw = np.tril(draw)
    return draw / draw.sum(-1, keepdims=True)


def saved(path: Path, *args: Any, **options: Any) -> tuple[dict[str, Any], dict[str, str]]:
    save_attention(path, *args, **options)
    open_trace(path).patterns.layer(open_trace(path).kinds[0], 0)
    return parse(path)


def test_the_example_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    tests = doctest.DocTestFinder(recurse=False).find(model.record)
    assert tests[0].examples
    assert doctest.DocTestRunner().run(tests[0]).failed == 0
    assert open_trace(tmp_path / "mine.trace").src_tokens == ("the", "cat", "sat")


def test_neither_torch_nor_qt_is_imported_for_arrays_of_numpy(tmp_path: Path) -> None:
    code = (
        "import sys, numpy; from model.record import save_attention, recording\n"
        f"save_attention({str(tmp_path / 'a.trace')!r}, numpy.full((1, 1, 2, 2), 0.5))\n"
        "sys.exit(bool({'torch', 'PySide6', 'transformers'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


FORMS = {
    "an array": lambda w: w,
    "an array with a batch": lambda w: w[:, None],
    "a list of layers": list,
    "torch": lambda w: torch.tensor(w),
    "half": lambda w: torch.tensor(w, dtype=torch.float16),
    "BertViz's": lambda w: tuple(torch.tensor(layer, requires_grad=True)[None] for layer in w),
    "nested lists": lambda w: w.tolist(),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_one_family(tmp_path: Path, form: str) -> None:
    wanted = weights(2, 4, 3, 3)
    tensors, header = saved(tmp_path / "a.trace", FORMS[form](wanted), WORDS, text="the cat sat")
    assert set(tensors) == {"encoder_self"}
    assert tensors["encoder_self"].dtype == np.float32
    assert np.abs(tensors["encoder_self"] - wanted).max() < (1e-3 if form == "half" else 1e-7)
    assert json.loads(header["src_tokens"]) == WORDS
    assert header["src_text"] == "the cat sat"
    assert json.loads(header["not_recorded"]) == ["src_ids"]
    assert header["numbers"] == "pattern"
    dtypes = {"half": "float16", "nested lists": "float32"}
    assert header["compute_dtype"] == dtypes.get(form, "float64")
    assert header["created_by"].startswith("headscope ")


def test_bfloat16_rounds_more_and_may(tmp_path: Path) -> None:
    wanted = torch.tensor(weights(1, 2, 30, 30)).bfloat16()
    tensors, header = saved(tmp_path / "a.trace", wanted, float16=True)
    assert tensors["encoder_self"].dtype == np.float16
    assert np.array_equal(tensors["encoder_self"], wanted.float().numpy().astype(np.float16))
    assert header["compute_dtype"] == "bfloat16"
    rounded = wanted.float()
    assert code_of(lambda: save_attention(tmp_path / "b.trace", rounded)) == "record_rows"
    save_attention(tmp_path / "b.trace", rounded, compute_dtype="bfloat16")


def test_several_families_by_name(tmp_path: Path) -> None:
    given = {
        "encoder_self": weights(2, 4, 3, 3),
        "decoder_self": list(weights(1, 4, 2, 2, causal=True)),
        "cross": torch.tensor(weights(1, 4, 2, 3)),
    }
    read, out = ["<s>", "le"], ["le", "chat"]
    tensors, header = saved(
        tmp_path / "a.trace", given, src_tokens=WORDS, tgt_in_tokens=read, tgt_out_tokens=out
    )
    for name, wanted in given.items():
        assert np.abs(tensors[name] - np.array(list(map(np.asarray, wanted)))).max() < 1e-7
    assert set(tensors) == set(given)
    assert json.loads(header["tgt_in_tokens"]) == read
    assert json.loads(header["tgt_out_tokens"]) == out
    trace = open_trace(tmp_path / "a.trace")
    assert not trace.known_steps.any()
    assert np.isnan(trace.probability(0))
    assert trace.candidate_tokens == ((), ())
    assert len({*trace.tgt_in_ids.tolist(), *trace.tgt_out_ids.tolist()}) == 3
    assert (trace.tgt_out_ids < 0).all()
    assert trace.tgt_in_ids[1] == trace.tgt_out_ids[0]
    save_trace(trace, tmp_path / "b.trace")
    assert (tmp_path / "a.trace").read_bytes() == (tmp_path / "b.trace").read_bytes()


def test_whose_attention_it_is(tmp_path: Path) -> None:
    path = tmp_path / "a.trace"
    causal = weights(2, 2, 3, 3, causal=True)
    assert set(saved(path, causal, WORDS)[0]) == {"decoder_self"}
    trace = open_trace(path)
    assert trace.tgt_in_tokens == ("the", "cat", "sat")
    assert trace.tgt_out_tokens == ("cat", "sat", "")  # nobody knows what comes next
    assert trace.prompt_length == 3
    assert set(saved(path, causal, kind="encoder_self")[0]) == {"encoder_self"}
    assert set(saved(path, weights(2, 2, 3, 4))[0]) == {"cross"}
    both_ways = weights(2, 2, 3, 3)
    assert set(saved(path, both_ways)[0]) == {"encoder_self"}
    assert code_of(lambda: save_attention(path, both_ways, kind="decoder_self")) == "record_future"
    _, header = saved(path, both_ways, kind="decoder_self", bidirectional=True)
    assert header["bidirectional"] == "true"
    assert not open_trace(path).is_causal


def test_missing_names_are_numbers(tmp_path: Path) -> None:
    _, header = saved(tmp_path / "a.trace", {"cross": weights(1, 1, 2, 3)})
    assert json.loads(header["src_tokens"]) == ["1", "2", "3"]
    assert json.loads(header["tgt_in_tokens"]) == ["1", "2"]
    assert json.loads(header["tgt_out_tokens"]) == ["2", ""]
    saved(tmp_path / "a.trace", {"cross": weights(1, 1, 2, 3)}, tgt_out_tokens=["x", "y"])
    assert open_trace(tmp_path / "a.trace").tgt_in_tokens == ("", "x")


@pytest.mark.parametrize("tokens", [tuple(WORDS), np.array(WORDS), np.array([WORDS])])
def test_tokens_as_anything_that_holds_strings(tmp_path: Path, tokens: Any) -> None:
    _, header = saved(tmp_path / "a.trace", weights(1, 1, 3, 3), tokens)
    assert json.loads(header["src_tokens"]) == WORDS


def test_one_of_a_batch_without_its_padding(tmp_path: Path) -> None:
    batch = np.zeros((2, 3, 4, 5, 5))
    wanted = weights(2, 4, 3, 3)
    batch[:, 1, :, 1:4, 1:4] = wanted
    batch[:, 1, :, [0, 4], 0] = 1  # what a model makes of padding
    tokens = [["x"] * 5, ["<pad>", *WORDS, "<pad>"], ["x"] * 5]
    mask = [[1] * 5, [0, 1, 1, 1, 0], [1] * 5]
    tensors, header = saved(tmp_path / "a.trace", batch, tokens, item=1, attention_mask=mask)
    assert np.abs(tensors["encoder_self"] - wanted).max() < 1e-7
    assert json.loads(header["src_tokens"]) == WORDS


def test_probabilities_of_given_logits(tmp_path: Path) -> None:
    logits = np.random.default_rng(3).normal(size=(3, 20)).astype(np.float32)
    tensors, header = saved(
        tmp_path / "a.trace",
        weights(1, 1, 3, 3, causal=True),
        np.array([4, 7, 9]),
        logits=logits,
        candidates=5,
        prompt_length=1,
    )
    wide = logits.astype(np.float64)
    wanted = wide - np.log(np.exp(wide).sum(-1, keepdims=True))
    best = int(logits[2].argmax())
    assert tensors["tgt_out_ids"].tolist() == [7, 9, best]
    assert np.abs(tensors["step_logprob"] - wanted[[0, 1, 2], [7, 9, best]]).max() < 1e-6
    order = np.argsort(-wanted, axis=1)[:, :5]
    assert tensors["candidate_ids"].tolist() == order.tolist()
    assert np.abs(tensors["candidate_logprobs"] - np.take_along_axis(wanted, order, 1)).max() < 1e-6
    ranks = [1 + int((wanted[t] > wanted[t, i]).sum()) for t, i in enumerate((7, 9, best))]
    assert tensors["step_rank"].tolist() == ranks
    assert json.loads(header["tgt_in_tokens"]) == ["4", "7", "9"]  # by number, without a tokenizer
    assert header["prompt_length"] == "1"


def test_other_numbers_are_never_weights(tmp_path: Path) -> None:
    scores = np.random.default_rng(0).normal(size=(1, 2, 3, 3)) * 5
    assert code_of(lambda: save_attention(tmp_path / "a.trace", scores)) == "record_rows"
    tensors, header = saved(tmp_path / "a.trace", scores, numbers="scores")
    assert header["numbers"] == "scores"
    assert np.abs(tensors["encoder_self"] - scores).max() < 1e-5


def test_a_fully_masked_row_is_zeros(tmp_path: Path) -> None:
    given = weights(1, 1, 3, 3)
    given[0, 0, 1] = 0
    assert not saved(tmp_path / "a.trace", given)[0]["encoder_self"][0, 0, 1].any()


@dataclass
class CausalLMOutputWithPast:
    """As `transformers` calls it."""

    attentions: Any


BAD: dict[str, tuple[str, tuple[Any, ...], dict[str, Any]]] = {
    "text": ("record_not_numbers", ("attention",), {}),
    "nothing": ("record_axes", ([],), {}),
    "one matrix": ("record_axes", (np.ones((2, 2)),), {}),
    "no attention": ("record_layer_absent", ([None],), {}),
    "not asked for eager attention": ("record_no_attention", (CausalLMOutputWithPast(()),), {}),
    "eager attention of no layer": ("record_no_attention", (CausalLMOutputWithPast((None, None)),), {}),
    "no tokens at all": ("record_empty", (np.zeros((1, 1, 0, 0)), []), {}),
    "no heads": ("record_empty", (np.zeros((2, 0, 3, 3)),), {}),
    "imaginary": ("record_not_numbers", (weights(1, 1, 3, 3) + 0j,), {}),
    "imaginary in torch": ("record_not_numbers", (torch.tensor(weights(1, 1, 3, 3) + 0j),), {}),
    "digits as strings": ("record_not_numbers", (np.full((1, 1, 1, 1), "1"),), {}),
    "nowhere": ("record_not_numbers", (torch.empty(1, 1, 3, 3, device="meta"),), {}),
    "too large": ("record_not_finite", (np.full((1, 1, 2, 2), 1e300),), {"numbers": "scores"}),
    "one text": ("record_names", (weights(1, 1, 3, 3), "the"), {}),
    "a number of tokens": ("record_names", (weights(1, 1, 3, 3), 3), {}),
    "the tokenizer's answer": ("record_names", (weights(1, 1, 3, 3), {"input_ids": [1, 2, 3]}), {}),
    "words and ids": ("record_names", (weights(1, 1, 3, 3), ["a", 2, "c"]), {}),
    "labels": ("record_negative_id", (weights(1, 1, 3, 3), [-100, 2, 3]), {}),
    "no batch": ("record_item", (weights(1, 2, 3, 3),), {"item": 1}),
    "no source": ("record_side", ({"decoder_self": np.eye(3)[None, None]},), {"src_tokens": WORDS}),
    "no target": ("record_side", ({"encoder_self": np.eye(3)[None, None]},), {"tgt_in_tokens": WORDS}),
    "no name of numbers": ("record_numbers", (weights(1, 1, 3, 3),), {"numbers": ""}),
    "numbers without a name": ("record_numbers", (weights(1, 1, 3, 3),), {"numbers": None}),
    "no tokenizer": ("record_tokenizer", (weights(1, 1, 3, 3), [1, 2, 3]), {"tokenizer": "bert"}),
    "beyond half": (
        "trace_float16",
        (weights(1, 1, 3, 3) * 1e6,),
        {"numbers": "scores", "float16": True},
    ),
    "a row of logits": ("record_logits_shape", (np.eye(3)[None, None], [1, 2, 3]), {"logits": np.ones(9)}),
    "logits that are none": (
        "record_logits_finite",
        (np.eye(3)[None, None], [1, 2, 3]),
        {"logits": np.full((3, 9), np.nan)},
    ),
    "logits behind a filter": (
        "record_logits_finite",
        (np.eye(3)[None, None], [1, 2, 3]),
        {"logits": np.where(np.arange(9) < 5, 0.0, -np.inf)[None].repeat(3, 0)},
    ),
    "an output without": ("record_no_attention", ({"logits": np.ones((1, 2, 3)), "attentions": None},), {}),
    "other heads": ("record_layers_differ", ([weights(2, 3, 3), weights(4, 3, 3)],), {}),
    "negative": ("record_rows", (np.array([[[[1.5, -0.5], [0, 1]]]]),), {}),
    "not finite": ("record_not_finite", (np.full((1, 1, 2, 2), np.nan),), {}),
    "tokens": ("record_tokens", (weights(1, 1, 3, 3), ["a"]), {}),
    "ids of tokens": ("record_ids_shape", (weights(1, 1, 3, 3), np.zeros((1, 1, 3), int)), {}),
    "no ids": ("record_names", (weights(1, 1, 3, 3), [0.5, 1.5, 2.5]), {}),
    "item": ("record_item", (weights(1, 2, 1, 3, 3),), {"item": 2}),
    "mask": ("record_mask", (weights(1, 1, 3, 3),), {"attention_mask": [1, 1]}),
    "empty mask": ("record_mask", (weights(1, 1, 3, 3),), {"attention_mask": [0, 0, 0]}),
    "kind": ("record_kind", (weights(1, 1, 3, 3),), {"kind": "self"}),
    "name": ("record_kind", ({"self": weights(1, 1, 3, 3)},), {}),
    "lengths": (
        "record_lengths",
        ({"encoder_self": weights(1, 1, 3, 3), "cross": weights(1, 1, 2, 4)},),
        {},
    ),
    "not square": ("record_lengths", (weights(1, 1, 3, 4),), {"kind": "encoder_self"}),
    "prompt": ("record_prompt", (weights(1, 1, 3, 3, causal=True),), {"prompt_length": 4}),
    "named kind": ("record_kind", ({"cross": weights(1, 1, 3, 3)},), {"kind": "self"}),
    "another vocabulary": (
        "token_id",
        (weights(1, 1, 3, 3, causal=True), np.array([1, 2, 9])),
        {"logits": np.ones((3, 9))},
    ),
    "logits": (
        "record_logits",
        (weights(1, 1, 3, 3, causal=True), np.array([1, 2, 3])),
        {"logits": np.ones((4, 9))},
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_what_does_not_belong_together_is_said_in_one_sentence(tmp_path: Path, name: str) -> None:
    code, args, options = BAD[name]
    (tmp_path / "a.trace").write_bytes(b"old")
    assert code_of(lambda: save_attention(tmp_path / "a.trace", *args, **options)) == code
    assert (tmp_path / "a.trace").read_bytes() == b"old"
    assert len(list(tmp_path.iterdir())) == 1


def test_what_is_wrong_with_a_row_is_said(tmp_path: Path) -> None:
    for row, said in (
        ([1.5, -0.5], "holds the negative number -0.5"),
        ([0.5, 1.5], "sums to 2 and not to 1"),
    ):
        with pytest.raises(HeadscopeError, match=f"row 2 of encoder_self layer 1 head 1 {said}"):
            save_attention(tmp_path / "a.trace", [[[[0.5, 0.5], row]]], kind="encoder_self")
    with pytest.raises(HeadscopeError, match=r"the shape \[4, 3, 3\].*weights\[None\]"):
        save_attention(tmp_path / "a.trace", weights(4, 3, 3))


class Foreign:
    """An array of a library that only lends itself to numpy, its names of types as TensorFlow's."""

    def __init__(self, array: Any) -> None:
        self.array = array

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return self.array


@pytest.mark.parametrize(
    "tokens",
    [
        (word for word in WORDS),
        dict.fromkeys(WORDS).keys(),
        np.array(WORDS, object),
    ],
)
def test_tokens_in_any_collection(tmp_path: Path, tokens: Any) -> None:
    tensors, header = saved(tmp_path / "a.trace", Foreign(weights(2, 4, 3, 3)), tokens)
    assert np.abs(tensors["encoder_self"] - weights(2, 4, 3, 3)).max() < 1e-7
    assert json.loads(header["src_tokens"]) == WORDS


def test_types_go_by_their_names(tmp_path: Path) -> None:
    class Float:
        name = "float32"

    class Eager(np.ndarray[Any, Any]):
        dtype = property(lambda self: Float())  # type: ignore[assignment]

    layer = weights(1, 4, 3, 3).astype(np.float32).view(Eager)
    assert saved(tmp_path / "a.trace", [layer], WORDS)[1]["compute_dtype"] == "float32"


def test_sparse_tensors_and_masks_of_floats(tmp_path: Path) -> None:
    wanted = weights(1, 2, 3, 3)
    wanted[..., 2] = 0
    wanted /= wanted.sum(-1, keepdims=True)
    tensors, _ = saved(
        tmp_path / "a.trace", [torch.tensor(wanted[0]).to_sparse()], WORDS, attention_mask=[[1.0, 1.0, 0.0]]
    )
    assert np.abs(tensors["encoder_self"] - wanted[:, :, :2, :2]).max() < 1e-7


def test_names_say_whose_attention_it_is(tmp_path: Path) -> None:
    causal = weights(1, 1, 3, 3, causal=True)
    assert set(saved(tmp_path / "a.trace", causal, src_tokens=WORDS)[0]) == {"encoder_self"}
    both_ways = weights(1, 1, 3, 3)
    both_ways[0, 0, 0] = [0.2, 0.4, 0.4]  # a row of padding looks anywhere; the others do not look ahead
    both_ways[0, 0, 1] = [0, 1, 0]
    both_ways[0, 0, 2] = [0, 0.5, 0.5]
    assert set(saved(tmp_path / "a.trace", both_ways, WORDS, attention_mask=[0, 1, 1])[0]) == {"decoder_self"}
    code = code_of(lambda: save_attention(tmp_path / "a.trace", weights(1, 1, 3, 3), tgt_in_tokens=WORDS))
    assert code == "record_future"


def test_steps_that_fit_no_generation(tmp_path: Path) -> None:
    from types import SimpleNamespace

    def steps(*widths: int, rows: int = 1) -> SimpleNamespace:
        return SimpleNamespace(
            sequences=np.arange(len(widths) + 1)[None],
            attentions=tuple((np.full((1, 2, rows, width), 1 / width),) for width in widths),
        )

    save_attention(tmp_path / "a.trace", steps(1, 2, 3))
    trace = open_trace(tmp_path / "a.trace")
    assert trace.pattern(AttentionKind.DECODER_SELF, 0, 0).tolist()[1] == [0.5, 0.5, 0.0]
    save_attention(tmp_path / "a.trace", steps(1, 2, 2))  # a window of two
    trace = open_trace(tmp_path / "a.trace")
    assert trace.pattern(AttentionKind.DECODER_SELF, 0, 0).tolist()[2] == [0.0, 0.5, 0.5]
    for wrong in (steps(1, 3, 3), steps(1, 2, rows=2), steps()):
        path = tmp_path / "b.trace"
        assert code_of(lambda wrong=wrong, path=path: save_attention(path, wrong)) in (  # type: ignore[misc]
            "record_steps",
            "record_no_attention",
        )
    assert not (tmp_path / "b.trace").exists()


def test_no_model_goes_on_with_a_recording_of_another(tmp_path: Path) -> None:
    def of(**options: Any) -> Any:
        save_attention(tmp_path / "a.trace", weights(1, 1, 3, 3), **options)
        return open_trace(tmp_path / "a.trace")

    named = of(tokens=[1, 2, 3], model_name="bert")
    assert named.may_be_of("bert", "ab" * 32)
    assert not named.may_be_of("en-fr", "ab" * 32)
    assert not of(tokens=WORDS, model_name="bert").may_be_of("bert", ""), "nobody knows the ids"
    save_attention(tmp_path / "a.trace", weights(1, 1, 3, 3, causal=True), [1, 2, 3])
    assert not open_trace(tmp_path / "a.trace").may_be_of("gpt2", ""), "nobody knows whose it is"
