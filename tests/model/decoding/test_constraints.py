"""Rules of producing, in every way of decoding; the oracle is written down over the tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.decoding.batch_decoding import greedy_batch
from model.decoding.decode_config import DecodeConfig
from model.decoding.decoding import decode_events
from model.folder.decoding_rules import DecodingRules
from model.trace.trace import Trace
from model.translator.translation import Translation, translate_batch
from model.translator.translator import Translator
from tests.model.decoding.table_model import SOURCES, TableModel, prompted, translating

VOCAB = 9

RULES = st.builds(
    DecodingRules,
    banned=st.lists(st.integers(0, VOCAB - 1), max_size=3).map(tuple),
    forced_start=st.none() | st.integers(0, VOCAB - 1),
    forced_end=st.sampled_from([None, 2]),
    min_length=st.integers(0, 5),
    min_total=st.sampled_from([0, 3, 7]),
    banned_first=st.lists(st.integers(0, VOCAB - 1), max_size=2).map(tuple),
    banned_runs=st.lists(st.lists(st.integers(3, 6), min_size=2, max_size=3).map(tuple), max_size=3).map(
        tuple
    ),
    no_repeat_ngram=st.integers(0, 3),
    ends=st.sampled_from([(), (4,), (4, 5)]),
)


def allowed(rules: DecodingRules, given: Sequence[int], produced: Sequence[int], limit: int) -> set[int]:
    """Which tokens may come next, said as plainly as possible."""
    step, tokens = len(produced), [*given, *produced]
    if step == limit - 1 and rules.forced_end is not None:
        return {rules.forced_end}
    starts = rules.forced_start is not None and len(given) == 1
    if step == 0 and starts:
        return {rules.forced_start or 0}
    left = set(range(VOCAB)) - set(rules.banned)
    if step == (1 if starts else 0):
        left -= set(rules.banned_first)
    left -= {
        run[-1]
        for run in rules.banned_runs
        if tuple(tokens[1 - len(run) :]) == run[:-1] and tokens[len(run) - 1 :]
    }
    if step < rules.min_length or len(tokens) < rules.min_total:
        left -= {2, *rules.ends}
    n = rules.no_repeat_ngram
    grams = [tokens[i : i + n] for i in range(len(tokens) - n + 1)]
    left -= {token for token in range(VOCAB) if n and [*tokens, token][-n:] in grams}
    return left or {2}


def penalised(row: Any, tokens: Sequence[int], penalty: float) -> Any:
    """Logits, or log probabilities, as they count."""
    return [
        value if token not in tokens else value * penalty if value < 0 else value / penalty
        for token, value in enumerate(np.asarray(row, np.float64))
    ]


def oracle(model: TableModel, given: Sequence[int], limit: int, source: int = 0) -> list[int]:
    """Greedy decoding."""
    produced: list[int] = []
    while len(produced) < limit:
        tokens = [*given, *produced]
        row = penalised(
            model.table[source, len(tokens) - 1, tokens[-1]], tokens, model.rules.repetition_penalty
        )
        left = sorted(allowed(model.rules, given, produced, limit))
        produced.append(max(left, key=lambda token: row[token]))
        if produced[-1] in {2, *model.rules.ends}:
            break
    return produced


def decoded(model: TableModel, text: str, **config: Any) -> Trace:
    *_, last = decode_events(model, text, DecodeConfig(**config))
    return last.trace


def unfiltered(model: TableModel, trace: Trace, source: int = 0) -> bool:
    """Whether the recorded probabilities are those of the softmax over all tokens."""
    places = range(trace.steps)
    logits = np.array([model.table[source, t, i] for t, i in zip(places, trace.tgt_in_ids)], np.float64)
    wanted = logits - np.log(np.exp(logits).sum(-1, keepdims=True))
    own = wanted[list(places), trace.tgt_out_ids]
    best = -np.sort(-wanted, axis=1)[:, : trace.candidate_ids.shape[1]]
    ranks = (wanted > own[:, None]).sum(1) + 1
    return (
        np.allclose(trace.step_logprob, own, atol=1e-5)
        and np.allclose(trace.candidate_logprobs, best, atol=1e-5)
        and ranks.tolist() == ([] if trace.step_rank is None else trace.step_rank.tolist())
    )


@settings(max_examples=150, deadline=None)
@given(RULES, st.integers(0, 1000), st.integers(1, 9), st.sampled_from([1.0, 1.4, 0.7]))
def test_greedy_takes_the_likeliest_that_is_allowed(
    rules: DecodingRules, seed: int, limit: int, penalty: float
) -> None:
    rules = replace(rules, repetition_penalty=penalty)
    model = prompted(seed, VOCAB, rules=rules)
    trace = decoded(model, "abc", max_length=limit, candidates=4)
    produced = trace.tgt_out_ids.tolist()[3:]
    assert produced == oracle(model, [1, 3, 4, 5], limit)
    assert trace.finished == (produced[-1] in {2, *rules.ends})
    assert unfiltered(model, trace)
    at_limit = rules.forced_end is not None and len(produced) == limit
    assert trace.decoding.get("forced_end") == (True if at_limit else None)
    assert "forced_start" not in trace.decoding  # of a prompt of several tokens it is no business
    # What is told of the rules is no setting.
    assert DecodeConfig.from_json(trace.decoding) == DecodeConfig(max_length=limit, candidates=4)


@settings(max_examples=60, deadline=None)
@given(RULES, st.integers(0, 1000), st.booleans())
def test_a_batch_follows_them_as_one_sentence_does(rules: DecodingRules, seed: int, prompt: bool) -> None:
    model = (prompted if prompt else translating)(seed, VOCAB, rules=rules)
    texts = ["abc", "a", "fed", "ab", "bcd"]
    sources = [model.source_tokenizer.source_ids(text) for text in texts]
    found = greedy_batch(
        model.transformer, sources, pad_id=0, start_id=1, end_id=2, most=40, max_length=6, rules=rules
    )
    for text, ids in zip(texts, found):
        trace = decoded(model, text, max_length=6)
        wanted = trace.tgt_out_ids.tolist()[max(0, trace.prompt_length - 1) :]
        assert ids == (wanted[:-1] if trace.finished else wanted)


@settings(max_examples=100, deadline=None)
@given(RULES, st.integers(0, 1000), st.sampled_from([0, 2]), st.sampled_from([1.0, 0.6]))
def test_sampling_never_draws_what_is_excluded(
    rules: DecodingRules, seed: int, top_k: int, top_p: float
) -> None:
    model = translating(seed, VOCAB, rules=rules, strength=0.7)
    trace = decoded(
        model, "abc", mode="sample", seed=seed, top_k=top_k, top_p=top_p, max_length=6, candidates=VOCAB
    )
    source = (3 + 4 + 5 + 2) % SOURCES
    assert unfiltered(model, trace, source)
    assert trace.candidate_drawn is not None
    assert trace.drawn_count is not None
    produced = trace.tgt_out_ids.tolist()
    for step, token in enumerate(produced):
        left = allowed(rules, [1], produced[:step], 6)
        assert token in left
        drawn = np.exp(trace.candidate_drawn[step].astype(np.float64))
        assert drawn.sum() == pytest.approx(1.0, abs=1e-5)
        kept = trace.candidate_ids[step][drawn > 0]
        assert set(kept.tolist()) <= left
        assert trace.drawn_count[step] == len(kept)
        if not top_k and top_p == 1.0:
            model_says = np.exp(trace.candidate_logprobs[step].astype(np.float64))
            inside = np.isin(trace.candidate_ids[step], sorted(left))
            wanted = np.where(inside, model_says / model_says[inside].sum(), 0)
            np.testing.assert_allclose(drawn, wanted, atol=1e-5)


@settings(max_examples=100, deadline=None)
@given(RULES, st.integers(0, 1000), st.sampled_from(["places", "apart"]), st.integers(1, 4))
def test_beams_follow_them(rules: DecodingRules, seed: int, beam: str, width: int) -> None:
    rules = replace(rules, beam=beam)  # type: ignore[arg-type]
    model = translating(seed, VOCAB, rules=rules)
    config = DecodeConfig(mode="beam", beam_size=width, n_best=width, max_length=6, length_penalty=0.8)
    *_, last = decode_events(model, "abc", config)
    assert last.n_best
    for trace in last.n_best:
        assert unfiltered(model, trace, (3 + 4 + 5 + 2) % SOURCES)
        produced = trace.tgt_out_ids.tolist()
        for step, token in enumerate(produced):
            assert token in allowed(rules, [1], produced[:step], 6)
        forced = [False] * len(produced)
        forced[0] = "forced_start" in trace.decoding
        forced[-1] |= "forced_end" in trace.decoding
        counted = sum(value for value, rule in zip(trace.step_logprob.tolist(), forced) if not rule)
        told = Translation.of_trace(trace, config)
        assert told.score == pytest.approx(counted, abs=1e-4)
        assert told.rank_score == pytest.approx(counted / len(produced) ** 0.8, abs=1e-4)
        assert [step.get("forced", False) for step in told.to_json()["steps"]] == forced
    ranks = [Translation.of_trace(trace, config).rank_score for trace in last.n_best]
    if beam == "apart":
        assert ranks == sorted(ranks, reverse=True)
    if width == 1:
        assert last.trace.tgt_out_ids.tolist() == oracle(model, [1], 6, (3 + 4 + 5 + 2) % SOURCES)


@pytest.mark.parametrize("beam", ["places", "apart"])
def test_a_beam_finds_the_likeliest_of_all_allowed(beam: str) -> None:
    """So wide that nothing is dropped, against every sequence there is."""
    rules = DecodingRules(banned=(0,), min_length=1, no_repeat_ngram=2, beam=beam, forced_end=2)  # type: ignore[arg-type]
    model = translating(3, VOCAB, rules=rules)
    source, limit = (3 + 4 + 5 + 2) % SOURCES, 3
    sequences: list[tuple[float, list[int]]] = []

    def grow(produced: list[int], score: float) -> None:
        tokens = [1, *produced]
        row = model.table[source, len(tokens) - 1, tokens[-1]].astype(np.float64)
        row = row - np.log(np.exp(row).sum())
        for token in allowed(rules, [1], produced, limit):
            total = score if len(produced) == limit - 1 else score + float(row[token])
            if token == 2:
                sequences.append((total, [*produced, 2]))
            else:
                grow([*produced, token], total)

    grow([], 0.0)
    wanted = sorted(sequences, reverse=True)[:5]
    config = DecodeConfig(mode="beam", beam_size=200, n_best=5, length_penalty=0.0, max_length=limit)
    *_, last = decode_events(model, "abc", config)
    assert [trace.tgt_out_ids.tolist() for trace in last.n_best] == [tokens for _, tokens in wanted]
    scores = [Translation.of_trace(trace, config).score for trace in last.n_best]
    assert scores == pytest.approx([score for score, _ in wanted], abs=1e-4)


def test_forced_tokens_are_no_business_of_the_rules() -> None:
    rules = DecodingRules(banned=(5,), forced_start=6, forced_end=2, min_length=4, no_repeat_ngram=1)
    model = translating(1, VOCAB, rules=rules)
    forced = decoded(model, "abc", mode="forced", target="cca")
    assert forced.tgt_out_ids.tolist() == [5, 5, 3, 2]
    assert not {"forced_start", "forced_end"} & set(forced.decoding)
    for mode in ("greedy", "beam"):
        trace = decoded(model, "abc", mode=mode, prefix_ids=(5, 5), max_length=4)
        assert trace.tgt_out_ids.tolist()[:2] == [5, 5]
        assert trace.tgt_out_ids.tolist()[3] == 2
        assert trace.decoding.get("forced_end") is True
        assert "forced_start" not in trace.decoding
        told = Translation.of_trace(trace, DecodeConfig())
        assert told.score == pytest.approx(float(trace.step_logprob[:3].sum()), abs=1e-5)
        assert trace.finished


@pytest.mark.parametrize("widest", [1 << 14, 2])
def test_a_branch_that_samples_otherwise_is_told_narrowed_distributions(
    monkeypatch: pytest.MonkeyPatch, widest: int
) -> None:
    """Also where the decoder's outputs, three numbers here, are too wide to be kept: it is read anew."""
    monkeypatch.setattr("model.decoding.decoding_state._WIDEST_KEPT", widest)
    rules = DecodingRules(banned=(3, 4), no_repeat_ngram=2, min_length=3)
    model = prompted(2, VOCAB, rules=rules)
    *_, last = decode_events(model, "ab", DecodeConfig(max_length=6))
    prefix = tuple(last.trace.tgt_out_ids.tolist()[2:5])
    config = DecodeConfig(mode="sample", seed=5, temperature=0.7, prefix_ids=prefix, max_length=6)
    model.transformer.calls.clear()
    *_, branch = decode_events(model, "ab", config, branch_from=last.decoding)
    assert (model.transformer.calls[0] == (1, 2)) == (widest == 2)
    *_, alone = decode_events(model, "ab", config)
    for name in ("tgt_out_ids", "candidate_drawn", "drawn_count", "step_logprob", "step_rank"):
        np.testing.assert_array_equal(getattr(branch.trace, name), getattr(alone.trace, name))


