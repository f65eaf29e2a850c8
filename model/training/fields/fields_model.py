"""Model fields: what the Transformer is made of."""

from __future__ import annotations

from model.config import LARGEST_SIZE, MOST_LAYERS, WIDEST_SPAN
from model.training.fields.field import Field

PRESET = Field(
    "preset", "model", "Preset",
    "Sizes to start from: tiny learns a task in minutes, base is the paper's; every field below may be "
    "changed.",
    choices=(
        ("notes", "As in lecture notes"),
        ("tiny", "Tiny"),
        ("small", "Small"),
        ("base", "Base (the paper's)"),
        ("custom", "Custom"),
    ),
    kind="choice",
)  # fmt: skip

MODEL = (
    Field(
        "encoder_layers", "model", "Encoder layers",
        "How many layers read the sentence, each building on the one below.",
        place="architecture", least=1, most=MOST_LAYERS,
    ),
    Field(
        "decoder_layers", "model", "Decoder layers",
        "How many layers write the translation; each looks at what is written and at the sentence read.",
        place="architecture", least=1, most=MOST_LAYERS,
    ),
    Field(
        "d_model", "model", "Width",
        "How many numbers describe a token in every layer (d_model); wider models learn more and "
        "train more slowly.",
        place="architecture", least=1, step=32,
    ),
    Field(
        "n_heads", "model", "Heads",
        "Heads per layer: each looks at the sentence in its own way; d_model must divide evenly among them.",
        place="architecture", least=1,
    ),
    Field(
        "kv_heads", "model", "Heads of keys and values",
        "How many have keys and values of their own, which the rest then share for a smaller cache; it must "
        "divide the heads evenly.",
        place="architecture", most=LARGEST_SIZE, zero="as many as heads", advanced=True,
    ),
    Field(
        "d_ff", "model", "Feed-forward width",
        "The inner width of the feed-forward network after each attention, in the paper four times d_model.",
        place="architecture", least=1, step=64,
    ),
    Field(
        "dropout", "model", "Dropout",
        "The share of values dropped at random during training, which keeps a model from memorising "
        "its examples.",
        kind="number", place="architecture", most=0.95, step=0.05, decimals=2,
    ),
    Field(
        "norm", "model", "Normalisation",
        "Whether vectors are normalised after each sub-layer, as in the paper, or before it, which is "
        "easier to train in deep models.",
        choices=(("post_norm", "After (post-norm)"), ("pre_norm", "Before (pre-norm)")),
        kind="choice", place="architecture", advanced=True,
    ),
    Field(
        "normalisation", "model", "Kind of norm",
        "Whether each token's vector is normalised by itself, as in the paper, or each feature over all "
        "tokens of a batch.",
        choices=(("layer", "LayerNorm"), ("batch", "BatchNorm")),
        kind="choice", place="architecture", advanced=True,
    ),
    Field(
        "wiring", "model", "Decoder reads",
        "Whether all decoder layers read the last encoder layer (the paper), each that of its own depth, or "
        "a learned mix.",
        choices=(("last", "The last layer"), ("same_depth", "The same depth"), ("mix", "A learned mix")),
        kind="choice", place="architecture", advanced=True,
    ),
    Field(
        "activation", "model", "Activation",
        "The non-linearity between the two feed-forward maps; without it they would be one linear map.",
        choices=(("relu", "ReLU"), ("gelu", "GELU"), ("silu", "SiLU")),
        kind="choice", place="architecture", advanced=True,
    ),
    Field(
        "positions", "model", "Positions",
        "How the model knows where a token stands: by vectors that are added, by distances in "
        "self-attention, or not at all.",
        choices=(
            ("sinusoidal", "Sinusoidal"), ("learned", "Learned"), ("none", "None"),
            ("relative", "Relative"), ("rotary", "Rotary"), ("alibi", "ALiBi"),
        ),
        kind="choice", place="architecture", advanced=True,
    ),
    Field(
        "position_layout", "model", "Sines and cosines",
        "Whether sines and cosines alternate, as in the paper, or all sines come first; of rotary positions, "
        "which numbers turn together.",
        choices=(("interleaved", "Alternating"), ("halves", "Sines first")),
        kind="choice", place="architecture", advanced=True,
    ),
    Field(
        "position_base", "model", "Wavelength base",
        "The longest wavelength of the positions is about 2π times this many tokens (10000 in the "
        "paper).",
        kind="number", place="architecture", least=1, most=1000000000.0, step=1000, decimals=1,
        advanced=True,
    ),
    Field(
        "relative_span", "model", "Relative span",
        "From how many tokens away on relative positions are all the same, to the left and to the right.",
        place="architecture", least=1, most=WIDEST_SPAN, unit="tokens", advanced=True,
    ),
    Field(
        "max_positions", "model", "Token limit",
        "The longest text, in tokens, that the model can ever read or write.",
        place="architecture", least=1, step=128, unit="tokens", advanced=True,
    ),
    Field(
        "tie_embeddings", "model", "Tied embeddings",
        "Which tables of token vectors are shared, which saves parameters and often helps.",
        choices=(("none", "None"), ("target_output", "Target and output"), ("all", "Source, target, output")),
        kind="choice", place="architecture", advanced=True,
    ),
    Field(
        "copying", "model", "Copy words",
        "Words of the source can be copied as they stand, such as names never seen before; needs one "
        "vocabulary for both languages.",
        kind="flag", place="architecture", advanced=True,
    ),
    Field(
        "scale_embedding", "model", "Scale embeddings",
        "Multiplies token vectors by the square root of d_model, so that positions do not drown them "
        "out.",
        kind="flag", place="architecture", advanced=True,
    ),
    Field(
        "attention_bias", "model", "Biases in attention",
        "Adds a learned constant to queries, keys, values and the heads' output.",
        kind="flag", place="architecture", advanced=True,
    ),
    Field(
        "output_bias", "model", "Bias of the output",
        "Adds a learned constant to each piece's score, which gives frequent pieces a head start.",
        kind="flag", place="architecture", advanced=True,
    ),
    Field(
        "generation", "model", "Order of writing",
        "Whether a translation is written token after token, or all of it at once and then mended in rounds.",
        choices=(("left_to_right", "Left to right"), ("all_at_once", "All at once, in rounds")),
        kind="choice", place="architecture", advanced=True,
    ),
    Field(
        "norm_eps", "model", "Norm epsilon",
        "A tiny number added before dividing by the standard deviation, to avoid division by zero.",
        kind="number", place="architecture", least=1e-12, most=0.1, step=1e-06, decimals=12,
        advanced=True,
    ),
)  # fmt: skip
