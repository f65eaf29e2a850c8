"""Config values of `transformers`, some of which raise where there are none."""

from __future__ import annotations

from typing import Any

_ENCODER_LAYERS = ("encoder_layers", "num_encoder_layers", "num_layers", "num_hidden_layers")
_DECODER_LAYERS = ("decoder_layers", "num_decoder_layers", "num_layers", "num_hidden_layers")


def value_of(config: Any, *names: str) -> Any:
    """The first of some entries that is there and not None; None if none is."""
    for name in names:
        try:
            value = getattr(config, name, None)
        except Exception:  # NotImplementedError and others, each of its own configuration
            continue
        if value is not None:
            return value
    return None


def number_of(config: Any, *names: str) -> int:
    """The first of some entries that is a positive whole number; 0 if none is."""
    values = (value_of(config, name) for name in names)
    return next((value for value in values if isinstance(value, int) and value > 0), 0)


def layer_counts(config: Any) -> tuple[int | None, int | None]:
    """Layers of the encoder and of the decoder; None where it is not said (or there is no such stack).

    A composite (a BERT for each stack) says it in one part for each.
    """
    reader, writer = value_of(config, "encoder"), value_of(config, "decoder", "text_config")
    encoder = number_of(config if reader is None else reader, *_ENCODER_LAYERS)
    decoder = number_of(config if writer is None else writer, *_DECODER_LAYERS)
    return encoder or None, decoder or None


def embedding_rows(network: Any) -> int:
    """Rows of the table that gives the tokens read their vectors."""
    return int(network.get_input_embeddings().weight.shape[0])
