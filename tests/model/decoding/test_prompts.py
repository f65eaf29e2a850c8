"""Decoding of any network: prompts that the decoder reads, and stacks that differ; tables are the oracle."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from model.alterations.scale_head import ScaleHead
from model.decoding.decode_config import DecodeConfig
from model.decoding.decoding import DecodeEvent, decode_events
from model.decoding.forcing import forced_logprobs
from model.errors import HeadscopeError
from model.folder.decoding_rules import DecodingRules
from model.network.attention import AttentionSite
from model.trace.trace import AttentionKind, Trace
from model.trace.trace_file import open_trace, save_trace
from model.translator.translation import Translation
from tests.model.decoding.table_model import SOURCES, TableModel, pattern_of, prompted, translating

Floats = npt.NDArray[np.float64]
ENCODER, OWN, CROSS = AttentionKind.ENCODER_SELF, AttentionKind.DECODER_SELF, AttentionKind.CROSS


def logprobs(model: TableModel, tokens: Sequence[int], source: int = 0) -> Floats:
    """Natural logs of the softmax after each of the tokens, [tokens, vocab]."""
    logits = np.array([model.table[source, place, token] for place, token in enumerate(tokens)], np.float64)
    result: Floats = logits - np.log(np.exp(logits).sum(-1, keepdims=True))
    return result


def greedy(model: TableModel, given: Sequence[int], most: int, source: int = 0) -> list[int]:
    tokens = list(given)
    while len(tokens) < len(given) + most and (len(tokens) == len(given) or tokens[-1] != 2):
        tokens.append(int(model.table[source, len(tokens) - 1, tokens[-1]].argmax()))
    return tokens


def last_of(model: TableModel, text: str, **config: object) -> DecodeEvent:
    *_, last = decode_events(model, text, DecodeConfig(**config))  # type: ignore[arg-type]
    return last


def check(trace: Trace, model: TableModel, tokens: Sequence[int], source: int = 0) -> None:
    """Everything a trace says of decoder inputs and outputs is what the tables say."""
    assert trace.tgt_in_ids.tolist() == list(tokens[:-1])
    assert trace.tgt_out_ids.tolist() == list(tokens[1:])
    assert trace.tgt_in_tokens == tuple(map(model.target_tokenizer.piece, tokens[:-1]))
    wanted = logprobs(model, tokens[:-1], source)
    rows = np.arange(len(tokens) - 1)
    own = wanted[rows, list(tokens[1:])]
    np.testing.assert_allclose(trace.step_logprob, own, atol=1e-5)
    best = np.argsort(-wanted, axis=1, kind="stable")[:, : trace.candidate_ids.shape[1]]
    np.testing.assert_array_equal(trace.candidate_ids, best)
    np.testing.assert_allclose(trace.candidate_logprobs, np.take_along_axis(wanted, best, 1), atol=1e-5)
    assert trace.step_rank is not None
    np.testing.assert_array_equal(trace.step_rank, (wanted > own[:, None]).sum(1) + 1)
    assert trace.layers(OWN) == 2
    assert trace.heads(OWN) == 3
    for layer, head in np.ndindex(2, 3):
        square = np.zeros((len(rows), len(rows)))
        for row in range(len(rows)):
            square[row, : row + 1] = pattern_of(AttentionSite(OWN, layer), head, row, row + 1)
        np.testing.assert_allclose(trace.patterns.pattern(OWN, layer, head), square, atol=1e-6)


@pytest.mark.parametrize("seed", range(4))
def test_a_prompt_is_read_and_gone_on_with(seed: int) -> None:
    model = prompted(seed)
    given = [1, 3, 4, 5]
    events = list(decode_events(model, "abc", DecodeConfig(max_length=6, candidates=4)))
    tokens = greedy(model, given, 6)
    assert len(events) == 1 + len(tokens) - len(given)
    for produced, event in enumerate(events):
        check(event.trace, model, tokens[: len(given) + produced])
    trace = events[-1].trace
    assert trace.kinds == (OWN,)
    assert trace.prompt_length == 4
    assert trace.extra["prompt_text"] == "abc"
    assert trace.extra["token_style"] == "byte_level"
    assert (trace.src_text, trace.src_tokens, trace.src_ids.tolist()) == ("", (), [])
    assert trace.tgt_text == model.target_tokenizer.decode(tokens[4:])
    assert trace.finished == (tokens[-1] == 2)
    assert events[-1].stopped == ("end" if trace.finished else "limit")
    # The prompt in one call, its last token with the first step, then a token a call.
    assert model.transformer.calls == [(1, 3), *[(1, 1)] * (len(tokens) - len(given))]


def test_a_long_prompt_can_be_interrupted() -> None:
    model = prompted(1)
    text = "abcdefgh" * 18
    events = list(decode_events(model, text, DecodeConfig(max_length=2)))
    assert [event.trace.steps for event in events][:4] == [64, 128, 144, 145]
    tokens = greedy(model, [1, *model.source_tokenizer.encode(text)], 2)
    for event in events:
        check(event.trace, model, tokens[: event.trace.steps + 1])
        assert event.done == (event is events[-1])


def test_a_branch_shares_the_prompt() -> None:
    model = prompted(5)
    config = DecodeConfig(max_length=6)
    *_, last = decode_events(model, "abc", config)
    free = greedy(model, [1, 3, 4, 5], 6)
    assert len(free) > 6
    other = int(last.trace.candidate_ids[4, 1])
    model.transformer.calls.clear()
    prefix = (free[4], other)
    branch = list(decode_events(model, "abc", config.but(prefix_ids=prefix), branch_from=last.decoding))
    tokens = greedy(model, [1, 3, 4, 5, *prefix], 4)
    assert model.transformer.calls == [(1, 1)] * (len(tokens) - 5)
    check(branch[-1].trace, model, tokens)
    alone = last_of(model, "abc", max_length=6, prefix_ids=prefix).trace
    assert alone.tgt_out_ids.tolist() == branch[-1].trace.tgt_out_ids.tolist()
    # Another prompt has nothing in common with it.
    model.transformer.calls.clear()
    *_, elsewhere = decode_events(model, "abd", config, branch_from=last.decoding)
    check(elsewhere.trace, model, greedy(model, [1, 3, 4, 6], 6))
    assert model.transformer.calls[0] == (1, 3)


def test_a_forced_continuation() -> None:
    model = prompted(2)
    trace = last_of(model, "ab", mode="forced", target="cde").trace
    check(trace, model, [1, 3, 4, 5, 6, 7, 2])
    assert trace.finished
    assert trace.tgt_text == "cde"
    told = forced_logprobs(model, "ab", [5, 6, 7, 2])
    np.testing.assert_allclose(told, trace.step_logprob[2:], atol=1e-6)
    assert forced_logprobs(model, "ab", []).shape == (0,)


def test_sampling_behind_a_prompt() -> None:
    model = prompted(3, strength=0.5)
    trace = last_of(model, "abc", mode="sample", seed=1, max_length=8, top_k=3, candidates=5).trace
    tokens = [*trace.tgt_in_ids.tolist(), int(trace.tgt_out_ids[-1])]
    check(trace, model, tokens)
    assert trace.candidate_drawn is not None
    assert trace.drawn_count is not None
    assert set(trace.drawn_count.tolist()) == {3}
    three = np.exp(trace.candidate_logprobs[:, :3].astype(np.float64))
    np.testing.assert_allclose(np.exp(trace.candidate_drawn[:, :3]), three / three.sum(1)[:, None], rtol=1e-4)
    again = last_of(model, "abc", mode="sample", seed=1, max_length=8, top_k=3, candidates=5).trace
    assert again.tgt_out_ids.tolist() == trace.tgt_out_ids.tolist()


@pytest.mark.parametrize("rule", ["places", "apart"])
def test_a_beam_behind_a_prompt_counts_what_it_produces_only(rule: str) -> None:
    model = prompted(6, rules=DecodingRules(beam=rule))  # type: ignore[arg-type]
    config = DecodeConfig(mode="beam", beam_size=3, n_best=3, max_length=5, length_penalty=0.7)
    events = list(decode_events(model, "abc", config))
    last = events[-1]
    assert [event.trace.steps for event in events[:2]] == [3, 4]
    for trace in last.n_best:
        tokens = [1, 3, 4, 5, *trace.tgt_out_ids.tolist()[3:]]
        check(trace, model, tokens)
        told = Translation.of_trace(trace, config)
        score = float(logprobs(model, tokens[:-1])[np.arange(3, len(tokens) - 1), tokens[4:]].sum())
        assert told.score == pytest.approx(score, abs=1e-4)
        assert told.rank_score == pytest.approx(score / (len(tokens) - 4) ** 0.7, abs=1e-4)
        assert told.src_tokens == ("<s>", "a", "b", "c")
        assert [step.token for step in told.steps] == [model.target_tokenizer.piece(i) for i in tokens[4:]]
    assert last.search is not None
    for one in last.search.hypotheses[1:]:
        trace = last.search.trace_of(one.id)
        check(trace, model, [1, 3, 4, 5, *trace.tgt_out_ids.tolist()[3:]])
        assert len(trace.tgt_out_ids) == 3 + one.step + 1


def test_limits_count_the_prompt() -> None:
    model = prompted(1, target_limit=9, source_limit=9)
    model.transformer.table[..., 2] = -50.0  # it never ends
    usual = last_of(model, "abc")
    assert (usual.stopped, usual.trace.steps) == ("limit", 3 + 5)
    full = list(decode_events(model, "abcdefgh", DecodeConfig()))
    assert [(event.stopped, event.trace.steps) for event in full] == [("limit", 8)]
    assert last_of(model, "abcdefgh", mode="beam").trace.steps == 8
    for config in (DecodeConfig(mode="forced", target="abcde"), DecodeConfig(prefix_ids=(3,) * 6)):
        with pytest.raises(HeadscopeError, match="10 tokens"):
            list(decode_events(model, "abc", config))
    with pytest.raises(HeadscopeError, match="10 tokens"):
        forced_logprobs(model, "abc", (3,) * 7)
    roomy = prompted(1, target_limit=10_000)
    roomy.transformer.table[..., 2] = -50.0
    assert last_of(roomy, "a", max_length=3).trace.steps == 1 + 3


def test_forty_tokens_unless_something_says_otherwise() -> None:
    from model.decoding.batch_decoding import limit_of

    network = prompted(0).transformer
    assert limit_of(network, 7, None, 1000) == 40
    assert limit_of(network, 7, None, 30) == 23
    assert limit_of(network, 7, 100, 1000) == 100
    assert limit_of(network, 30, 100, 30) == 0


def test_stacks_of_different_sizes() -> None:
    model = translating(4)
    source = [3, 4, 5, 2]
    trace = last_of(model, "abc", max_length=7, candidates=3).trace
    tokens = greedy(model, [1], 7, sum(source) % SOURCES)
    check(trace, model, tokens, sum(source) % SOURCES)
    assert {kind: trace.patterns.shape(kind) for kind in AttentionKind} == {
        ENCODER: (1, 2, 4, 4),
        OWN: (2, 3, trace.steps, trace.steps),
        CROSS: (2, 3, trace.steps, 4),
    }
    for beams in (False, True):
        if beams:
            trace = last_of(model, "abc", mode="beam", beam_size=2, max_length=7).trace
        for head in range(2):
            square = [pattern_of(AttentionSite(ENCODER, 0), head, row, 4) for row in range(4)]
            np.testing.assert_allclose(trace.patterns.pattern(ENCODER, 0, head), square, atol=1e-6)
        for layer, head in np.ndindex(2, 3):
            rows = [pattern_of(AttentionSite(CROSS, layer), head, row, 4) for row in range(trace.steps)]
            np.testing.assert_allclose(trace.patterns.pattern(CROSS, layer, head), rows, atol=1e-6)
    assert trace.prompt_length == 0
    assert "token_style" not in trace.extra


def test_a_model_of_others_cannot_be_altered() -> None:
    changes = (ScaleHead(OWN, 0, head=0, factor=0.0),)
    for model in (prompted(), translating()):
        with pytest.raises(HeadscopeError, match="table"):
            next(decode_events(model, "abc", DecodeConfig(), alterations=changes))
        with pytest.raises(HeadscopeError, match="table"):
            forced_logprobs(model, "abc", (3,), changes)


def test_a_trace_of_a_prompt_is_saved_whole(tmp_path: Path) -> None:
    model = prompted(2)
    trace = last_of(model, "abc", max_length=4).trace
    save_trace(trace, tmp_path / "a.trace")
    found = open_trace(tmp_path / "a.trace")
    assert (found.prompt_length, found.extra["prompt_text"]) == (4, "abc")
    assert found.kinds == (OWN,)
    assert found.tgt_out_tokens == trace.tgt_out_tokens
    np.testing.assert_array_equal(found.patterns.layer(OWN, 1), trace.patterns.layer(OWN, 1))