def test_tokens_beyond_the_vocabulary_are_ignored() -> None:
    model = prompted(1, VOCAB, rules=DecodingRules(banned=(0, VOCAB, 10**6, -1), min_length=2))
    for mode in ("greedy", "beam", "sample"):
        trace = decoded(model, "ab", mode=mode, max_length=4)
        assert 0 not in trace.tgt_out_ids.tolist()[2:]


def test_a_batch_tells_forced_steps() -> None:
    rules = DecodingRules(forced_end=2, forced_start=7, min_length=9)
    model = translating(1, VOCAB, rules=rules)
    translator = object.__new__(Translator)
    translator.model = model  # type: ignore[assignment]
    config = DecodeConfig(max_length=4)
    for text, told in zip(("ab", "c"), translate_batch(translator, ("ab", "c"), config)):
        single = Translation.of_trace(decoded(model, text, max_length=4), config)
        assert [step.forced for step in told.steps] == [True, False, False, True]
        assert told.to_json()["steps"][0]["forced"] is True
        assert "forced" not in told.to_json()["steps"][1]
        assert told.score == pytest.approx(single.score, abs=1e-5)
        assert told.score == pytest.approx(sum(step.logprob for step in told.steps[1:3]), abs=1e-5)
        assert (told.finished, single.finished) == (True, True)
        assert [step.token for step in told.steps] == [step.token for step in single.steps]


