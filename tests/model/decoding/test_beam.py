from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from model.decoding.beam import BeamSearch
from model.decoding.beam_rules import Places
from model.decoding.beam_tree import Fate, Hypothesis
from model.decoding.constraints import TokenConstraints
from model.decoding.decode_config import DecodeConfig
from model.decoding.decoding_state import Decoding
from model.decoding.recorder import BeamRecorder
from model.folder.decoding_rules import NO_RULES
from model.network.attention import AttentionSite
from model.network.transformer import Transformer
from model.trace.trace import AttentionKind
from tests.model.small import PlainTransformer, small_transformer

START, END, VOCAB, LIMIT = 2, 3, 5, 4
SOURCE = [7, 9, 21, 4, END]
EVERYTHING = 1000  # more places than there are hypotheses: 4 + 16 + 64 + 256 and those that finish


def tiny(seed: int, **changes: Any) -> Transformer:
    values = {"target_vocab": VOCAB, "d_model": 12, "d_ff": 16, "encoder_layers": 1, "decoder_layers": 2}
    transformer = small_transformer(seed, **{**values, **changes})
    transformer.output.weight.data *= 3
    return transformer


def plain(transformer: Transformer) -> PlainTransformer:
    a = transformer.architecture
    return PlainTransformer(a.to_json(), dict(transformer.named_parameters()))


def oracle_score(model: PlainTransformer, tokens: Sequence[int]) -> float:
    memory = model.encode(torch.tensor([SOURCE]))
    hidden = model.decode(torch.tensor([[START, *tokens[:-1]]]), memory)
    logprobs = model.project(hidden)[0].log_softmax(-1)
    return sum(float(logprobs[t, token]) for t, token in enumerate(tokens))


def every_translation(model: PlainTransformer) -> list[tuple[tuple[int, ...], float]]:
    """All sequences that end within the limit, with the sum of their log probabilities."""
    others = [token for token in range(VOCAB) if token != END]
    result = []
    memory = model.encode(torch.tensor([SOURCE]))
    for length in range(1, LIMIT + 1):
        rows = [(*row, END) for row in itertools.product(others, repeat=length - 1)]
        tokens = torch.tensor(rows)
        inputs = torch.cat([torch.full((len(rows), 1), START), tokens[:, :-1]], dim=1)
        hidden = model.decode(inputs, memory.expand(len(rows), -1, -1))
        scores = model.project(hidden).log_softmax(-1).gather(2, tokens[..., None])[..., 0].sum(1)
        result += list(zip(rows, scores.tolist()))
    return result


def search(transformer: Transformer, limit: int = LIMIT, **config: Any) -> BeamSearch:
    return begin(transformer, DecodeConfig(mode="beam", **config), limit)


def begin(
    transformer: Transformer, config: DecodeConfig, limit: int, prefix: tuple[int, ...] = ()
) -> BeamSearch:
    """A search after the source has been read."""
    constraints = TokenConstraints(NO_RULES, end_id=END, given=(START,), limit=limit, typed=len(prefix))
    begun = Decoding(
        transformer,
        SOURCE,
        given=(START,),
        constraints=constraints,
        limit=limit,
        candidates=config.candidates,
    )
    return BeamSearch(begun, config=config, constraints=constraints, limit=limit, prefix=prefix)


def run(beam: BeamSearch) -> list[Hypothesis]:
    considered = []
    while beam.running:
        considered += beam.advance()
    return considered


@pytest.mark.parametrize("penalty", [0.0, 0.6, 1.0, 2.0, -1.0])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_beam_with_room_for_all_is_exhaustive(seed: int, penalty: float) -> None:
    transformer = tiny(seed)
    ranked = sorted(every_translation(plain(transformer)), key=lambda row: -row[1] / len(row[0]) ** penalty)
    for n_best in (1, 5):
        beam = search(transformer, beam_size=EVERYTHING, length_penalty=penalty, n_best=n_best)
        run(beam)
        found = beam.n_best()
        assert len(found) == n_best
        for node, (tokens, score) in zip(found, ranked):
            assert beam.path(node.hypothesis.id).out_ids == tokens
            assert node.finished
            assert node.hypothesis.score == pytest.approx(score, abs=1e-4)
            assert node.hypothesis.rank_score == pytest.approx(score / len(tokens) ** penalty, abs=1e-4)


