"""Exploring with a tiny real bundle: what branches, changes and searches show is what the model computes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pytestqt.qtbot import QtBot
from torch import Tensor

from model.alterations.block_token import BlockToken
from model.alterations.scale_head import ScaleHead
from model.decoding.decode_config import DecodeConfig
from model.network.cache import DecoderCache
from model.network.transformer import Transformer
from model.questions.orders import OrdersOf
from model.trace.trace import AttentionKind, Trace
from model.translator.translator import Translator
from tests.assets import SENTENCE
from tests.viewer.services.bench import Bench
from viewer.document.document import Run
from viewer.document.messages.messages import Decode, TraceDone, TraceHypothesis
from viewer.document.messages.requests import (
    Alter,
    Branch,
    Continue,
    MeasureImportance,
    Pause,
    Resume,
    ShowHypothesis,
    Translate,
)
from viewer.engine import translator_source
from viewer.engine.engine import Engine
from viewer.engine.translator_source import TranslatorSource

BEAM = {"mode": "beam", "beam_size": 3, "n_best": 3}
CHANGE = ScaleHead(AttentionKind.CROSS, 2, None, 0.0)


@pytest.fixture
def bench(qtbot: QtBot, tiny_bundle: Path) -> Iterator[Bench]:
    bench = Bench(qtbot, Engine(threads=1))
    bench.open(str(tiny_bundle))
    bench.session.set_text(SENTENCE)
    yield bench
    assert bench.engine.close()


@pytest.fixture(scope="module")
def translator(tiny_bundle: Path) -> Translator:
    return Translator.load(tiny_bundle)


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The length that the cache had at each call of `decode_step`."""
    seen: list[int] = []
    original = Transformer.decode_step

    def counted(self: Transformer, tokens: Tensor, cache: DecoderCache, **more: Any) -> Tensor:
        seen.append(cache.length)
        return original(self, tokens, cache, **more)

    monkeypatch.setattr(Transformer, "decode_step", counted)
    return seen


def decoded(translator: Translator, config: DecodeConfig, *alterations: ScaleHead | BlockToken) -> Trace:
    *_, last = translator.decode(SENTENCE, config, alterations=alterations)
    return last.trace


def same(one: Trace, other: Trace) -> None:
    assert one.tgt_out_tokens == other.tgt_out_tokens
    np.testing.assert_allclose(one.step_logprob, other.step_logprob, atol=1e-4)
    for kind in AttentionKind:
        for layer in range(one.layers(kind)):
            a, b = one.patterns.layer(kind, layer), other.patterns.layer(kind, layer)
            np.testing.assert_allclose(a, b, atol=1e-5)


def second(run: Run, step: int) -> int:
    """The second most probable token of a step."""
    return int(run.trace.candidate_ids[step, 1])


def test_a_branch_is_what_decoding_with_that_prefix_is(
    bench: Bench, translator: Translator, steps: list[int]
) -> None:
    parent = bench.translate()
    steps.clear()
    bench.session.ask(Branch(parent.id, 2, second(parent, 2)))
    bench.idle()
    branch = bench.runs[-1]
    # Only the rows from the new token on were computed.
    assert steps == list(range(2, branch.trace.steps))
    prefix = (*bench.tokens(parent)[:2], second(parent, 2))
    same(branch.trace, decoded(translator, DecodeConfig(prefix_ids=prefix)))
    assert bench.shown() == [(branch.id, 2)]


def test_a_branch_of_a_branch_costs_its_own_tokens_too(bench: Bench, steps: list[int]) -> None:
    parent = bench.translate()
    bench.session.ask(Branch(parent.id, 1, second(parent, 1)))
    bench.idle()
    branch = bench.runs[-1]
    steps.clear()
    bench.session.ask(Branch(branch.id, 2, second(branch, 2)))
    bench.idle()
    assert steps == list(range(2, bench.runs[-1].trace.steps))


def test_what_is_no_longer_kept_is_computed_again(
    bench: Bench, translator: Translator, steps: list[int], tiny_bundle: Path
) -> None:
    parent = bench.translate()
    bench.session.set_model(None)
    bench.open(str(tiny_bundle))
    steps.clear()
    bench.session.ask(Branch(parent.id, 2, second(parent, 2)))
    bench.idle()
    assert steps == list(range(bench.runs[-1].trace.steps))
    prefix = (*bench.tokens(parent)[:2], second(parent, 2))
    same(bench.runs[-1].trace, decoded(translator, DecodeConfig(prefix_ids=prefix)))


