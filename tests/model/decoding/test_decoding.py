from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from model.decoding.decode_config import DecodeConfig
from model.decoding.decoding import DecodeEvent
from model.errors import HeadscopeError
from model.trace.trace import AttentionKind, Trace
from model.translator.translator import Translator
from model.version import VERSION
from tests.assets import END, PAIRS, SENTENCE, START, write_tiny_bundle
from tests.model.oracle import Oracle

UNSEEN = "The little dog sleeps near my old school."
MODES = {
    "greedy": DecodeConfig(),
    "beam": DecodeConfig(mode="beam", beam_size=3, n_best=2),
    "sample": DecodeConfig(mode="sample", temperature=1.3, seed=5),
    "forced": DecodeConfig(mode="forced", target="Le petit chat boit du thé."),
    "prefix": DecodeConfig(prefix_ids=(300, 280, 310)),
    "cut": DecodeConfig(max_length=4),
    "long": DecodeConfig(mode="forced", target="Le petit chat boit du thé vert. " * 4),
}


@pytest.fixture(scope="module")
def translator(tiny_bundle: Path) -> Translator:
    return Translator.load(tiny_bundle)


def last(events: Iterator[DecodeEvent]) -> DecodeEvent:
    *_, event = events
    return event


def all_patterns(trace: Trace) -> dict[tuple[str, int], np.ndarray[Any, Any]]:
    return {(str(k), n): trace.patterns.layer(k, n) for k in trace.kinds for n in range(trace.layers(k))}


def assert_same(a: Trace, b: Trace) -> None:
    assert a.tgt_out_tokens == b.tgt_out_tokens
    np.testing.assert_allclose(a.step_logprob, b.step_logprob, atol=1e-5)
    for key, weights in all_patterns(a).items():
        np.testing.assert_allclose(weights, all_patterns(b)[key], atol=1e-5)


@pytest.mark.parametrize("mode", MODES)
def test_trace_equals_full_recomputation(tiny_bundle: Path, translator: Translator, mode: str) -> None:
    trace = last(translator.decode(UNSEEN, MODES[mode])).trace
    oracle = Oracle(tiny_bundle)
    logprobs = oracle.logprobs(trace.src_ids.tolist(), trace.tgt_in_ids.tolist())
    steps = torch.arange(trace.steps)
    chosen = logprobs[steps, torch.tensor(trace.tgt_out_ids)]
    np.testing.assert_allclose(trace.step_logprob, chosen.numpy(), atol=1e-5)
    top = logprobs.topk(10).values
    np.testing.assert_allclose(trace.candidate_logprobs, top.numpy(), atol=1e-5)
    of_ids = logprobs.gather(1, torch.tensor(trace.candidate_ids))
    np.testing.assert_allclose(of_ids.numpy(), top.numpy(), atol=1e-5)
    assert set(all_patterns(trace)) == set(oracle.patterns)
    for key, weights in all_patterns(trace).items():
        np.testing.assert_allclose(weights, oracle.patterns[key][0].numpy(), atol=1e-5)


@pytest.mark.parametrize("mode", MODES)
def test_every_snapshot_is_a_true_trace(translator: Translator, mode: str) -> None:
    for event in translator.decode(SENTENCE, MODES[mode]):
        trace = event.trace
        t, s = trace.steps, len(trace.src_ids)
        assert trace.src_ids[-1] == END
        assert START not in trace.src_ids
        assert trace.src_tokens[-1] == "</s>"
        # Row t reads input t, which is output t - 1, and the start token in row 0.
        assert list(trace.tgt_in_ids) == [START, *trace.tgt_out_ids[:-1]][:t]
        assert trace.tgt_in_tokens == ("<s>", *trace.tgt_out_tokens[:-1])[:t]
        sizes = {"encoder_self": (s, s), "decoder_self": (t, t), "cross": (t, s)}
        for kind in AttentionKind:
            for layer in range(trace.layers(kind)):
                weights = trace.patterns.layer(kind, layer)
                assert weights.shape == (4, *sizes[kind])
                assert not weights.flags.writeable
                np.testing.assert_allclose(weights.sum(-1), 1, atol=1e-5)
        for layer in range(trace.layers(AttentionKind.DECODER_SELF)):
            above = np.triu(trace.patterns.layer(AttentionKind.DECODER_SELF, layer), 1)
            assert not above.any()
        assert trace.candidate_logprobs.shape == trace.candidate_ids.shape == (t, 10)
        assert (np.diff(trace.candidate_logprobs, axis=1) <= 0).all()
        assert (np.exp(trace.candidate_logprobs.astype(np.float64)).sum(1) <= 1 + 1e-5).all()


