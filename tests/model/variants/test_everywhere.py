"""Every variant does all that the plain Transformer does, and its ways of computing agree with one another.

What each computes is held against an implementation of its own in its own test.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors import safe_open

from model.alterations.block_token import BlockToken
from model.alterations.detach import Detach
from model.alterations.read_layer import ReadLayer
from model.alterations.scale_head import ScaleHead
from model.bundle.bundle import Bundle, load_bundle, write_bundle
from model.causes.patching import Variation, found, patched
from model.causes.path_patching import Reach
from model.causes.two_runs import TwoRuns
from model.decoding.batch_decoding import greedy_batch
from model.decoding.decode_config import DecodeConfig
from model.decoding.decoding import decode_events
from model.decoding.forcing import forced_logprobs
from model.errors import HeadscopeError
from model.folder.bundle_config import count_parameters
from model.inspection.answering import answer
from model.inspection.asked import Asked
from model.inspection.importance import measure_heads
from model.inspection.readings import Readings
from model.network.attention import AttentionSite
from model.questions.answers import RowArithmetic, Walk
from model.questions.causes.patching import HeadPlace, Measured, PatchGrid, PatchOf, carry_of
from model.questions.causes.pruning import PruneOf
from model.questions.causes.without_source import WithoutSource
from model.questions.questions import Reading, RowOf, StagesOf, WalkOf
from model.trace.attention_shape import layers_of
from model.trace.exploration import Importance
from model.trace.trace import AttentionKind, Trace
from model.trace.trace_file import open_trace, save_trace
from tests.model import tiny_bundle, tiny_training
from tests.model.variants.variants import VARIANTS

TEXT = "the red dog"
OUT = (9, 17, 5, 12)
CLOSE = 2e-5  # float32, sums of a few dozen numbers of order 1 in another order

Made = Bundle


@pytest.fixture(scope="module", params=VARIANTS)
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Made:
    """Random weights, also of biases and norms, saved and loaded."""
    fields: dict[str, Any] = {
        "n_heads": 4,
        "encoder_layers": 2,
        "decoder_layers": 2,
        **VARIANTS[request.param],
    }
    a = tiny_bundle.architecture(**fields)
    folder = tmp_path_factory.mktemp(request.param) / "bundle"
    spm = tiny_bundle.spm()
    write_bundle(folder, tiny_bundle.config(a), tiny_bundle.transformer(a), spm, spm, half=False)
    return load_bundle(folder)


def decoded(bundle: Bundle, *alterations: Any, **settings: Any) -> Trace:
    """Four tokens that are given and two of the model's own, by the cached decode."""
    config = DecodeConfig(**{"prefix_ids": OUT, "max_length": 6, **settings})
    return list(decode_events(bundle, TEXT, config, alterations=alterations))[-1].trace


def at_once(bundle: Bundle, trace: Trace) -> tuple[torch.Tensor, dict[AttentionSite, torch.Tensor]]:
    """Log probabilities [T, vocab] and patterns of the same tokens, without a cache."""
    network = bundle.transformer
    patterns: dict[AttentionSite, torch.Tensor] = {}
    with torch.no_grad():
        memory = network.encode(torch.tensor([list(trace.src_ids)]), tap=patterns.__setitem__)
        hidden = network.decode(torch.tensor([list(trace.tgt_in_ids)]), memory, tap=patterns.__setitem__)
        return network.project(hidden)[0].log_softmax(-1), patterns


PLACES = (
    ("heads", AttentionKind.ENCODER_SELF, True),
    ("heads", AttentionKind.CROSS, True),
    ("patterns", AttentionKind.DECODER_SELF, True),
    ("residual", AttentionKind.ENCODER_SELF, False),
    ("residual", AttentionKind.DECODER_SELF, False),
    ("cross", AttentionKind.CROSS, True),
)