def test_a_typed_continuation_stands_in_the_branch(bench: Bench) -> None:
    parent = bench.translate()
    bench.session.ask(Continue(parent.id, 1, "maison est"))
    bench.idle()
    branch = bench.runs[-1]
    assert bench.tokens(branch)[:1] == bench.tokens(parent)[:1]
    assert "maison est" in branch.trace.tgt_text


def test_a_change_tells_what_it_thinks_of_the_untouched_words(bench: Bench, translator: Translator) -> None:
    base = bench.translate()
    bench.session.ask(Alter(base.id, (CHANGE, BlockToken(1))))
    bench.idle()
    altered = bench.runs[-1]
    same(altered.trace, decoded(translator, DecodeConfig(), CHANGE, BlockToken(1)))
    assert altered.trace.alterations == altered.alterations != ()
    reading = DecodeConfig(mode="forced", target=base.trace.tgt_text)
    read = decoded(translator, reading, CHANGE, BlockToken(1))
    assert read.tgt_out_tokens == base.trace.tgt_out_tokens
    assert altered.held is not None
    np.testing.assert_allclose(altered.held, read.step_logprob, atol=1e-4)
    assert np.abs(altered.held - base.trace.step_logprob).max() > 0.01


def test_an_altered_decoding_is_no_start_for_an_untouched_branch(bench: Bench, steps: list[int]) -> None:
    base = bench.translate()
    bench.session.ask(Alter(base.id, (CHANGE,)))
    bench.idle()
    altered = bench.runs[-1]
    steps.clear()
    bench.session.ask(Branch(altered.id, 1, second(altered, 1)))
    bench.idle()
    assert bench.runs[-1].changes == (CHANGE,)
    assert steps[0] == 1


def test_words_that_both_models_chose_are_not_read_again(
    bench: Bench, translator: Translator, steps: list[int]
) -> None:
    """Scaling by 1 changes nothing: the untouched words are the altered run's own."""
    base = bench.translate()
    steps.clear()
    bench.session.ask(Alter(base.id, (ScaleHead(AttentionKind.CROSS, 0, 0, 1.0),)))
    bench.idle()
    held = bench.runs[-1].held
    assert held is not None
    np.testing.assert_allclose(held, base.trace.step_logprob, atol=1e-5)
    assert steps == [*range(base.trace.steps), base.trace.steps - 1]


def test_every_hypothesis_of_a_search_has_its_trace(
    bench: Bench, translator: Translator, steps: list[int]
) -> None:
    search = bench.translate(**BEAM)
    steps.clear()
    dropped = next(one for one in search.search if one.fate == "pruned" and one.step == 2)
    bench.session.ask(ShowHypothesis(search.id, dropped.id))
    bench.idle()
    looked = bench.runs[-1]
    assert not steps  # nothing was computed
    assert looked.trace.tgt_out_tokens[-1] == dropped.piece
    assert float(looked.trace.step_logprob.sum()) == pytest.approx(dropped.score, abs=1e-4)
    tokens = tuple(bench.tokens(looked))
    read = decoded(translator, DecodeConfig(prefix_ids=tokens, max_length=len(tokens)))
    same(looked.trace, read)
    assert looked.trace.decoding["mode"] == "beam"


def test_a_hypothesis_of_a_search_that_is_forgotten_is_read_again_and_says_so(tiny_bundle: Path) -> None:
    source = TranslatorSource(Translator.load(tiny_bundle), cache_bytes=0)
    config = DecodeConfig.from_json(BEAM)
    last = [one for one in source.decode(Decode(1, SENTENCE, config, run="search")) if one is not None][-1]
    tokens = tuple(map(int, last.n_best[1].tgt_out_ids))
    found = list(source.hypothesis(TraceHypothesis(2, SENTENCE, config, "search", 3, tokens)))
    read = found[-1]
    assert isinstance(read, TraceDone)
    same(read.trace, last.n_best[1])
    assert read.trace.decoding["mode"] == "greedy"
    assert read.trace.decoding["prefix_ids"] == list(tokens)