def test_first_event_has_the_encoder_only_and_each_later_one_a_token_more(translator: Translator) -> None:
    events = list(translator.decode(SENTENCE))
    assert [event.trace.steps for event in events] == list(range(len(events)))
    assert [event.done for event in events] == [False] * (len(events) - 1) + [True]
    assert events[0].trace.kinds == tuple(AttentionKind)
    done = events[-1]
    assert done.stopped == "end"
    assert done.trace.finished
    assert done.trace.tgt_out_tokens[-1] == "</s>"
    assert done.trace.tgt_text == PAIRS[2][1]
    # Earlier snapshots stay as they were while the arrays behind them grow.
    for t, event in enumerate(events):
        for key, weights in all_patterns(event.trace).items():
            whole = all_patterns(done.trace)[key]
            np.testing.assert_array_equal(weights, whole[:, : weights.shape[1], : weights.shape[2]])
        assert event.trace.tgt_out_tokens == done.trace.tgt_out_tokens[:t]


def test_length_limit_leaves_the_end_out(translator: Translator) -> None:
    for mode in ("greedy", "beam", "sample"):
        event = last(translator.decode(SENTENCE, DecodeConfig(mode=mode, max_length=3, seed=1)))
        assert event.stopped == "limit"
        assert not event.trace.finished
        assert event.trace.steps == 3
        assert "</s>" not in event.trace.tgt_out_tokens


def test_limit_is_what_evaluation_uses(tmp_path: Path) -> None:
    """A model that never ends a sentence stops after one and a half times the source and 20 tokens."""
    bundle = write_tiny_bundle(tmp_path / "endless", train_steps=0, output_bias=True)
    translator = Translator.load(bundle)
    translator.bundle.transformer.output.bias.data[END] = -1e4
    event = last(translator.decode("I like green tea."))
    source = len(event.trace.src_ids)
    assert event.trace.steps == source * 3 // 2 + 20
    long = last(translator.decode("I like green tea.", DecodeConfig(max_length=10**9)))
    assert long.trace.steps == 128


