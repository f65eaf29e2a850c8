"""Estimate of a run: parameters, memory, disk, steps and time, worked out beforehand. No torch.

Shapes: N tokens of a batch on each side (`batch_tokens`), d d_model, f d_ff, h heads, V pieces, P parameters.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from model.config import Architecture, TrainConfig
from model.folder.bundle_config import count_parameters
from model.training.fields.facts import Facts

CHUNK = 512  # target tokens whose logits exist at a time, see `model.training.loss`
SENTENCE = 32  # tokens of a sentence where nothing better is known
CANDIDATES = 10  # kept for each step of a trace
KERNELS = 30_000_000  # what kernels and the allocator take at the first steps: 15 to 20 MB as measured
_HEADER = 2_000  # bytes of a trace's provenance and tensor names
_TOKEN = 12  # bytes of a token's text
_PROBE_TOKENS = 16
PIECES_A_WORD = 1.4


@dataclass(frozen=True)
class Memory:
    """Bytes that training adds to a program that has torch loaded.

    Attributes:
        weights: parameters, float32.
        gradients: of every parameter, and of the output matrix once more while the loss is worked out.
        optimizer: both moments of Adam, and the running average of the weights.
        activations: what the backward pass needs of the forward pass, for the largest batch.
        vocabulary: logits and probabilities of `CHUNK` tokens, and the output matrix as it is computed in;
            where words are copied ten numbers for each logit, of which autograd keeps eight.
    """

    weights: int
    gradients: int
    optimizer: int
    activations: int
    vocabulary: int

    @property
    def total(self) -> int:
        """Bytes in all, with what torch takes for itself whatever the model."""
        tensors = self.weights + self.gradients + self.optimizer + self.activations + self.vocabulary
        return tensors + KERNELS


def parameters(architecture: Architecture) -> int:
    """Numbers that are trained; tied ones count once."""
    return count_parameters(architecture)


def training_memory(
    architecture: Architecture, config: TrainConfig, *, half: bool = False, sentence: int = SENTENCE
) -> Memory:
    """The memory of a training step.

    With b bytes a number of the computation (4 in float32, 2 in bfloat16), a layer keeps for its backward
    pass, for each of the batch's N tokens on its side:

    - its sublayers' sums, norms and outputs: 4 d a sublayer, in float32, and of each the copy that the next
      product reads when that is narrower;
    - attention: queries, keys, values, mix and dropout mask, 6 d numbers of b bytes (fewer where heads share
      keys and values), and h patterns as long as a sentence (before and after softmax), in the decoder all
      this once more for the cross-attention;
    - feed-forward: f numbers after the activation (2 f with GELU or SiLU, which need their input), and a
      dropout mask of d.

    Weights take 4 P bytes, their gradients 4 P, Adam's moments 8 P and the running average 4 P.

    Args:
        half: whether the computation is in bfloat16.
        sentence: tokens of the longest sentences; patterns grow with it.
    """
    a, size = architecture, parameters(architecture)
    width = 2 if half else 4
    longest = min(sentence, config.max_tokens)
    tokens = config.batch_sentences * longest if config.batch_sentences else config.batch_tokens
    kept = 1 if a.activation == "relu" else 2
    sublayer = 4 * a.d_model * 4 + (a.d_model * width if half else 0)
    projected = 4 * a.d_model + 2 * a.key_heads * (a.d_model // a.n_heads)
    attention = sublayer + (projected + 2 * a.n_heads * longest) * width
    read, written = (
        sublayer + (a.d_ff_of(stack) * kept + a.d_model) * width for stack in ("encoder", "decoder")
    )
    encoder = a.encoder_layers * (attention + read)
    decoder = a.decoder_layers * (2 * attention + written)
    embedded = 2 * 4 * a.d_model * 4
    output = a.target_vocab * a.d_model
    return Memory(
        weights=4 * size,
        gradients=4 * size + 4 * output,
        optimizer=12 * size,
        activations=tokens * (encoder + decoder + embedded),
        vocabulary=min(tokens, CHUNK) * a.target_vocab * (10 * 4 if a.copying else 4 + width)
        + (output * width if half else 0),
    )


def bundle_bytes(architecture: Architecture, *, half: bool) -> int:
    """Bytes of the finished bundle's weights; its vocabularies take a few hundred kilobytes more."""
    return parameters(architecture) * (2 if half else 4)


def state_bytes(architecture: Architecture) -> int:
    """Bytes of the training state: weights, their running average and two moments, all float32."""
    return parameters(architecture) * 16


def frame_bytes(architecture: Architecture, source_tokens: int, target_tokens: int) -> int:
    """Bytes of one kept trace of the probe: its patterns in float16, ids and candidates of each step.

    Args:
        source_tokens, target_tokens: of the probe, special tokens included.
    """
    a, s, t = architecture, source_tokens, target_tokens
    cells = a.encoder_layers * s * s + a.decoder_layers * (t * t + t * s)
    step = 2 * 8 + 4 + CANDIDATES * (8 + 4)
    texts = _TOKEN * (2 * s + (CANDIDATES + 3) * t)
    return 2 * a.n_heads * cells + 8 * s + step * t + texts + _HEADER


def probe_tokens(text: str, config: TrainConfig) -> int:
    """About how many tokens a probe has, its end token included; of an ordinary one where `text` is ""."""
    words = len(text.split())
    return min(config.max_tokens, round(PIECES_A_WORD * words) + 1 if words else _PROBE_TOKENS)


@dataclass(frozen=True)
class Outlook:
    """How long a run will be, as far as it can be told.

    Attributes:
        steps: of the weights; None where nothing tells.
        minutes: until it ends; None where that is not known.
        warmup_minutes: until its warm-up ends.
    """

    steps: int | None
    minutes: float | None
    warmup_minutes: float | None


def outlook(config: TrainConfig, facts: Facts) -> Outlook:
    """How long the run will be; evaluations come on top, unless the run ends by the clock."""
    steps, step = expected_steps(config, facts), _step_minutes(config, facts)
    limits = [config.minutes] if config.minutes else []
    others = expected_steps(replace(config, minutes=0.0), facts)
    if others is not None and step is not None:
        limits.append(others * step)
    return Outlook(steps, min(limits, default=None), None if step is None else config.warmup * step)


def expected_steps(config: TrainConfig, facts: Facts) -> int | None:
    """Steps to the nearest limit; None while one of the limits cannot be counted in steps yet."""
    known = [config.steps] if config.steps else []
    if config.epochs:
        epoch = epoch_steps(config, facts)
        if epoch is None:
            return None
        known.append(math.ceil(config.epochs * epoch))
    if config.minutes:
        step = _step_minutes(config, facts)
        if step is None:
            return None
        known.append(max(1, math.floor(config.minutes / step)))
    return min(known, default=None)


def epoch_steps(config: TrainConfig, facts: Facts) -> int | None:
    """Steps of one pass over the pairs."""
    if facts.pairs is None or facts.tokens is None:
        return None
    by_pairs = config.batch_sentences
    batches = math.ceil(facts.pairs / by_pairs if by_pairs else facts.tokens / config.batch_tokens)
    return max(1, math.ceil(batches / config.accumulate))


def _step_minutes(config: TrainConfig, facts: Facts) -> float | None:
    if not facts.speed:
        return None
    tokens = float(config.batch_tokens)
    if config.batch_sentences:
        if not facts.pairs or facts.tokens is None:
            return None
        tokens = config.batch_sentences * facts.tokens / facts.pairs
    return tokens * config.accumulate / facts.speed / 60
