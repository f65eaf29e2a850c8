"""Every pattern, probability and choice of the proven families is that of `transformers` itself."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from model.decoding.decode_config import DecodeConfig
from model.trace.trace import AttentionKind, Trace
from model.translator.translator import Translator
from tests.foreign_assets import quiet, write_bart
from tests.model.foreign.opened import CAUSAL, KINDS, SEQ2SEQ, Opened, in_one_run, open_kind, opened
from tests.multilingual_assets import language_id

TEXT = "The little girl gave her brother"
STEPS = 12


@pytest.fixture(scope="module", params=[*SEQ2SEQ, *CAUSAL])
def case(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Opened:
    return open_kind(request.param, tmp_path_factory.mktemp(request.param))


def _traced(case: Opened, **config: Any) -> Trace:
    return list(Translator(case.model).decode(TEXT, DecodeConfig(max_length=STEPS, **config)))[-1].trace


def _produced(trace: Trace) -> list[int]:
    """The tokens that the model chose, without a prompt."""
    return [int(i) for i in trace.tgt_out_ids[max(0, (trace.prompt_length or 1) - 1) :]]


def _generated(case: Opened, **settings: Any) -> tuple[list[list[int]], list[float]]:
    """What `generate` produces behind the start token or the prompt, and its beams' scores."""
    source = torch.tensor([case.tokenizer(TEXT)["input_ids"]])
    end = case.network.generation_config.eos_token_id
    if getattr(case.tokenizer, "tgt_lang", None):
        settings["forced_bos_token_id"] = language_id(case.tokenizer, case.tokenizer.tgt_lang)
    with quiet():
        out = case.network.generate(
            source,
            attention_mask=torch.ones_like(source),
            max_new_tokens=STEPS,
            pad_token_id=end,
            output_scores=True,
            return_dict_in_generate=True,
            **settings,
        )
    start = source.shape[1] if case.model.family == "decoder_only" else 1
    rows = [row[: row.index(end) + 1] if end in row else row for row in out.sequences[:, start:].tolist()]
    scores = getattr(out, "sequences_scores", None)
    return rows, [] if scores is None else scores.tolist()


@pytest.mark.parametrize("mode", ["greedy", "sample"])
def test_every_pattern_and_probability_is_that_of_one_run_without_a_cache(case: Opened, mode: str) -> None:
    trace = _traced(case, mode=mode, seed=11)
    source = [] if trace.src_ids is None or not len(trace.src_ids) else trace.src_ids.tolist()
    want = in_one_run(case.network, source, trace.tgt_in_ids.tolist())
    families = {AttentionKind.DECODER_SELF: want.attentions if not source else want.decoder_attentions}
    if source:
        families |= {
            AttentionKind.ENCODER_SELF: want.encoder_attentions,
            AttentionKind.CROSS: want.cross_attentions,
        }
    for kind in AttentionKind:
        assert (trace.patterns.shape(kind) is not None) == (kind in families)
    for kind, layers in families.items():
        shape = trace.patterns.shape(kind)
        assert shape == (len(layers), *layers[0].shape[1:])
        for layer, pattern in enumerate(layers):
            for head in range(pattern.shape[1]):
                ours = trace.patterns.pattern(kind, layer, head)
                np.testing.assert_allclose(ours, pattern[0, head].numpy(), atol=1e-5, rtol=0)
    logprobs = torch.log_softmax(want.logits[0].double(), -1).numpy()
    rows = np.arange(len(trace.tgt_out_ids))
    np.testing.assert_allclose(trace.step_logprob, logprobs[rows, trace.tgt_out_ids], atol=1e-4, rtol=0)
    best = -np.sort(-logprobs, axis=-1)[:, : trace.candidate_logprobs.shape[1]]
    np.testing.assert_allclose(trace.candidate_logprobs, best, atol=1e-4, rtol=0)