def test_a_search_that_is_another_now_is_not_asked(tiny_bundle: Path) -> None:
    """The altered run beside a search has the same id at every change."""
    source = TranslatorSource(Translator.load(tiny_bundle))
    config = DecodeConfig.from_json(BEAM)
    for change in (CHANGE, BlockToken(1)):
        *_, last = source.decode(Decode(1, SENTENCE, config, run="search~what-if", alterations=(change,)))
    tokens = (5, 6, 7)
    look = TraceHypothesis(2, SENTENCE, config, "search~what-if", 4, tokens, (CHANGE,))
    *_, found = source.hypothesis(look)
    assert last is not None
    assert found is not None
    assert tuple(found.trace.tgt_out_ids) == tokens
    assert found.trace.alterations != last.trace.alterations


def test_the_worth_of_heads_and_the_orders_come_from_the_model(bench: Bench) -> None:
    run = bench.translate()
    bench.session.ask(MeasureImportance(run.id))
    bench.idle()
    importance = bench.runs[-1].importance
    assert importance is not None
    assert importance.logprob == pytest.approx(float(run.trace.step_logprob.sum()), abs=1e-3)
    assert {kind: heads.shape for kind, heads in importance.change.items()} == {
        AttentionKind.ENCODER_SELF: (2, 4),
        AttentionKind.DECODER_SELF: (3, 4),
        AttentionKind.CROSS: (3, 4),
    }
    question = OrdersOf("", SENTENCE)
    bench.session.answers.ask(question)
    bench.idle()
    experiment = bench.session.answers.get(question)
    assert experiment is not None
    assert [(r.reordered, r.positions) for r in experiment.readings] == [
        (False, True),
        (True, True),
        (False, False),
        (True, False),
    ]


def test_a_paused_translation_goes_on_where_it_was(bench: Bench, tiny_trace: Trace) -> None:
    bench.session.set_pace(0.02)
    bench.session.ask(Translate({"mode": "greedy"}))
    bench.wait(lambda: bool(bench.runs) and bench.runs[0].trace.steps == 2)
    bench.session.ask(Pause())
    bench.qtbot.wait(80)
    held = bench.runs[0].trace.steps
    bench.qtbot.wait(60)
    assert bench.runs[0].trace.steps == held < tiny_trace.steps
    bench.session.set_pace(0.0)
    bench.session.ask(Resume())
    bench.idle()
    same(bench.runs[0].trace, tiny_trace)


def test_a_branch_from_a_translation_that_is_not_done_starts_from_what_it_has(
    bench: Bench, translator: Translator, steps: list[int]
) -> None:
    bench.session.set_pace(0.05)
    bench.session.ask(Translate({"mode": "greedy"}))
    bench.wait(lambda: bool(bench.runs) and bench.runs[0].trace.steps == 3)
    parent = bench.runs[0]
    bench.session.set_pace(0.0)
    steps.clear()
    bench.session.ask(Branch(parent.id, 1, second(parent, 1)))
    bench.idle()
    assert 0 not in steps
    branch = next(run for run in bench.runs if run.id != parent.id)
    assert bench.session.document.run(parent.id).cancelled  # type: ignore[union-attr]
    prefix = (bench.tokens(parent)[0], second(parent, 1))
    same(branch.trace, decoded(translator, DecodeConfig(prefix_ids=prefix)))


def test_decodings_are_forgotten_when_they_take_too_much(
    tiny_bundle: Path, monkeypatch: pytest.MonkeyPatch, steps: list[int]
) -> None:
    source = TranslatorSource(Translator.load(tiny_bundle), cache_bytes=250)
    monkeypatch.setattr(translator_source, "decoding_bytes", lambda *sizes: 100)
    runs = {}
    for name in "abc":
        (*_, runs[name]) = source.decode(Decode(1, SENTENCE, run=name))
    for name, computed in (("c", 1), ("b", 1), ("a", 0)):
        steps.clear()
        trace = runs[name].trace  # type: ignore[union-attr]
        prefix = (*map(int, trace.tgt_out_ids[:1]), int(trace.candidate_ids[1, 1]))
        list(source.decode(Decode(2, SENTENCE, DecodeConfig(prefix_ids=prefix), parent=name)))
        assert steps[0] == computed
