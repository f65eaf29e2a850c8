"""Config of a Transformer and of its training: frozen, validated, no torch.

`Architecture` is the `architecture` object of a bundle's `config.json`; an absent key takes the default
written here and an unknown one is refused by name.
"""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, Self, TypeVar, get_args, get_type_hints

from model.errors import HeadscopeError

T = TypeVar("T")

MOST_LAYERS = 1024
LARGEST_SIZE = 2**31 - 1
WIDEST_SPAN = 1024
MOST_THREADS = 1024  # torch takes any 32-bit number, and would start as many

# Of a field: what is not the plain Transformer's. A bundle says it only where it differs, so that a plain one
# stays readable for earlier versions, which refuse what they do not know.
FURTHER = {"further": True}

FIRST_WORD = 4
"""Ids below are special tokens (padding, unknown, start, end), which a model that copies never copies."""

Norm = Literal["post_norm", "pre_norm"]
Normalisation = Literal["layer", "batch"]
Wiring = Literal["last", "same_depth", "mix"]
Activation = Literal["relu", "gelu", "silu"]
Positions = Literal["sinusoidal", "learned", "none", "relative", "rotary", "alibi"]
ADDED: tuple[Positions, ...] = ("sinusoidal", "learned")
"""Positions that are added to the embeddings."""
PositionLayout = Literal["interleaved", "halves"]
Tie = Literal["none", "target_output", "all"]
Generation = Literal["left_to_right", "all_at_once"]
Precision = Literal["auto", "float32", "bfloat16"]
Schedule = Literal["noam", "inverse_sqrt", "cosine", "constant"]
Device = Literal["auto", "cpu", "cuda", "mps"]
Guide = Literal["none", "diagonal", "monotonic"]
StopOn = Literal["loss", "bleu"]
OutputStart = Literal["even", "unit"]
VocabType = Literal["unigram", "bpe", "word"]
SplitName = Literal["holdout", "tatoeba-hash"]
Split = Literal["train", "dev", "test"]
TaskName = Literal["copy", "reverse", "sort", "either", "trees", "grammar", "names", "notes", "relations"]