def test_a_penalty_counts_in_the_scores_of_beams_and_nowhere_else() -> None:
    """So wide a beam that nothing is dropped, against every sequence there is."""
    rules = DecodingRules(repetition_penalty=1.5, beam="apart", early_stopping="never")
    model = translating(3, VOCAB, rules=rules)
    source, limit = (3 + 4 + 5 + 2) % SOURCES, 3
    sequences: list[tuple[float, list[int]]] = []

    def grow(produced: list[int], score: float) -> None:
        tokens = [1, *produced]
        row = model.table[source, len(tokens) - 1, tokens[-1]].astype(np.float64)
        for token, counts in enumerate(penalised(row - np.log(np.exp(row).sum()), tokens, 1.5)):
            if token == 2 or len(produced) + 1 == limit:
                sequences.append((score + counts, [*produced, token]))
            else:
                grow([*produced, token], score + counts)

    grow([], 0.0)
    wanted = sorted(sequences, reverse=True)[:5]
    config = DecodeConfig(mode="beam", beam_size=200, n_best=5, length_penalty=0.0, max_length=limit)
    *_, last = decode_events(model, "abc", config)
    assert [trace.tgt_out_ids.tolist() for trace in last.n_best] == [tokens for _, tokens in wanted]
    scores = [Translation.of_trace(trace, config).score for trace in last.n_best]
    assert scores == pytest.approx([score for score, _ in wanted], abs=1e-4)
    assert all(unfiltered(model, trace, source) for trace in last.n_best)