@pytest.mark.parametrize("mode", ["greedy", "beam", "sample", "forced"])
def test_a_token_is_told_before_the_next_is_computed(
    translator: Translator, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    computed = 0
    step = translator.bundle.transformer.decode_step

    def counting(*args: Any, **kwargs: Any) -> Tensor:
        nonlocal computed
        computed += 1
        return step(*args, **kwargs)

    monkeypatch.setattr(translator.bundle.transformer, "decode_step", counting)
    for told, event in enumerate(translator.decode(SENTENCE, MODES[mode])):
        assert computed == told
        assert event.done or event.trace.steps == told


@pytest.mark.parametrize("mode", ["greedy", "beam", "sample", "forced"])
def test_inference_mode_never_leaks_to_the_caller(translator: Translator, mode: str) -> None:
    for _ in translator.decode(SENTENCE, MODES[mode]):
        assert not torch.is_inference_mode_enabled()
        assert torch.is_grad_enabled()
        x = torch.ones(2, requires_grad=True)
        (x * x).sum().backward()
        assert x.grad is not None


def test_forced_target_is_read_piece_by_piece(translator: Translator) -> None:
    config = MODES["forced"]
    events = list(translator.decode(SENTENCE, config))
    trace = events[-1].trace
    pieces = translator.bundle.target_tokenizer.pieces(config.target or "")
    assert trace.tgt_out_tokens == (*pieces, "</s>")
    assert len(events) == len(pieces) + 2
    assert trace.tgt_text == config.target
    assert trace.decoding["mode"] == "forced"
    assert trace.decoding["target"] == config.target


def test_forcing_what_was_decoded_changes_nothing(translator: Translator) -> None:
    free = last(translator.decode(UNSEEN)).trace
    forced = last(translator.decode(UNSEEN, DecodeConfig(mode="forced", target=free.tgt_text))).trace
    if forced.tgt_out_tokens == free.tgt_out_tokens:  # the text may be split otherwise than it was produced
        assert_same(free, forced)
    prefix = tuple(free.tgt_out_ids.tolist())
    assert_same(free, last(translator.decode(UNSEEN, DecodeConfig(prefix_ids=prefix))).trace)


@pytest.mark.parametrize("mode", ["greedy", "beam", "sample"])
def test_prefix_is_kept_and_decoding_goes_on_freely(translator: Translator, mode: Any) -> None:
    prefix = (300, 280, 310)
    trace = last(translator.decode(SENTENCE, DecodeConfig(mode=mode, prefix_ids=prefix, seed=3))).trace
    assert tuple(trace.tgt_out_ids[:3]) == prefix
    assert trace.steps > 3
    ended = last(translator.decode(SENTENCE, DecodeConfig(mode=mode, prefix_ids=(300, END), seed=3)))
    assert ended.stopped == "end"
    assert ended.trace.steps == 2


def test_branching_computes_only_what_is_new(translator: Translator, monkeypatch: pytest.MonkeyPatch) -> None:
    origin = last(translator.decode(SENTENCE))
    before = all_patterns(origin.trace)
    other = int(origin.trace.candidate_ids[4, 1])
    config = DecodeConfig(prefix_ids=(*origin.trace.tgt_out_ids[:4].tolist(), other))
    anew = last(translator.decode(SENTENCE, config)).trace
    computed = 0
    transformer = translator.bundle.transformer
    step = transformer.decode_step

    def counting(*args: Any, **kwargs: Any) -> Tensor:
        nonlocal computed
        computed += 1
        return step(*args, **kwargs)

    monkeypatch.setattr(transformer, "decode_step", counting)
    monkeypatch.setattr(transformer, "encode", None)
    events = list(translator.decode(SENTENCE, config, branch_from=origin.decoding))
    assert events[0].trace.steps == 4
    assert events[-1].trace.steps == anew.steps == 4 + computed
    assert_same(events[-1].trace, anew)
    for key, weights in all_patterns(origin.trace).items():
        np.testing.assert_array_equal(weights, before[key])


def test_a_branch_of_another_text_starts_anew(translator: Translator) -> None:
    origin = last(translator.decode(SENTENCE))
    branch = last(translator.decode(UNSEEN, branch_from=origin.decoding)).trace
    assert_same(branch, last(translator.decode(UNSEEN)).trace)


def test_sampling_is_reproducible_by_seed(translator: Translator) -> None:
    def sample(seed: int | None) -> Trace:
        config = DecodeConfig(mode="sample", temperature=1.5, seed=seed)
        return last(translator.decode(UNSEEN, config)).trace

    torch.manual_seed(0)
    first = sample(7)
    torch.manual_seed(1)
    torch.rand(5)
    assert sample(7).tgt_out_tokens == first.tgt_out_tokens
    assert first.seed == 7
    assert len({sample(seed).tgt_out_tokens for seed in range(8)}) > 1
    drawn = sample(None)
    assert drawn.seed is not None
    assert drawn.decoding["seed"] == drawn.seed
    assert sample(drawn.seed).tgt_out_tokens == drawn.tgt_out_tokens


def test_sampling_leaves_the_probabilities_unfiltered(tiny_bundle: Path, translator: Translator) -> None:
    config = DecodeConfig(mode="sample", temperature=0.3, top_k=2, top_p=0.5, seed=1)
    trace = last(translator.decode(UNSEEN, config)).trace
    logprobs = Oracle(tiny_bundle).logprobs(trace.src_ids.tolist(), trace.tgt_in_ids.tolist())
    np.testing.assert_allclose(trace.candidate_logprobs, logprobs.topk(10).values.numpy(), atol=1e-5)


@pytest.mark.parametrize("candidates", [0, 1, 3, 10_000])
def test_as_many_candidates_as_asked_for(translator: Translator, candidates: int) -> None:
    vocab = translator.bundle.config.architecture.target_vocab
    for mode in ("greedy", "beam"):
        trace = last(translator.decode(SENTENCE, DecodeConfig(mode=mode, candidates=candidates))).trace
        assert trace.candidate_ids.shape == (trace.steps, min(candidates, vocab))
        assert [len(row) for row in trace.candidate_tokens] == [min(candidates, vocab)] * trace.steps
        assert trace.tgt_text == PAIRS[2][1]


def test_provenance(tiny_bundle: Path, translator: Translator) -> None:
    import hashlib

    trace = last(translator.decode(SENTENCE)).trace
    assert trace.model_name == "tiny"
    assert trace.model_sha256 == hashlib.sha256((tiny_bundle / "model.safetensors").read_bytes()).hexdigest()
    assert trace.decoding == {"mode": "greedy", "candidates": 10}
    assert trace.seed is None
    assert trace.created_by == f"headscope {VERSION}"
    assert trace.compute_dtype == "float32"
    assert trace.numbers == "pattern"
    assert trace.src_text == SENTENCE


def test_what_cannot_be_forced_is_refused(translator: Translator) -> None:
    with pytest.raises(HeadscopeError) as caught:
        last(translator.decode(SENTENCE, DecodeConfig(mode="forced", target="tea " * 200)))
    assert caught.value.code == "too_long"
    with pytest.raises(HeadscopeError) as caught:
        last(translator.decode(SENTENCE, DecodeConfig(prefix_ids=(10**6,))))
    assert caught.value.code == "token_id"


def test_any_architecture_decodes_as_recomputed(tmp_path: Path) -> None:
    variants: list[dict[str, object]] = [
        {"norm": "pre_norm", "positions": "learned", "activation": "gelu", "attention_bias": False},
        {"positions": "none", "tie_embeddings": "all", "encoder_layers": 3, "decoder_layers": 1},
    ]
    for number, variant in enumerate(variants):
        folder = write_tiny_bundle(tmp_path / str(number), train_steps=0, **variant)
        trace = last(Translator.load(folder).decode(SENTENCE, MODES["beam"])).trace
        oracle = Oracle(folder)
        logprobs = oracle.logprobs(trace.src_ids.tolist(), trace.tgt_in_ids.tolist())
        np.testing.assert_allclose(trace.candidate_logprobs, logprobs.topk(10).values.numpy(), atol=1e-5)
        for key, weights in all_patterns(trace).items():
            np.testing.assert_allclose(weights, oracle.patterns[key][0].numpy(), atol=1e-5)


def test_a_finished_trace_can_be_changed_in_no_way(tiny_trace: Trace) -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        tiny_trace.tgt_text = "other"  # type: ignore[misc]
    for name in (
        "src_ids",
        "tgt_in_ids",
        "tgt_out_ids",
        "step_logprob",
        "candidate_ids",
        "candidate_logprobs",
    ):
        assert not getattr(tiny_trace, name).flags.writeable