@dataclass(frozen=True, kw_only=True)
class Architecture:
    """The shape of an encoder-decoder Transformer ("Attention Is All You Need", section 3).

    Attributes:
        norm_eps: epsilon added to the variance in every norm.
        attention_bias: biases on the four attention projections.
        output_bias: a bias on the projection to the vocabulary.
        positions: the first two are added to the embeddings; `relative` (arXiv 1803.02155), `rotary`
            (2104.09864) and `alibi` (2108.12409) act in self-attention, on how far a key is from a query.
        position_layout: `interleaved` puts sin and cos in turn (as the paper), `halves` all sines first; of
            `rotary`, whether the two dimensions that turn together are neighbours or half a head apart.
        position_base: the wavelength base, 10000 in the paper; of `rotary` too.
        relative_span: of `relative`, from which distance on all share one vector, to either side.
        scale_embedding: multiply token embeddings by sqrt(d_model) (paper, section 3.4).
        tie_embeddings: `target_output` shares target embedding and output; `all` the source's too.
        decoder_d_ff: feed-forward width of the decoder where it has another than `d_ff`, which some Marian
            models have; 0 = the same.
        kv_heads: heads of keys and values, each shared by as many neighbouring heads of queries
            (grouped-query attention, arXiv 2305.13245); 1 = all share one (multi-query, arXiv 1911.02150);
            0 = as many as `n_heads`, none shares.
        normalisation: over a token's numbers (LayerNorm, as the paper) or over a batch (BatchNorm), see
            `model.network.norms`.
        wiring: which encoder layers each decoder layer reads, see `model.network.wiring`.
        copying: words may be copied from the source besides being generated; see `model.network.copying`.
        generation: `all_at_once` writes every token in one round, and some again in further ones (arXiv
            1904.09324): the decoder has no causal mask, the length is predicted (`model.network.lengths`).
    """

    source_vocab: int
    target_vocab: int
    d_model: int = 512
    n_heads: int = 8
    encoder_layers: int = 6
    decoder_layers: int = 6
    d_ff: int = 2048
    dropout: float = 0.1
    norm: Norm = "post_norm"
    norm_eps: float = 1e-5
    activation: Activation = "relu"
    attention_bias: bool = True
    output_bias: bool = False
    positions: Positions = "sinusoidal"
    position_layout: PositionLayout = "interleaved"
    position_base: float = 10000.0
    max_positions: int = 1024
    scale_embedding: bool = True
    tie_embeddings: Tie = "none"
    decoder_d_ff: int = dataclasses.field(default=0, metadata=FURTHER)
    relative_span: int = dataclasses.field(default=16, metadata=FURTHER)
    kv_heads: int = dataclasses.field(default=0, metadata=FURTHER)
    normalisation: Normalisation = dataclasses.field(default="layer", metadata=FURTHER)
    wiring: Wiring = dataclasses.field(default="last", metadata=FURTHER)
    copying: bool = dataclasses.field(default=False, metadata=FURTHER)
    generation: Generation = dataclasses.field(default="left_to_right", metadata=FURTHER)

    def __post_init__(self) -> None:
        """Raise `HeadscopeError` naming the first field that makes no sense."""
        check_fields(self, "architecture")
        counts = ("source_vocab", "target_vocab", "d_model", "n_heads", "encoder_layers", "decoder_layers")
        for name in (*counts, "d_ff", "max_positions"):
            most = MOST_LAYERS if name.endswith("_layers") else LARGEST_SIZE
            value = getattr(self, name)
            if not 1 <= value <= most:
                wanted = "at least 1" if value < 1 else f"at most {most}"
                raise HeadscopeError("config_value", field=name, value=value, wanted=wanted)
        if not 0 <= self.decoder_d_ff <= LARGEST_SIZE:
            wanted = f"from 0 to {LARGEST_SIZE}"
            raise HeadscopeError("config_value", field="decoder_d_ff", value=self.decoder_d_ff, wanted=wanted)
        self._check_heads()
        self._check_positions()
        if not 0.0 <= self.dropout < 1.0:
            raise HeadscopeError("config_value", field="dropout", value=self.dropout, wanted="from 0 up to 1")
        for name in ("norm_eps", "position_base"):
            value = getattr(self, name)
            if not (math.isfinite(value) and value > 0):
                raise HeadscopeError("config_value", field=name, value=value, wanted="above 0")
        if self.tie_embeddings == "all" and self.source_vocab != self.target_vocab:
            raise HeadscopeError("config_tie", source=self.source_vocab, target=self.target_vocab)
        if self.copying and self.source_vocab != self.target_vocab:
            raise HeadscopeError("config_copying")

    def _check_heads(self) -> None:
        if self.d_model % self.n_heads:
            raise HeadscopeError("config_heads", d_model=self.d_model, n_heads=self.n_heads)
        if not 0 <= self.kv_heads <= self.n_heads or (self.kv_heads and self.n_heads % self.kv_heads):
            raise HeadscopeError("config_kv_heads", kv_heads=self.kv_heads, n_heads=self.n_heads)

    def _check_positions(self) -> None:
        if self.positions == "sinusoidal" and self.d_model % 2:
            raise HeadscopeError("config_value", field="d_model", value=self.d_model, wanted="even")
        if self.positions == "rotary" and self.d_model // self.n_heads % 2:
            width = self.d_model // self.n_heads
            raise HeadscopeError("config_value", field="d_model / n_heads", value=width, wanted="even")
        if not 1 <= self.relative_span <= WIDEST_SPAN:
            wanted = f"from 1 to {WIDEST_SPAN}"
            raise HeadscopeError(
                "config_value", field="relative_span", value=self.relative_span, wanted=wanted
            )

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """Build from a JSON object; `HeadscopeError` for an unknown key or a wrong type."""
        return from_json(cls, values, "architecture")

    @property
    def in_rounds(self) -> bool:
        """Whether it writes all tokens at once, in rounds."""
        return self.generation == "all_at_once"

    def d_ff_of(self, stack: str) -> int:
        """Feed-forward width of the layers of `encoder` or `decoder`."""
        return self.decoder_d_ff or self.d_ff if stack == "decoder" else self.d_ff

    @property
    def key_heads(self) -> int:
        """Heads of keys and values in each attention."""
        return self.kv_heads or self.n_heads

    def to_json(self) -> dict[str, Any]:
        """Every field by name, JSON-able; of `FURTHER` ones those that are not as in the paper."""
        own = dataclasses.fields(self)
        usual = {one.name: one.default for one in own if "further" in one.metadata}
        if self.d_ff_of("decoder") == self.d_ff:
            usual["decoder_d_ff"] = self.decoder_d_ff
        if self.key_heads == self.n_heads:
            usual["kv_heads"] = self.kv_heads
        values = dataclasses.asdict(self)
        return {name: value for name, value in values.items() if name not in usual or value != usual[name]}


