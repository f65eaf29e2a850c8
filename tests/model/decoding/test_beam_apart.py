"""Beam search whose finished hypotheses are kept apart, against the search of `transformers` itself."""

from __future__ import annotations

import random
from typing import Any

import pytest
import torch
from torch import Tensor

from model.decoding.beam import BeamSearch
from model.decoding.beam_tree import Fate, Hypothesis
from model.decoding.constraints import TokenConstraints
from model.decoding.decode_config import DecodeConfig
from model.decoding.decoding import decode_events
from model.decoding.decoding_state import Decoding
from model.folder.decoding_rules import DecodingRules
from model.trace.trace import Trace
from model.translator.translation import Translation
from tests.foreign_assets import quiet
from tests.model.decoding.table_model import TableModel, prompted

CASES = 60  # a seed; of each of them some beams end early and others are all forced to


def peer_of(model: TableModel) -> Any:
    """The same tables as a model of `transformers`."""
    with quiet():
        from transformers import GenerationMixin, PretrainedConfig, PreTrainedModel
        from transformers.modeling_outputs import CausalLMOutput

    class Peer(PreTrainedModel, GenerationMixin):  # type: ignore[misc]
        config_class = PretrainedConfig

        def __init__(self) -> None:
            super().__init__(PretrainedConfig(vocab_size=model.table.shape[-1], num_hidden_layers=1))
            self.table = torch.nn.Parameter(model.transformer.table[0].clone())

        def prepare_inputs_for_generation(self, input_ids: Tensor, **_: Any) -> dict[str, Tensor]:
            return {"input_ids": input_ids}

        def forward(self, input_ids: Tensor, **_: Any) -> Any:
            places = torch.arange(input_ids.shape[1]).expand_as(input_ids)
            return CausalLMOutput(logits=self.table[places, input_ids])

    return Peer().eval()


def their_best(
    model: TableModel, prompt: list[int], config: DecodeConfig
) -> list[tuple[list[int], float | None]]:
    """Produced tokens up to the first end token, and the score, of each hypothesis that is returned."""
    from transformers import GenerationConfig

    rules, beams = model.rules, config.mode == "beam"
    assert config.max_length is not None
    settings = GenerationConfig(
        max_length=len(prompt) + config.max_length,
        num_beams=config.beam_size if beams else 1,
        num_return_sequences=config.n_best if beams else 1,
        length_penalty=config.length_penalty,
        do_sample=False,
        early_stopping=False,
        use_cache=False,
        pad_token_id=0,
        eos_token_id=[2, *rules.ends],
        bad_words_ids=[[token] for token in rules.banned] or None,
        forced_eos_token_id=rules.forced_end,
        min_new_tokens=rules.min_length or None,
        no_repeat_ngram_size=rules.no_repeat_ngram,
        output_scores=True,
        return_dict_in_generate=True,
    )
    with quiet(), torch.no_grad():
        found = peer_of(model).generate(torch.tensor([prompt]), generation_config=settings)
    scores = found.sequences_scores.tolist() if beams else [None]
    result = []
    for row, score in zip(found.sequences[:, len(prompt) :].tolist(), scores):
        end = next((place + 1 for place, token in enumerate(row) if token in {2, *rules.ends}), len(row))
        result.append((row[:end], score))
    return result


def random_case(draw: random.Random) -> tuple[TableModel, DecodeConfig]:
    """Flat and peaky weights, ends that come early, late or never."""
    rules = DecodingRules(
        beam="apart",
        banned=draw.choice([(), (0,), (0, 5)]),
        forced_end=draw.choice([None, 2]),
        min_length=draw.choice([0, 0, 2]),
        no_repeat_ngram=draw.choice([0, 0, 2, 3]),
        ends=draw.choice([(), (), (4,)]),
    )
    vocab = draw.choice([15, 24])
    model = prompted(draw.randrange(10**6), vocab, rules=rules, strength=draw.choice([0.3, 1.0, 3.0]))
    model.transformer.table[..., 2] += draw.choice([-3.0, 0.0, 2.0])
    beams = draw.choice([1, 2, 4, 6])
    config = DecodeConfig(
        mode="greedy" if beams == 1 else "beam",
        beam_size=beams,
        n_best=draw.randint(1, beams),
        length_penalty=draw.choice([0.0, 0.6, 1.0, 2.0]),
        max_length=draw.choice([2, 3, 5, 9, 20]),
    )
    return model, config


