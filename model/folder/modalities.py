"""Modalities: whether a model takes in pictures or sound. No torch; `transformers` only if asked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# Entries of config.json that only models of pictures or sound have, in themselves or in their encoder.
_SENSES = frozenset(
    (
        "audio_config",
        "backbone_config",
        "conv_dim",
        "feat_extract_norm",
        "image_size",
        "input_feat_per_channel",
        "num_channels",
        "num_mel_bins",
        "sampling_rate",
        "speech_encoder_layers",
    )
)
_BOTH = frozenset(("vision_config",))
"""Entries of models that see and read; those that write can do with text alone."""
_WRITERS = ("ForConditionalGeneration", "ForCausalLM", "ForTextToText")
_TABLES = ("IMAGE", "VISION", "VIDEO", "OBJECT", "AUDIO", "SPEECH", "CTC", "WAVEFORM", "SPECTROGRAM")


def takes_images_or_audio(values: Mapping[str, Any], name: str) -> bool:
    """Whether a `config.json` says it; nothing in it is trusted to be of the right type.

    Args:
        name: the class that saved the model, as far as it is said.
    """
    encoder = values.get("encoder")
    parts = (values, encoder) if isinstance(encoder, dict) else (values,)
    if any(_SENSES & part.keys() for part in parts):
        return True
    return bool(_BOTH & values.keys()) and not name.endswith(_WRITERS)


def is_known_to_take_images_or_audio(model_type: str) -> bool:
    """Whether `transformers` has such models for a task of pictures or sound."""
    from transformers.models.auto import modeling_auto

    tables = (
        getattr(modeling_auto, name)
        for name in dir(modeling_auto)
        if name.endswith("_MAPPING_NAMES") and any(word in name for word in _TABLES)
    )
    return any(model_type in table for table in tables)