@dataclass(frozen=True, kw_only=True)
class TrainConfig:
    """How to train.

    Attributes:
        batch_tokens: upper bound of sentences x longest side, padding included.
        batch_sentences: pairs in a batch, whatever their length; 0 = cut by `batch_tokens`.
        accumulate: batches whose gradients one step adds up, each weighted by its target tokens.
        schedule: `noam` (paper, section 5.3), `inverse_sqrt` and `cosine` after a linear warm-up, `constant`.
        learning_rate: factor of the Noam schedule; the highest rate of the others.
        warmup: warm-up steps of the schedule.
        cosine_steps: step at which the cosine schedule reaches 0; 0 = the run's own limit of steps or epochs.
        device: `auto` takes CUDA, else MPS, else the processor.
        patience: evaluations in a row without improvement that end the run; 0 = none do.
        stop_on: what has to improve.
        probe_every: steps between two kept traces of the probe sentence; 0 = none is kept.
        probe_megabytes: the most that kept traces may take; when full, every second is dropped.
        precision: `auto` takes bfloat16 where the processor multiplies it fast, else float32.
        eval_every: steps between held-out evaluations, each of which saves; 0 = at the end of an epoch, if
            the last one is 50 steps ago.
        save_every: steps between further saves; 0 = none.
        steps, epochs, minutes: the run ends at the first limit reached; 0 = no such limit.
        average_steps: about how many of the last steps the running average of the weights spans.
        output_start: how the output matrix, and what is tied to it, is drawn; see `draw_weights`.
        bpe_dropout: probability with which a merge of pieces is left out whenever a pair is trained on, so
            that a word is met in many cuts (arXiv 1910.13267); needs pieces learned as BPE.
        guide: what cross-attention is penalised for: leaving the diagonal (arXiv 1710.08969), or going back.
        guide_weight: of the penalty beside the loss; guide_width: g, how wide the diagonal is.
        guide_heads: the first so many heads of each decoder layer are guided; 0 = all.
        sampling_rate: the share of the prefix that is the model's own once it has risen (scheduled sampling,
            arXiv 1906.07651); 0 = teacher forcing.
        sampling_steps: steps over which that share rises from 0; 0 = it holds from the second step on.
    """

    batch_tokens: int = 4096
    batch_sentences: int = 0
    accumulate: int = 1
    schedule: Schedule = "noam"
    learning_rate: float = 1.0
    warmup: int = 4000
    cosine_steps: int = 0
    weight_decay: float = 0.0
    label_smoothing: float = 0.1
    clip: float = 1.0
    seed: int = 1
    precision: Precision = "auto"
    device: Device = "auto"
    threads: int = 0
    patience: int = 0
    stop_on: StopOn = "loss"
    steps: int = 0
    epochs: float = 0.0
    minutes: float = 0.0
    save_every: int = 0
    eval_every: int = 0
    log_every: int = 1
    bleu_sentences: int = 200
    average_steps: int = 1000
    output_start: OutputStart = "even"
    bpe_dropout: float = 0.0
    guide: Guide = "none"
    guide_weight: float = 1.0
    guide_width: float = 0.2
    guide_heads: int = 0
    sampling_rate: float = 0.0
    sampling_steps: int = 0
    max_tokens: int = 128
    probe_every: int = 0
    probe_megabytes: int = 256

    def __post_init__(self) -> None:
        """Raise `HeadscopeError` naming the first field that makes no sense."""
        check_fields(self, "training")
        for name in ("batch_tokens", "accumulate", "warmup", "log_every", "max_tokens", "probe_megabytes"):
            if getattr(self, name) < 1:
                raise HeadscopeError(
                    "config_value", field=name, value=getattr(self, name), wanted="at least 1"
                )
        for name in ("learning_rate", "clip", "guide_width"):
            value = getattr(self, name)
            if not (math.isfinite(value) and value > 0):
                raise HeadscopeError("config_value", field=name, value=value, wanted="above 0")
        for name in (
            "steps",
            "epochs",
            "minutes",
            "save_every",
            "eval_every",
            "weight_decay",
            "threads",
            "bleu_sentences",
            "average_steps",
            "batch_sentences",
            "cosine_steps",
            "patience",
            "probe_every",
            "sampling_steps",
            "guide_weight",
            "guide_heads",
        ):
            if not (math.isfinite(getattr(self, name)) and getattr(self, name) >= 0):
                raise HeadscopeError(
                    "config_value", field=name, value=getattr(self, name), wanted="0 or more"
                )
        if self.threads > MOST_THREADS:
            wanted = f"at most {MOST_THREADS}"
            raise HeadscopeError("config_value", field="threads", value=self.threads, wanted=wanted)
        # Seeds of dropout and of the plan are worked out from it and must stay whole numbers of 64 bits.
        if not 0 <= self.seed < 2**32:
            raise HeadscopeError("config_value", field="seed", value=self.seed, wanted="from 0 to 4294967295")
        if not 0.0 <= self.bpe_dropout < 1.0:
            raise HeadscopeError(
                "config_value", field="bpe_dropout", value=self.bpe_dropout, wanted="from 0 up to 1"
            )
        if not 0.0 <= self.sampling_rate <= 1.0:
            raise HeadscopeError(
                "config_value", field="sampling_rate", value=self.sampling_rate, wanted="from 0 to 1"
            )
        if not 0.0 <= self.label_smoothing < 1.0:
            raise HeadscopeError(
                "config_value", field="label_smoothing", value=self.label_smoothing, wanted="from 0 up to 1"
            )

    def to_json(self) -> dict[str, Any]:
        """Every field by name, JSON-able."""
        return dataclasses.asdict(self)