def test_carrying_over_agrees_with_the_translation_that_it_makes(made: Made) -> None:
    """What a grid says of a cell is what the cached decode with that cell held says."""
    b = Reading.of(decoded(made))
    a = replace(b, src_ids=(*b.src_ids[:1], 12, *b.src_ids[2:]), out_ids=(9, 8, 21, 12, 3))
    measured = Measured(a, 3, word=11, rival=7)
    runs = TwoRuns(measured, Asked(made, b))
    for what, kind, by_head in PLACES:
        question = PatchOf(measured, what, "head" if by_head else "position")  # type: ignore[arg-type]
        rows = AttentionKind.ENCODER_SELF if what == "cross" else kind
        one = (
            Variation(slice(0, 1), runs.rows(rows)) if by_head else Variation(slice(None), runs.rows(rows, 0))
        )
        wanted = patched(runs, question.what, kind, 1, [one])[0]
        grid = PatchGrid(kind, question.by, np.zeros((2, 1)))
        change = carry_of(question, found(runs, what, (grid,)), grid, 1, 0)
        again = decoded(made, change, candidates=40)
        told = dict(zip(again.candidate_ids[3].tolist(), again.candidate_logprobs[3].tolist()))
        assert told[11] - told[7] == pytest.approx(wanted, abs=CLOSE)
    path = Reach(runs, HeadPlace(AttentionKind.ENCODER_SELF, 0, 1))
    arrived = path.layer(AttentionSite(AttentionKind.CROSS, 1), "v", 1)
    assert np.isfinite(arrived).all()
    assert arrived != [runs.m_b]


def test_the_file_holds_what_the_config_says(made: Made) -> None:
    names = {name for name, _ in made.transformer.named_parameters()}
    with safe_open(made.folder / "model.safetensors", "pt") as file:
        assert names <= set(file.keys())
    trained = sum(parameter.numel() for parameter in made.transformer.parameters())
    assert count_parameters(made.config.architecture) == trained


def test_a_cached_decode_is_a_whole_pass(made: Made) -> None:
    trace = decoded(made)
    logprobs, patterns = at_once(made, trace)
    chosen = logprobs[torch.arange(len(trace.tgt_out_ids)), torch.tensor(list(trace.tgt_out_ids))]
    np.testing.assert_allclose(trace.step_logprob, chosen.numpy(), atol=CLOSE)
    assert abs(float(logprobs.exp().sum(-1).max()) - 1.0) < 1e-5
    for (kind, layer), pattern in patterns.items():
        for head in range(trace.heads(kind)):
            np.testing.assert_allclose(trace.pattern(kind, layer, head), pattern[0, head].numpy(), atol=CLOSE)
            assert pattern[0, head].sum(-1).numpy() == pytest.approx(1.0, abs=1e-5)


def test_batches_beams_and_samples(made: Made, tmp_path: Path) -> None:
    tokenizer = made.source_tokenizer
    sources = [[*tokenizer.encode(text), 3] for text in (TEXT, "a dog ran over the wet grass", "red")]
    special = {"pad_id": 0, "start_id": 2, "end_id": 3, "most": 8}
    together = greedy_batch(made.transformer, sources, **special)
    assert together == [greedy_batch(made.transformer, [source], **special)[0] for source in sources]
    beam = decoded(made, prefix_ids=(), mode="beam", beam_size=3)
    again = decoded(made, mode="forced", prefix_ids=(), max_length=None, target="un chien a couru")
    sample = decoded(made, prefix_ids=(), mode="sample", seed=5)
    for trace in (beam, again, sample):
        logprobs, _ = at_once(made, trace)
        chosen = logprobs[torch.arange(len(trace.tgt_out_ids)), torch.tensor(list(trace.tgt_out_ids))]
        np.testing.assert_allclose(trace.step_logprob, chosen.numpy(), atol=CLOSE)
    save_trace(sample, tmp_path / "sample.trace")
    back = open_trace(tmp_path / "sample.trace")
    np.testing.assert_array_equal(back.step_logprob, np.asarray(sample.step_logprob))


def test_arithmetic_finds_what_was_recorded(made: Made) -> None:
    trace = decoded(made)
    readings, about = Readings(made), Reading.of(trace)
    for kind in AttentionKind:
        for layer in range(trace.layers(kind)):
            for head in (0, trace.heads(kind) - 1):
                recorded = trace.pattern(kind, layer, head)
                *_, stages = answer(made, StagesOf(kind, layer, head), about, readings)
                np.testing.assert_allclose(stages.pattern, recorded, atol=CLOSE)
                *_, row = answer(made, RowOf(kind, layer, head, len(recorded) - 1), about, readings)
                assert isinstance(row, RowArithmetic)
                np.testing.assert_allclose(row.pattern, recorded[-1], atol=CLOSE)
                np.testing.assert_allclose(row.output, row.used @ row.values, atol=CLOSE)


