"""Altered decodes, continuations, ranks, drawn distributions; judged by plain torch on the bundle's files."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from model.alterations.alteration import Alteration
from model.alterations.block_token import BlockToken
from model.alterations.change_positions import ChangePositions
from model.alterations.registry import all_to_json, from_json
from model.alterations.reorder import Reorder
from model.alterations.scale_head import ScaleHead
from model.alterations.set_row import SetRow
from model.decoding.decode_config import DecodeConfig
from model.decoding.decoding import DecodeEvent, Fate
from model.errors import HeadscopeError
from model.trace.trace import AttentionKind, Trace
from model.translator.translator import Translator
from tests.assets import END, SENTENCE, START
from tests.model.alterations.altered_plain import AlteredPlain
from tests.model.oracle import Oracle

OWN, CROSS, READ = AttentionKind.DECODER_SELF, AttentionKind.CROSS, AttentionKind.ENCODER_SELF
UNSEEN = "The little dog sleeps near my old school."
MODES = {
    "greedy": DecodeConfig(),
    "beam": DecodeConfig(mode="beam", beam_size=3, n_best=2),
    "sample": DecodeConfig(mode="sample", temperature=1.3, top_k=20, top_p=0.9, seed=5),
    "forced": DecodeConfig(mode="forced", target="Le petit chat boit du thé."),
}


@pytest.fixture(scope="module")
def translator(tiny_bundle: Path) -> Translator:
    return Translator.load(tiny_bundle)


def last(events: Iterator[DecodeEvent]) -> DecodeEvent:
    *_, event = events
    return event


def assert_same(a: Trace, b: Trace, atol: float = 1e-5) -> None:
    assert a.tgt_out_tokens == b.tgt_out_tokens
    assert a.alterations == b.alterations
    np.testing.assert_allclose(a.step_logprob, b.step_logprob, atol=atol)
    for kind in a.kinds:
        for layer in range(a.layers(kind)):
            ours, theirs = a.patterns.layer(kind, layer), b.patterns.layer(kind, layer)
            np.testing.assert_allclose(ours, theirs, atol=atol)


class AlteredOracle(Oracle):
    """Plain torch with one change made by hand in its weights or masks."""

    def __init__(self, folder: Path, change: Alteration) -> None:
        super().__init__(folder)
        self.key_mask: Tensor | None = None
        self.blocked: int | None = None
        if isinstance(change, ScaleHead):
            stack = self.plain.encoder if change.kind is READ else self.plain.decoder
            layer: Any = stack.layers[change.layer]
            attention = layer.multihead_attn if change.kind is CROSS else layer.self_attn
            width = self.plain.a["d_model"] // self.plain.a["n_heads"]
            first, count = (0, self.plain.a["n_heads"]) if change.head is None else (change.head, 1)
            attention.out_proj.weight.data[:, first * width : (first + count) * width] *= change.factor
        elif isinstance(change, ChangePositions):
            self.plain.a = {**self.plain.a, "positions": "none"}
        elif isinstance(change, BlockToken):
            self.blocked = change.token

    def logprobs(self, source: Any, target_in: Any) -> Tensor:
        mask = None
        if self.blocked is not None:
            mask = torch.ones(1, len(source), dtype=torch.bool)
            mask[0, self.blocked] = False
        memory = self.plain.encode(torch.tensor([list(source)]), mask)
        hidden = self.plain.decode(torch.tensor([list(target_in)]), memory, mask)
        return self.plain.project(hidden)[0].log_softmax(-1)


ONE_CHANGE: dict[str, Alteration] = {
    "head": ScaleHead(CROSS, 1, 2, 0.0),
    "own head": ScaleHead(OWN, 0, 3, 0.5),
    "encoder layer": ScaleHead(READ, 1, None, 0.0),
    "block": BlockToken(2),
    "no positions": ChangePositions(),
}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("change", ONE_CHANGE)
def test_altered_traces_equal_plain_torch_changed_by_hand(
    tiny_bundle: Path, translator: Translator, mode: str, change: str
) -> None:
    alterations = (ONE_CHANGE[change],)
    trace = last(translator.decode(UNSEEN, MODES[mode], alterations=alterations)).trace
    assert trace.alterations == all_to_json(alterations)
    assert len(trace.alterations) == 1
    oracle = AlteredOracle(tiny_bundle, alterations[0])
    logprobs = oracle.logprobs(trace.src_ids.tolist(), trace.tgt_in_ids.tolist()).numpy()
    rows = np.arange(trace.steps)
    np.testing.assert_allclose(trace.step_logprob, logprobs[rows, trace.tgt_out_ids], atol=2e-5)
    np.testing.assert_allclose(trace.candidate_logprobs, -np.sort(-logprobs)[:, :10], atol=2e-5)
    # Patterns are those the changed model computes; a scaled head's own rows still sum to 1.
    for (family, layer), weights in oracle.patterns.items():
        found = trace.patterns.layer(AttentionKind(family), layer)
        np.testing.assert_allclose(found, weights[0].numpy(), atol=2e-5)
        np.testing.assert_allclose(found.sum(-1), 1, atol=1e-5)
    plain = last(translator.decode(UNSEEN, MODES[mode])).trace
    assert plain.alterations == ()
    assert abs(float(plain.step_logprob[0] - trace.step_logprob[0])) > 1e-6
    # One pass over all tokens at once says the same.
    held = translator.forced_logprobs(UNSEEN, trace.tgt_out_ids.tolist(), alterations)
    assert held.dtype == np.float32
    np.testing.assert_allclose(held, trace.step_logprob, atol=2e-5)


def test_shuffled_positions_are_those_of_the_translation_where_its_length_is_known(
    tiny_bundle: Path, translator: Translator
) -> None:
    """The trace says among how many steps; recomputed in plain torch from the positions that it names."""
    change = ChangePositions("both", "shuffled", 3)
    free = last(translator.decode(UNSEEN, alterations=(change,))).trace
    sources = len(free.src_ids)
    assert free.alterations[0]["steps"] == min(128, sources * 3 // 2 + 20)
    short = last(translator.decode(UNSEEN, DecodeConfig(max_length=4), alterations=(change,))).trace
    assert short.alterations[0]["steps"] == 4
    plain = last(translator.decode(UNSEEN)).trace
    told = DecodeConfig(mode="forced", target=plain.tgt_text)
    forced = last(translator.decode(UNSEEN, told, alterations=(change,))).trace
    assert forced.alterations == ({**all_to_json((change,))[0], "steps": forced.steps},)
    again = last(translator.decode(UNSEEN, alterations=tuple(map(from_json, forced.alterations)))).trace
    assert again.alterations == forced.alterations  # a free decoding, its length not known
    for trace in (free, short, forced, again):
        steps = trace.alterations[0]["steps"]
        own = drawn_order(steps, 3)
        at = [own[t] if t < steps else t for t in range(trace.steps)]
        assert trace is not forced or sorted(at) == list(range(trace.steps))
        oracle = AlteredPlain(tiny_bundle, source_positions=drawn_order(sources, 3), target_positions=at)
        logits = oracle.logits(trace.src_ids.tolist(), trace.tgt_in_ids.tolist())
        logprobs = logits.reshape(trace.steps, -1).log_softmax(-1).numpy()
        rows = np.arange(trace.steps)
        np.testing.assert_allclose(trace.step_logprob, logprobs[rows, trace.tgt_out_ids], atol=2e-5)
    held = translator.forced_logprobs(UNSEEN, forced.tgt_out_ids.tolist(), (change,))
    np.testing.assert_allclose(held, forced.step_logprob, atol=2e-5)


def drawn_order(count: int, seed: int) -> list[int]:
    """Sorted by random numbers, drawn again if that is the usual order."""
    draw = random.Random(seed)
    found = list(range(count))
    while found == list(range(count)):
        keys = [draw.random() for _ in range(count)]
        found = [place for _, place in sorted(zip(keys, range(count)))]
    return found


@pytest.mark.parametrize("mode", MODES)
def test_a_row_that_is_set_is_recorded_so_and_used(translator: Translator, mode: str) -> None:
    change = SetRow(CROSS, 1, head=2, query=1, key=0)
    trace = last(translator.decode(UNSEEN, MODES[mode], alterations=(change,))).trace
    plain = last(translator.decode(UNSEEN, MODES[mode])).trace
    wanted = np.zeros(len(trace.src_ids))
    wanted[0] = 1
    np.testing.assert_array_equal(trace.pattern(CROSS, 1, 2)[1], wanted)
    np.testing.assert_allclose(trace.pattern(CROSS, 1, 2)[0], plain.pattern(CROSS, 1, 2)[0], atol=1e-6)
    assert not np.allclose(trace.pattern(OWN, 2, 0)[2, :3], plain.pattern(OWN, 2, 0)[2, :3], atol=1e-7)


@pytest.mark.parametrize("mode", ["greedy", "beam"])
def test_reordered_pieces_are_told_in_the_order_they_were_read(translator: Translator, mode: str) -> None:
    plain = last(translator.decode(UNSEEN)).trace
    count = len(plain.src_ids) - 1
    order = tuple(reversed(range(count)))
    trace = last(translator.decode(UNSEEN, MODES[mode], alterations=(Reorder(order),))).trace
    assert trace.src_text == UNSEEN
    assert trace.src_tokens == (*reversed(plain.src_tokens[:-1]), "</s>")
    assert trace.src_ids.tolist() == [*reversed(plain.src_ids[:-1].tolist()), END]


def test_what_no_model_or_sentence_has_a_place_for(translator: Translator) -> None:
    for change in (ScaleHead(CROSS, 9), BlockToken(99), ScaleHead(READ, 0, 7), Reorder((0, 1))):
        with pytest.raises(HeadscopeError):
            last(translator.decode(SENTENCE, alterations=(change,)))
        with pytest.raises(HeadscopeError):
            translator.forced_logprobs(SENTENCE, [5, END], (change,))


def test_forced_logprobs_of_odd_targets(translator: Translator) -> None:
    assert translator.forced_logprobs(SENTENCE, []).shape == (0,)
    for ids, code in (([10**6], "token_id"), ([-1], "token_id"), ([5] * 129, "too_long")):
        with pytest.raises(HeadscopeError) as caught:
            translator.forced_logprobs(SENTENCE, ids)
        assert caught.value.code == code
    plain = last(translator.decode(SENTENCE)).trace
    held = translator.forced_logprobs(SENTENCE, plain.tgt_out_ids.tolist())
    np.testing.assert_allclose(held, plain.step_logprob, atol=1e-5)


# branches


def counted(translator: Translator, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    steps: list[int] = []
    step = translator.bundle.transformer.decode_step

    def counting(*args: Any, **kwargs: Any) -> Tensor:
        steps.append(1)
        return step(*args, **kwargs)

    monkeypatch.setattr(translator.bundle.transformer, "decode_step", counting)
    return steps


CHANGES = (ScaleHead(CROSS, 1, 2), ChangePositions("target", "shuffled", 3), SetRow(OWN, 0, None, 2))


@pytest.mark.parametrize("alterations", [(), CHANGES])
@pytest.mark.parametrize("mode", ["greedy", "sample", "forced"])
def test_a_branch_computes_its_new_tokens_only(
    translator: Translator, monkeypatch: pytest.MonkeyPatch, mode: str, alterations: tuple[Alteration, ...]
) -> None:
    origin = last(translator.decode(SENTENCE, alterations=alterations))
    alterations = tuple(map(from_json, origin.trace.alterations))  # which say whose positions are shuffled
    shared = origin.trace.tgt_out_ids[:4].tolist()
    if mode == "forced":
        config = DecodeConfig(mode="forced", target=origin.trace.tgt_text + " Oui")
        taken = next(
            i
            for i, (a, b) in enumerate(
                zip(origin.trace.tgt_out_ids, translator.bundle.target_tokenizer.encode(config.target or ""))
            )
            if a != b
        )
    else:
        config, taken = MODES[mode].but(prefix_ids=(*shared, int(origin.trace.candidate_ids[4, 1]))), 4
    anew = last(translator.decode(SENTENCE, config, alterations=alterations)).trace
    steps = counted(translator, monkeypatch)
    monkeypatch.setattr(translator.bundle.transformer, "encode", None)
    events = list(translator.decode(SENTENCE, config, alterations=alterations, branch_from=origin.decoding))
    assert events[0].trace.steps == taken
    assert len(steps) == anew.steps - taken
    branch = events[-1].trace
    assert_same(branch, anew)
    for name in ("step_rank", "candidate_ids", "drawn_count"):
        np.testing.assert_array_equal(getattr(branch, name), getattr(anew, name))
    assert (branch.candidate_drawn is None) == (mode != "sample")
    if branch.candidate_drawn is not None:
        np.testing.assert_allclose(branch.candidate_drawn, anew.candidate_drawn, atol=1e-5)


@pytest.mark.parametrize(
    ("config", "alterations"),
    [({}, (ScaleHead(CROSS, 0, 0),)), ({"candidates": 3}, ()), ({}, (ScaleHead(CROSS, 1, 2, 0.5),))],
)
def test_other_settings_start_anew(
    translator: Translator, config: dict[str, Any], alterations: tuple[Alteration, ...]
) -> None:
    origin = last(translator.decode(SENTENCE, alterations=(ScaleHead(CROSS, 1, 2),)))
    settings = DecodeConfig(prefix_ids=tuple(origin.trace.tgt_out_ids[:4].tolist()), **config)
    events = list(translator.decode(SENTENCE, settings, alterations=alterations, branch_from=origin.decoding))
    assert events[0].trace.steps == 0
    assert_same(events[-1].trace, last(translator.decode(SENTENCE, settings, alterations=alterations)).trace)


def test_a_branch_of_a_branch_of_a_sample_keeps_what_was_drawn(translator: Translator) -> None:
    first = last(translator.decode(UNSEEN, MODES["sample"]))
    ids = tuple(first.trace.tgt_out_ids.tolist())
    second = last(
        translator.decode(UNSEEN, MODES["sample"].but(prefix_ids=ids[:3]), branch_from=first.decoding)
    )
    third = last(
        translator.decode(UNSEEN, MODES["sample"].but(prefix_ids=ids[:2]), branch_from=second.decoding)
    )
    assert first.trace.candidate_drawn is not None
    for event in (second, third):
        assert event.trace.candidate_drawn is not None
        np.testing.assert_array_equal(event.trace.candidate_drawn[:2], first.trace.candidate_drawn[:2])
        assert event.trace.drawn_count is not None
        assert (event.trace.drawn_count > 0).all()


# typed continuations


@pytest.mark.parametrize("mode", ["greedy", "beam", "sample"])
def test_a_typed_prefix_goes_before_what_is_free(translator: Translator, mode: str) -> None:
    config = MODES[mode].but(prefix="Le petit", n_best=1)
    trace = last(translator.decode(SENTENCE, config)).trace
    assert trace.tgt_text.startswith("Le petit")
    assert trace.decoding["prefix"] == "Le petit"
    pieces = translator.bundle.target_tokenizer.pieces("Le petit")
    assert trace.tgt_out_tokens[: len(pieces)] == tuple(pieces)
    assert trace.steps > len(pieces)


def test_a_continuation_follows_the_tokens_before_it(translator: Translator) -> None:
    ids = tuple(translator.bundle.target_tokenizer.encode("Le"))
    for text, wanted in (("chat", "Le chat"), ("·s", "Les"), ("  ", "Le"), ("😀", "Le 😀"), ("·猫", "Le猫")):
        trace = last(translator.decode(SENTENCE, DecodeConfig(prefix_ids=ids, prefix=text))).trace
        assert trace.tgt_text.startswith(wanted)
    typed = last(translator.decode(SENTENCE, DecodeConfig(prefix="</s>"))).trace
    assert typed.tgt_out_ids[0] != END
    assert_same(
        last(translator.decode(SENTENCE, DecodeConfig(prefix=" · "))).trace,
        last(translator.decode(SENTENCE)).trace,
    )


def test_a_prefix_that_is_no_text_or_too_long(translator: Translator) -> None:
    with pytest.raises(HeadscopeError):
        DecodeConfig(prefix=3)  # type: ignore[arg-type]
    with pytest.raises(HeadscopeError) as caught:
        last(translator.decode(SENTENCE, DecodeConfig(prefix="tea " * 200)))
    assert caught.value.code == "too_long"


# ranks and drawn distributions


@pytest.mark.parametrize("mode", MODES)
def test_ranks_are_places_in_the_softmax(tiny_bundle: Path, translator: Translator, mode: str) -> None:
    for event in translator.decode(UNSEEN, MODES[mode]):
        for trace in (event.trace, *event.n_best):
            assert trace.step_rank is not None
            assert trace.step_rank.dtype == np.int64
            assert not trace.step_rank.flags.writeable
            if not trace.steps:
                continue
            logprobs = Oracle(tiny_bundle).logprobs(trace.src_ids.tolist(), trace.tgt_in_ids.tolist())
            chosen = logprobs[torch.arange(trace.steps), torch.tensor(trace.tgt_out_ids)]
            higher = (logprobs > chosen[:, None]).sum(1)
            np.testing.assert_array_equal(trace.step_rank, higher.numpy() + 1)
    assert mode != "greedy" or (trace.step_rank == 1).all()
    assert mode != "forced" or trace.step_rank.max() > 10


def test_drawn_probabilities_are_those_of_the_filters(tiny_bundle: Path, translator: Translator) -> None:
    config = DecodeConfig(mode="sample", temperature=0.7, top_k=5, top_p=0.8, seed=2, prefix="Le")
    trace = last(translator.decode(UNSEEN, config)).trace
    assert trace.candidate_drawn is not None
    assert trace.drawn_count is not None
    logprobs = (
        Oracle(tiny_bundle).logprobs(trace.src_ids.tolist(), trace.tgt_in_ids.tolist()).double().numpy()
    )
    for step in range(trace.steps):
        order = np.argsort(-logprobs[step], kind="stable")[:5]
        weights = np.exp(logprobs[step, order] / 0.7)
        weights /= weights.sum()
        kept = 1 + int((np.cumsum(weights)[:-1] < 0.8).sum())
        drawn = dict(zip(order[:kept].tolist(), weights[:kept] / weights[:kept].sum()))
        wanted = [drawn.get(i, 0.0) for i in trace.candidate_ids[step].tolist()]
        np.testing.assert_allclose(np.exp(trace.candidate_drawn[step]), wanted, atol=1e-5)
        assert trace.drawn_count[step] == kept
        if step >= 1:
            assert int(trace.tgt_out_ids[step]) in drawn
    assert not trace.candidate_drawn.flags.writeable


@pytest.mark.parametrize("mode", ["greedy", "beam", "forced"])
def test_where_nothing_is_drawn_nothing_is_told(translator: Translator, mode: str) -> None:
    trace = last(translator.decode(SENTENCE, MODES[mode])).trace
    assert trace.candidate_drawn is None
    assert trace.drawn_count is None


# the search, afterwards


@pytest.mark.parametrize("alterations", [(), (ScaleHead(CROSS, 0, 1), ChangePositions())])
def test_every_hypothesis_of_a_search_gives_its_trace(
    translator: Translator, alterations: tuple[Alteration, ...]
) -> None:
    told = {}
    for event in translator.decode(UNSEEN, MODES["beam"], alterations=alterations):
        assert event.search is not None
        for h in event.hypotheses:
            told[h.id] = h
            assert event.search.trace_of(h.id).steps == h.step + 1
    search = event.search
    assert search is not None
    assert {h.id: h for h in search.hypotheses} == told
    assert {h.fate for h in told.values()} >= {Fate.KEPT, Fate.PRUNED, Fate.FINISHED}
    assert_same(search.trace_of(next(h.id for h in told.values() if ended(h, event.trace))), event.trace)
    for h in list(told.values())[1::7]:
        trace = search.trace_of(h.id)
        assert trace.decoding["mode"] == "beam"
        assert trace.finished == (h.fate is Fate.FINISHED)
        assert int(trace.tgt_out_ids[-1]) == h.token
        assert float(trace.step_logprob.sum()) == pytest.approx(h.score, abs=1e-4)
        ids = tuple(trace.tgt_out_ids.tolist())
        forced = DecodeConfig(prefix_ids=ids, max_length=len(ids))
        again = last(translator.decode(UNSEEN, forced, alterations=alterations)).trace
        assert_same(trace, again)
        np.testing.assert_array_equal(trace.step_rank, again.step_rank)
    assert search.trace_of(0).steps == 0
    assert search.trace_of(0).src_ids[-1] == END
    assert START not in search.trace_of(0).tgt_out_ids
    with pytest.raises(IndexError):
        search.trace_of(10**6)


def ended(hypothesis: Any, trace: Trace) -> bool:
    """Whether it is the one with the trace's score."""
    same = abs(hypothesis.score - float(trace.step_logprob.sum())) < 1e-4
    return bool(same and hypothesis.fate is Fate.FINISHED)


def test_a_search_is_none_of_the_other_modes(translator: Translator) -> None:
    assert all(event.search is None for event in translator.decode(SENTENCE))
    assert all(event.decoding is None for event in translator.decode(SENTENCE, MODES["beam"]))