@cache
def _types_of(kind: type) -> dict[str, Any]:
    """The annotated type of each field; Python reads the annotations as text, which takes its time."""
    return get_type_hints(kind)


def check_fields(config: Any, where: str) -> None:
    """Raise `HeadscopeError` if a field of the dataclass `config` is not of its annotated type."""
    kind: type = type(config)
    for name, wanted in _types_of(kind).items():
        value = getattr(config, name)
        if wanted is float:
            good = isinstance(value, (int, float)) and not isinstance(value, bool)
        elif wanted is int:
            good = isinstance(value, int) and not isinstance(value, bool)
        elif wanted is bool:
            good = isinstance(value, bool)
        else:
            good = value in get_args(wanted)
        if not good:
            choices = " or ".join(map(str, get_args(wanted))) or wanted.__name__
            raise HeadscopeError(
                "config_type", field=name, value=json.dumps(value), where=where, wanted=choices
            )


def same_depths(encoder_layers: int, decoder_layers: int) -> tuple[int, ...]:
    """Which encoder layer each decoder layer reads in the wiring `same_depth`; all count from 1.

    Layer l of D reads layer ceil(l E / D) of E: where depths differ, in proportion, and the last the last.
    """
    return tuple(-(-layer * encoder_layers // decoder_layers) for layer in range(1, decoder_layers + 1))


def length_limit(source_tokens: int, max_positions: int) -> int:
    """Most tokens a translation may have: one and a half times the source and 20 more, as positions allow."""
    return min(max_positions, source_tokens * 3 // 2 + 20)


def from_json(cls: type[T], values: Mapping[str, Any], where: str) -> T:
    """Build dataclass `cls`; `HeadscopeError` names an unknown or a missing key."""
    known = {field.name: field for field in dataclasses.fields(cls)}  # type: ignore[arg-type]
    for name in values:
        if name not in known:
            raise HeadscopeError("config_unknown", field=name, where=where)
    for name, field in known.items():
        if name not in values and field.default is dataclasses.MISSING:
            raise HeadscopeError("config_missing", field=name, where=where)
    return cls(**values)