def test_greedy_tokens_are_those_of_generate(case: Opened) -> None:
    rows, _ = _generated(case, do_sample=False, num_beams=1)
    assert _produced(_traced(case)) == rows[0]


def test_four_beams_and_their_scores_are_those_of_generate(case: Opened) -> None:
    rows, scores = _generated(case, do_sample=False, num_beams=4, num_return_sequences=4)
    config = DecodeConfig(mode="beam", beam_size=4, n_best=4, max_length=STEPS)
    event = list(Translator(case.model).decode(TEXT, config))[-1]
    assert [_produced(trace) for trace in event.n_best] == rows
    forced = case.network.generation_config.forced_eos_token_id
    ours = []
    for trace in event.n_best:
        tokens = _produced(trace)
        logprobs = trace.step_logprob[-len(tokens) :].astype(float)
        if forced is not None and len(tokens) == STEPS:  # `transformers` counts a forced end as certain
            logprobs[-1] = 0.0
        if getattr(case.tokenizer, "tgt_lang", None):  # and so the token of the language
            logprobs[0] = 0.0
        ours.append(logprobs.sum() / len(tokens))
    np.testing.assert_allclose(ours, scores, atol=1e-4)


def test_sampling_comes_out_the_same_by_its_seed(case: Opened) -> None:
    first, second = (_traced(case, mode="sample", seed=7) for _ in range(2))
    assert first.tgt_out_ids.tolist() == second.tgt_out_ids.tolist()
    assert first.tgt_out_ids.tolist() != _traced(case, mode="sample", seed=8).tgt_out_ids.tolist()


def test_a_branch_is_what_decoding_from_scratch_gives(case: Opened) -> None:
    translator = Translator(case.model)
    whole = list(translator.decode(TEXT, DecodeConfig(mode="sample", seed=3, max_length=STEPS)))[-1]
    kept = _produced(whole.trace)[:4]
    config = DecodeConfig(prefix_ids=(*kept, (kept[-1] + 1) % 80), max_length=STEPS)
    branch = list(translator.decode(TEXT, config, branch_from=whole.decoding))[-1].trace
    scratch = list(translator.decode(TEXT, config))[-1].trace
    assert branch.tgt_out_ids.tolist() == scratch.tgt_out_ids.tolist()
    np.testing.assert_allclose(branch.step_logprob, scratch.step_logprob, atol=1e-5)
    for kind in AttentionKind:
        shape = scratch.patterns.shape(kind)
        assert branch.patterns.shape(kind) == shape
        for layer in range(0 if shape is None else shape[0]):
            ours, theirs = branch.patterns.layer(kind, layer), scratch.patterns.layer(kind, layer)
            np.testing.assert_allclose(ours, theirs, atol=1e-5)


@pytest.mark.parametrize("beams", [1, 4])
def test_rules_of_the_folder_are_carried_out_as_generate_does(beams: int, tmp_path: Path) -> None:
    write_bart(tmp_path)
    path = tmp_path / "generation_config.json"
    rules = {"forced_bos_token_id": 0, "no_repeat_ngram_size": 2, "min_length": 6, "bad_words_ids": [[9]]}
    path.write_text(json.dumps(json.loads(path.read_text()) | rules))
    case = opened(tmp_path, KINDS["bart"])
    rows, _ = _generated(case, do_sample=False, num_beams=beams)
    mode = "greedy" if beams == 1 else "beam"
    trace = _traced(case, mode=mode, beam_size=beams)
    assert _produced(trace) == rows[0]
    assert rows[0][0] == 0


def test_grouped_queries_have_a_pattern_for_each_head_of_queries(tmp_path: Path) -> None:
    case = open_kind("llama", tmp_path)
    shape = _traced(case).patterns.shape(AttentionKind.DECODER_SELF)
    assert shape is not None
    assert shape[:2] == (2, 4)
    assert case.model.architecture["kv_heads"] == 2