@pytest.mark.parametrize("seed", range(5))
def test_the_same_tokens_and_scores_as_transformers(seed: int) -> None:
    draw = random.Random(seed)
    kinds = set()
    for _ in range(CASES):
        model, config = random_case(draw)
        text = "abcdef"[: draw.randint(1, 6)]
        wanted = their_best(model, model.source_tokenizer.source_ids(text), config)
        *_, last = decode_events(model, text, config)
        traces: tuple[Trace, ...] = last.n_best or (last.trace,)
        assert len(traces) == len(wanted)
        for trace, (tokens, score) in zip(traces, wanted):
            told = Translation.of_trace(trace, config)
            assert trace.tgt_out_ids.tolist()[trace.prompt_length - 1 :] == tokens
            assert score is None or told.rank_score == pytest.approx(score, abs=1e-4)
            kinds.add((trace.finished, "forced_end" in trace.decoding))
    assert kinds == {(True, False), (True, True), (False, False)}


def search(model: TableModel, width: int, limit: int, **settings: Any) -> BeamSearch:
    constraints = TokenConstraints(model.rules, end_id=2, given=(1,), limit=limit)
    begun = Decoding(model.transformer, (), given=(1,), constraints=constraints, limit=limit)
    config = DecodeConfig(mode="beam", beam_size=width, **settings)
    return BeamSearch(begun, config=config, constraints=constraints, limit=limit)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("limit", [3, 12])
def test_every_fate_is_what_the_rule_says(seed: int, limit: int) -> None:
    """Written down from the rule: who is considered, who stays, and which of the ended ones are kept."""
    width, penalty = 3, 0.6
    model = prompted(seed, 12, rules=DecodingRules(beam="apart"))
    model.transformer.table[..., 2] += 1.5
    beam = search(model, width, limit, length_penalty=penalty, n_best=width)
    ended: list[float] = []
    step = 0
    while beam.running:
        step += 1
        considered = beam.advance()
        assert len(considered) <= 2 * width
        assert [h.score for h in considered] == sorted((h.score for h in considered), reverse=True)
        stops = [h for h in considered[:width] if h.token == 2 or step == limit]
        ended = sorted([*ended, *(h.score / step**penalty for h in stops)], reverse=True)[:width]
        going_on = [h for h in considered if h.token != 2 and step < limit][:width]
        for h in considered:
            assert h.fate is wanted_fate(h, h in stops, h in going_on, ended)
    assert [node.hypothesis.rank_score for node in beam.n_best()] == pytest.approx(ended)
    for node in beam.tree.nodes[1:]:
        assert node.finished == (node.hypothesis.token == 2 and node.hypothesis.fate is not Fate.PRUNED)


def wanted_fate(h: Hypothesis, stops: bool, going_on: bool, ended: list[float]) -> Fate:
    if stops and h.rank_score < min(ended) - 1e-9:
        return Fate.OUTRANKED
    if stops:
        return Fate.FINISHED if h.token == 2 else Fate.CUT
    return Fate.KEPT if going_on else Fate.PRUNED


def test_a_trace_says_which_rule_searched() -> None:
    for rule, told in (("apart", "apart"), ("places", None)):
        model = prompted(1, rules=DecodingRules(beam=rule))  # type: ignore[arg-type]
        *_, last = decode_events(model, "ab", DecodeConfig(mode="beam", max_length=3))
        assert last.trace.decoding.get("beam_rule") == told
        assert DecodeConfig.from_json(last.trace.decoding) == DecodeConfig(mode="beam", max_length=3)
        *_, last = decode_events(model, "ab", DecodeConfig(max_length=3))
        assert "beam_rule" not in last.trace.decoding
