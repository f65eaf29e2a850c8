"""What is said of a run beforehand, against real models, files and a real step."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from model.config import Architecture, TrainConfig
from model.network.transformer import Transformer
from model.trace.trace_file import save_trace
from model.training.fields.estimate import (
    bundle_bytes,
    frame_bytes,
    parameters,
    state_bytes,
    training_memory,
)
from model.training.progress.frames import Frames, frames_kept
from tests.model.tiny_trace import make_trace

SMALL = Architecture(
    source_vocab=8000, target_vocab=8000, d_model=256, n_heads=4, encoder_layers=3, decoder_layers=3,
    d_ff=1024, tie_embeddings="all",
)  # fmt: skip


@st.composite
def architectures(draw: st.DrawFn) -> Architecture:
    heads = draw(st.sampled_from([1, 2, 3]))
    tie = draw(st.sampled_from(["none", "target_output", "all"]))
    source = draw(st.integers(4, 30))
    return Architecture(
        source_vocab=source,
        target_vocab=source if tie == "all" else draw(st.integers(4, 30)),
        d_model=heads * draw(st.sampled_from([2, 4])),
        n_heads=heads,
        encoder_layers=draw(st.integers(1, 3)),
        decoder_layers=draw(st.integers(1, 3)),
        d_ff=draw(st.integers(1, 9)),
        norm=draw(st.sampled_from(["post_norm", "pre_norm"])),
        attention_bias=draw(st.booleans()),
        output_bias=draw(st.booleans()),
        positions=draw(st.sampled_from(["sinusoidal", "learned", "none"])),
        max_positions=draw(st.integers(1, 20)),
        tie_embeddings=tie,
    )


@given(architectures())
@settings(max_examples=60, deadline=None)
def test_parameters_are_those_of_a_real_model(architecture: Architecture) -> None:
    real = sum(parameter.numel() for parameter in Transformer(architecture).parameters())

    assert parameters(architecture) == real
    assert bundle_bytes(architecture, half=True) == 2 * real
    assert bundle_bytes(architecture, half=False) == 4 * real
    assert state_bytes(architecture) == 16 * real


def test_the_paper_s_base_model_has_63_million_parameters_with_its_37000_pieces() -> None:
    base = Architecture(
        source_vocab=37000, target_vocab=37000, d_model=512, n_heads=8, encoder_layers=6, decoder_layers=6,
        d_ff=2048, tie_embeddings="all",
    )  # fmt: skip

    # 12 d^2 a layer and 16 d^2 in the decoder, six each, the table, and biases and norms beside.
    rough = 6 * (12 + 16) * 512**2 + 37000 * 512
    assert rough < parameters(base) < 1.01 * rough


def kept_for_backward(architecture: Architecture, tokens: int, sentence: int, dtype: torch.dtype) -> int:
    """Bytes that autograd really keeps of a forward pass (parameters apart)."""
    model = Transformer(architecture).train()
    own = {parameter.untyped_storage().data_ptr() for parameter in model.parameters()}
    kept: dict[int, torch.UntypedStorage] = {}

    def pack(tensor: torch.Tensor) -> torch.Tensor:
        storage = tensor.untyped_storage()
        if storage.data_ptr() not in own:
            kept[storage.data_ptr()] = storage
        return tensor

    ids = torch.randint(4, architecture.source_vocab, (tokens // sentence, sentence))
    with (
        torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor),
        torch.autocast("cpu", dtype=dtype, enabled=dtype != torch.float32),
    ):
        result = model(ids, ids)
    del result
    return sum(storage.nbytes() for storage in kept.values())


@pytest.mark.parametrize("half", [False, True])
@pytest.mark.parametrize("activation", ["relu", "gelu"])
def test_activations_are_at_least_what_autograd_keeps_and_at_most_twice_that(
    half: bool, activation: str
) -> None:
    """The rest is what a backward pass has in its hands besides; the whole is measured by the benchmark."""
    architecture = Architecture.from_json(
        {**SMALL.to_json(), "activation": activation, "d_model": 128, "d_ff": 512}
    )
    tokens, sentence = 1024, 32

    real = kept_for_backward(architecture, tokens, sentence, torch.bfloat16 if half else torch.float32)

    guess = training_memory(architecture, TrainConfig(batch_tokens=tokens), half=half, sentence=sentence)
    assert real <= guess.activations <= 2 * real


def test_parts_of_the_memory_by_hand() -> None:
    memory = training_memory(SMALL, TrainConfig(batch_tokens=4096))
    count = parameters(SMALL)

    assert memory.weights == 4 * count
    assert memory.gradients == 4 * count + 4 * 8000 * 256
    assert memory.optimizer == 12 * count
    assert memory.vocabulary == 512 * 8000 * 8
    parts = memory.weights + memory.gradients + memory.optimizer + memory.activations + memory.vocabulary
    assert memory.total == parts + 30_000_000


def test_a_larger_batch_takes_more_and_pairs_count_where_they_cut_it() -> None:
    def need(**config: int) -> int:
        return training_memory(SMALL, TrainConfig(**config)).activations  # type: ignore[arg-type]

    assert need(batch_tokens=8192) == 2 * need(batch_tokens=4096)
    assert need(batch_sentences=64, batch_tokens=1) == need(batch_tokens=64 * 32)


@pytest.mark.parametrize(("source", "target"), [(4, 5), (16, 17), (40, 31)])
def test_a_frame_takes_about_what_is_said(source: int, target: int, tmp_path: Path) -> None:
    layers, heads = 2, 2  # of `make_trace`
    architecture = Architecture(
        source_vocab=99, target_vocab=99, n_heads=heads, encoder_layers=layers, decoder_layers=layers
    )
    path = tmp_path / "frame.trace"
    save_trace(make_trace(source, target, 10), path, float16=True)

    assert path.stat().st_size == pytest.approx(frame_bytes(architecture, source, target), rel=0.5)


def test_patterns_make_up_a_large_frame() -> None:
    wide = Architecture(source_vocab=99, target_vocab=99, n_heads=8, encoder_layers=6, decoder_layers=6)

    patterns = 2 * 8 * 6 * (100 * 100 + 80 * 80 + 80 * 100)
    assert patterns < frame_bytes(wide, 100, 80) < 1.02 * patterns


@pytest.mark.parametrize(
    ("steps", "every", "room", "kept"),
    [(10, 1, 12, 11), (10, 1, 11, 6), (11, 1, 11, 7), (1000, 25, 20, 11), (1000, 1, 3, 3), (7, 25, 3, 2)],
)
def test_every_second_frame_goes_when_the_room_is_full(steps: int, every: int, room: int, kept: int) -> None:
    assert frames_kept(steps, every, 1_000_000, room) == kept


@given(st.integers(0, 3000), st.integers(1, 60), st.integers(3, 40))
@settings(max_examples=60, deadline=None)
def test_as_many_frames_as_the_run_leaves(steps: int, every: int, room: int) -> None:
    frames = Frames(every, 1_000_000, room)
    left = {step for step in range(steps + 1) if frames.keeps(step, steps)} | {steps}

    assert frames_kept(steps, every, 1_000_000, room) == len(left) <= room