def test_the_walk_ends_where_the_model_does(made: Made) -> None:
    trace = decoded(made)
    step = len(trace.tgt_out_ids) - 1
    *_, walk = answer(made, WalkOf("target", step), Reading.of(trace), Readings(made))
    assert isinstance(walk, Walk)
    assert walk.lenses[-1].produced == pytest.approx(float(trace.step_logprob[step]), abs=CLOSE)


def test_heads_off_and_tokens_blocked(made: Made) -> None:
    for kind in AttentionKind:
        plain, scaled = decoded(made, mode="forced", target="un chien", prefix_ids=(), max_length=None), None
        change = ScaleHead(kind, 0, 1, 0.0)
        scaled = decoded(made, change, mode="forced", target="un chien", prefix_ids=(), max_length=None)
        assert float(np.abs(plain.step_logprob - scaled.step_logprob).max()) > 1e-6
        *_, found = measure_heads(made, TEXT, list(plain.tgt_out_ids), ())
        assert isinstance(found, Importance)
        expected = float(scaled.step_logprob.sum() - plain.step_logprob.sum())
        assert found.change[kind][0, 1] == pytest.approx(expected, abs=1e-4)
    blocked = decoded(made, BlockToken(1))
    for head in range(blocked.heads(AttentionKind.CROSS)):
        assert not np.asarray(blocked.pattern(AttentionKind.CROSS, 0, head))[:, 1].any()


@pytest.mark.slow
def test_training_goes_on_as_if_unbroken(made: Made, tmp_path: Path) -> None:
    pairs = tiny_training.write_pairs(tmp_path / "pairs.tsv")
    own = {
        name: value
        for name, value in made.config.architecture.to_json().items()
        if name not in ("source_vocab", "target_vocab")
    }
    options = tiny_training.options(pairs, steps=4, **{**own, "max_positions": 64})
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    tiny_training.events(options, whole)
    tiny_training.events(options, parts, stop_at=2)
    tiny_training.events(options, parts, resume=True)
    for name in ("model.safetensors", "training_state.safetensors"):
        with safe_open(whole / name, "pt") as one, safe_open(parts / name, "pt") as other:
            assert set(one.keys()) == set(other.keys())
            for key in sorted(one.keys()):
                if not key.startswith("history"):
                    assert torch.equal(one.get_tensor(key), other.get_tensor(key)), key
    assert isinstance(load_bundle(whole), Bundle)


def test_layers_read_and_heads_off_agree_with_altered_decoding(made: Made, tmp_path: Path) -> None:
    for change in (ReadLayer(0), ReadLayer(1), Detach(0.0)):
        trace = decoded(made, change)
        forced = forced_logprobs(made, TEXT, list(map(int, trace.tgt_out_ids)), (change,))
        np.testing.assert_allclose(trace.step_logprob, forced, atol=CLOSE)
    *_, worth = answer(made, WithoutSource(), Reading.of(decoded(made)))
    off = forced_logprobs(made, TEXT, list(map(int, decoded(made).tgt_out_ids)), (Detach(0.0),))
    np.testing.assert_allclose(worth.detached, off, atol=CLOSE)
    pairs = [(TEXT, "un chien"), ("a dog ran", "une pomme rouge")]
    file = tmp_path / "pairs.tsv"
    file.write_text("".join(f"{source}\t{target}\n" for source, target in pairs), "utf-8")
    *_, found = answer(made, PruneOf(str(file), by="gradient", points=1))
    changes = tuple(
        ScaleHead(kind, layer, None, 0.0)
        for kind in AttentionKind
        for layer in range(layers_of(made.config.architecture, kind))
    )
    words = [
        forced_logprobs(made, source, made.target_tokenizer.target_ids(target), changes)
        for source, target in pairs
    ]
    assert found.logprob[1] == pytest.approx(float(np.concatenate(words).mean()), abs=5 * CLOSE)
    assert np.isfinite(found.measured).all()
    if made.config.architecture.copying:
        with pytest.raises(HeadscopeError):
            list(answer(made, PruneOf(str(file), replaced="mean")))
    else:
        *_, mean = answer(made, PruneOf(str(file), by="random", replaced="mean", points=1))
        assert np.isfinite(mean.logprob).all()