def test_stopping_early_skips_steps_but_never_the_winner() -> None:
    """With a plain sum, a sure end token makes every longer hypothesis worse: one step is enough."""
    transformer = tiny(0, output_bias=True)
    transformer.output.bias.data[END] = 20.0
    beam = search(transformer, beam_size=EVERYTHING, length_penalty=0.0, limit=30)
    considered = run(beam)
    assert beam.path(beam.n_best()[0].hypothesis.id).out_ids == (END,)
    assert {h.step for h in considered} == {0}


def test_a_long_translation_may_still_win_that_looks_worse_for_a_while(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """</s> at once has 0.6, so ln 0.6 = -0.51; 0 4 1 </s> has 0.2 * 0.99^3, but (ln of it) / 4 = -0.41."""
    transformer = tiny(0)
    probabilities = torch.full((VOCAB, VOCAB), 0.0025)
    probabilities[START] = torch.tensor([0.2, 0.1, 0.05, 0.6, 0.05])
    for before, after in ((0, 4), (4, 1), (1, END)):
        probabilities[before, after] = 0.99
    monkeypatch.setattr(transformer, "decode_step", lambda tokens, cache, **_: tokens[..., None])
    monkeypatch.setattr(transformer, "project", lambda tokens: probabilities[tokens[..., 0]].log())
    for limit, wanted in ((4, (0, 4, 1, END)), (3, (END,))):
        beam = search(transformer, beam_size=2, limit=limit)
        run(beam)
        best = beam.n_best()[0]
        assert tuple(node.hypothesis.token for node in best.path()) == wanted


@pytest.mark.parametrize("seed", range(4))
def test_a_beam_of_one_is_greedy(seed: int) -> None:
    transformer = tiny(seed, target_vocab=37)
    model = plain(transformer)
    memory = model.encode(torch.tensor([SOURCE]))
    greedy: list[int] = []
    while len(greedy) < 12 and END not in greedy:
        hidden = model.decode(torch.tensor([[START, *greedy]]), memory)
        greedy.append(int(model.project(hidden)[0, -1].argmax()))
    beam = search(transformer, beam_size=1, limit=12)
    run(beam)
    assert list(beam.path(beam.n_best()[0].hypothesis.id).out_ids) == greedy


@pytest.mark.parametrize("seed", range(3))
def test_every_considered_hypothesis_is_told_truly(seed: int) -> None:
    transformer = tiny(seed, target_vocab=11)
    model = plain(transformer)
    beam = search(transformer, beam_size=4, n_best=4, length_penalty=0.8, limit=6)
    tokens: dict[int, tuple[int, ...]] = {beam.root.id: ()}
    alive = {beam.root.id}
    places = 4
    step = 0
    while beam.running:
        considered = beam.advance()
        assert {h.parent for h in considered} == alive
        assert {h.step for h in considered} == {step}
        assert len(considered) == len(alive) * places
        for h in considered:
            assert h.id not in tokens
            assert h.parent is not None
            tokens[h.id] = (*tokens[h.parent], h.token)
            assert h.score == pytest.approx(oracle_score(model, tokens[h.id]), abs=1e-4)
            assert h.rank_score == pytest.approx(h.score / (step + 1) ** 0.8)
        assert [h.score for h in considered] == sorted((h.score for h in considered), reverse=True)
        fates = [h.fate for h in considered]
        assert Fate.PRUNED not in fates[:places]
        assert set(fates[places:]) <= {Fate.PRUNED}
        for h in considered[:places]:
            assert (h.fate is Fate.FINISHED) == (h.token == END)
            assert h.token == END or h.fate is (Fate.CUT if step == 5 else Fate.KEPT)
        places -= fates.count(Fate.FINISHED)
        alive = {h.id for h in considered if h.fate is Fate.KEPT}
        step += 1
    assert step > 1


def test_patterns_of_each_result_follow_its_own_ancestors() -> None:
    transformer = tiny(1, target_vocab=37)
    model = plain(transformer)
    beam = search(transformer, beam_size=6, n_best=6, limit=9)
    run(beam)
    paths = [beam.path(node.hypothesis.id) for node in beam.n_best()]
    assert len({path.out_ids for path in paths}) == 6
    for node, path in zip(beam.n_best(), paths):
        memory = model.encode(torch.tensor([SOURCE]))
        model.decode(torch.tensor([[START, *path.out_ids[:-1]]]), memory)
        gathered = beam.path(node.hypothesis.id, gathered=True).patterns
        for (family, layer), wanted in model.patterns.items():
            kind = AttentionKind(family)
            for patterns in (path.patterns, gathered):
                found = patterns.layer(kind, layer)
                np.testing.assert_allclose(found, wanted[0].numpy(), atol=1e-5)
                assert patterns.shape(kind) == (len(range_of(model, family)), *found.shape)
                np.testing.assert_array_equal(patterns.pattern(kind, layer, 2), found[2])


def range_of(model: PlainTransformer, family: str) -> list[int]:
    return [layer for kind, layer in model.patterns if kind == family]


def oracle_search(
    model: PlainTransformer, places: int, limit: int
) -> list[list[tuple[tuple[int, ...], float, str]]]:
    """Beam search written down without caches, ids or links: what each step considers, best first."""
    live: list[tuple[tuple[int, ...], float]] = [((), 0.0)]
    memory = model.encode(torch.tensor([SOURCE]))
    steps = []
    while live and len(steps) < limit:
        found = []
        for tokens, score in live:
            logits = model.project(model.decode(torch.tensor([[START, *tokens]]), memory))[0, -1]
            logprobs = logits.log_softmax(-1).tolist()
            best = sorted(range(len(logprobs)), key=lambda token: -logprobs[token])[:places]
            found += [((*tokens, token), score + logprobs[token]) for token in best]
        found.sort(key=lambda row: -row[1])
        step, live = [], []
        for place, (tokens, score) in enumerate(found):
            fate = "pruned"
            if place < places:
                fate = "finished" if tokens[-1] == END else "cut" if len(tokens) == limit else "kept"
            step.append((tokens, score, fate))
            if fate == "kept":
                live.append((tokens, score))
        places -= sum(fate == "finished" for _, _, fate in step)
        steps.append(step)
    return steps


@pytest.mark.parametrize("places", [1, 2, 3, 7, EVERYTHING])
@pytest.mark.parametrize("penalty", [0.0, 1.0])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_tree_is_that_of_a_search_written_down_plainly(
    monkeypatch: pytest.MonkeyPatch, seed: int, places: int, penalty: float
) -> None:
    transformer = tiny(seed)
    wanted = oracle_search(plain(transformer), places, LIMIT)
    beam = search(transformer, beam_size=places, length_penalty=penalty)
    monkeypatch.setattr(Places, "decided", lambda *_: False)  # to the end, though the winner may be known
    tokens: dict[int, tuple[int, ...]] = {0: ()}
    for step in wanted:
        considered = beam.advance()
        for h in considered:
            assert h.parent is not None
            tokens[h.id] = (*tokens[h.parent], h.token)
            assert beam.path(h.id).out_ids == tokens[h.id]
        assert [(tokens[h.id], str(h.fate)) for h in considered] == [(row[0], row[2]) for row in step]
        for h, (own, score, _) in zip(considered, step):
            assert h.score == pytest.approx(score, abs=1e-4)
            assert h.rank_score == pytest.approx(score / len(own) ** penalty, abs=1e-4)
    assert not beam.running
    ended = [row for step in wanted for row in step if row[2] == "finished"]
    if ended:
        best = max(ended, key=lambda row: row[1] / len(row[0]) ** penalty)
        assert beam.path(beam.n_best()[0].hypothesis.id).out_ids == best[0]


def test_dropped_hypotheses_can_be_looked_at_too() -> None:
    transformer = tiny(2, target_vocab=11)
    model = plain(transformer)
    beam = search(transformer, beam_size=3, limit=5, candidates=4)
    considered = run(beam)
    assert {h.fate for h in considered} >= {Fate.KEPT, Fate.PRUNED}
    for h in considered:
        path = beam.path(h.id, gathered=True)
        memory = model.encode(torch.tensor([SOURCE]))
        hidden = model.decode(torch.tensor([[START, *path.out_ids[:-1]]]), memory)
        logprobs = model.project(hidden)[0].log_softmax(-1).numpy()
        steps = np.arange(len(path.out_ids))
        assert len(steps) == h.step + 1
        np.testing.assert_allclose(path.step_logprob, logprobs[steps, list(path.out_ids)], atol=1e-5)
        np.testing.assert_allclose(path.candidate_logprobs, -np.sort(-logprobs)[:, :4], atol=1e-5)
        higher = (logprobs > logprobs[steps, list(path.out_ids)][:, None]).sum(1)
        np.testing.assert_array_equal(path.step_rank, higher + 1)
        for (family, layer), weights in model.patterns.items():
            np.testing.assert_allclose(
                path.patterns.layer(AttentionKind(family), layer), weights[0].numpy(), atol=1e-5
            )
    assert beam.path(0).out_ids == ()
    assert beam.path(0).patterns.shape(AttentionKind.DECODER_SELF) == (2, 3, 0, 0)
    for unknown in (-1, len(considered) + 1):
        with pytest.raises(IndexError):
            beam.path(unknown)


def test_a_prefix_keeps_one_hypothesis_and_its_rank() -> None:
    transformer = tiny(0, target_vocab=11)
    settings = DecodeConfig(mode="beam", beam_size=2, candidates=2)
    beam = begin(transformer, settings, 4, prefix=(9, 4))
    assert [len(beam.advance()) for _ in range(3)] == [1, 1, 2]
    model = plain(transformer)
    hidden = model.decode(torch.tensor([[START, 9]]), model.encode(torch.tensor([SOURCE])))
    logits = model.project(hidden)[0]
    ranks = [int((logits[row] > logits[row, token]).sum()) + 1 for row, token in enumerate((9, 4))]
    assert beam.path(2).step_rank.tolist() == ranks


def test_a_very_wide_beam_tells_the_best_of_what_it_considers(monkeypatch: pytest.MonkeyPatch) -> None:
    all_of_it = search(tiny(0, target_vocab=11), beam_size=6, limit=3)
    whole = [all_of_it.advance() for _ in range(3)]
    monkeypatch.setattr("model.decoding.beam_rules.MOST_TOLD", 8)
    told = search(tiny(0, target_vocab=11), beam_size=6, limit=3)
    for step in whole:
        plain_facts = [(h.step, h.token, h.score, h.fate) for h in step]
        assert [(h.step, h.token, h.score, h.fate) for h in told.advance()] == plain_facts[:8]


def test_too_few_finished_are_filled_up_with_cut_ones() -> None:
    transformer = tiny(0, output_bias=True)
    transformer.output.bias.data[END] = -50.0
    beam = search(transformer, beam_size=3, n_best=3)
    considered = run(beam)
    assert [node.finished for node in beam.n_best()] == [False] * 3
    assert [h.fate for h in considered if h.step == LIMIT - 1][:3] == [Fate.CUT] * 3
    ranks = [node.hypothesis.rank_score for node in beam.n_best()]
    assert ranks == sorted(ranks, reverse=True)


def test_equal_scores_go_by_parent_and_token() -> None:
    """A model that knows nothing: all tokens are equally probable at every step."""
    transformer = tiny(0)
    transformer.output.weight.data.zero_()
    beam = search(transformer, beam_size=3, limit=2)
    first, second = beam.advance(), beam.advance()
    assert [h.token for h in first] == [0, 1, 2]
    assert [(h.parent, h.token) for h in second] == [(p, t) for p in (1, 2, 3) for t in (0, 1, 2)]
    again = search(transformer, beam_size=3, limit=2)
    assert (again.advance(), again.advance()) == (first, second)


def test_the_encoder_runs_once_and_the_beams_side_by_side(monkeypatch: pytest.MonkeyPatch) -> None:
    transformer = tiny(0, output_bias=True)
    transformer.output.bias.data[END] = -50.0
    rows: list[int] = []
    record = BeamRecorder.__call__

    def look(self: BeamRecorder, site: AttentionSite, pattern: Tensor) -> Tensor | None:
        rows.append(pattern.shape[0])
        return record(self, site, pattern)

    encoded: list[int] = []
    encode = transformer.encode

    def count(source: Tensor, **rest: Any) -> Tensor:
        encoded.append(len(source))
        return encode(source, **rest)

    monkeypatch.setattr(BeamRecorder, "__call__", look)
    monkeypatch.setattr(transformer, "encode", count)
    beam = search(transformer, beam_size=3)
    beam.advance()
    beam.advance()
    # In each step self and cross of two decoder layers.
    assert rows == [*[1] * 4, *[3] * 4]
    assert encoded == [1]
