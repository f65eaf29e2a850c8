"""Families: which stacks a model of Hugging Face has, by its `config.json`. No torch, no `transformers`."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from model.errors import HeadscopeError
from model.files.safe_folder import clean
from model.folder.modalities import takes_images_or_audio
from model.folder.model_folder import ModelFolder

# What model types are, for folders whose `architectures` do not tell: a plain `T5Model`, or none named.
_WRITERS = (
    "bart bigbird_pegasus blenderbot blenderbot-small encoder-decoder fsmt led longt5 m2m_100 marian mbart "
    "mt5 mvp nllb-moe pegasus pegasus_x plbart prophetnet switch_transformers t5 t5gemma umt5"
)
_READERS = (
    "albert bert big_bird camembert convbert data2vec-text deberta deberta-v2 distilbert electra ernie esm "
    "eurobert flaubert fnet funnel gte ibert layoutlm longformer luke megatron-bert mobilebert modernbert "
    "mpnet mra nomic_bert nystromformer rembert roberta roberta-prelayernorm roc_bert roformer squeezebert "
    "xlm xlm-roberta xlm-roberta-xl xmod yoso"
)
_ENCODER_DECODERS, _ENCODERS = frozenset(_WRITERS.split()), frozenset(_READERS.split())
MASKED_WORDS = ("ForMaskedLM", "WithLMHeadModel", "ForPreTraining")
"""How `transformers` ends the names of encoders that say what stands at a masked word."""


class Family(StrEnum):
    """Which stacks a model has."""

    ENCODER_DECODER = "encoder_decoder"
    DECODER_ONLY = "decoder_only"
    ENCODER_ONLY = "encoder_only"


VERIFIED = {
    "bart": Family.ENCODER_DECODER,
    "bert": Family.ENCODER_ONLY,
    "gpt2": Family.DECODER_ONLY,
    "llama": Family.DECODER_ONLY,
    "m2m_100": Family.ENCODER_DECODER,
    "mbart": Family.ENCODER_DECODER,
    "t5": Family.ENCODER_DECODER,
}
"""Model types whose every pattern is compared with `output_attentions=True` in the tests."""


def is_verified(model_type: str, family: Family) -> bool:
    """Whether our pictures of such a model are proven; BERT made into a decoder is not BERT."""
    return VERIFIED.get(model_type) is family


def family_of(values: Mapping[str, Any]) -> Family | None:
    """Which stacks the model of a `config.json` has; None if it is none that reads and writes text.

    Args:
        values: `config.json` as it stands; nothing in it is trusted to be of the right type.
    """
    model_type = values.get("model_type")
    name = class_name(values)
    if not isinstance(model_type, str) or takes_images_or_audio(values, name):
        return None
    writes = values.get("is_encoder_decoder") is True or model_type in _ENCODER_DECODERS
    named = _by_class_name(name, writes)
    if named is not None:
        return named
    if model_type in _ENCODERS and not writes:
        return Family.ENCODER_ONLY
    if name and not name.endswith(("Model", "ForConditionalGeneration", "ForTextToText", "DoubleHeadsModel")):
        return None  # made for sorting texts, or for something that this version does not know
    if writes:
        return Family.ENCODER_DECODER
    return Family.DECODER_ONLY if {"vocab_size", "text_config"} & values.keys() else None


def not_text(found: ModelFolder, *, senses: bool = False) -> HeadscopeError:
    """Why a model cannot be fed, or not followed.

    Args:
        senses: it is known to take in pictures or sound.
    """
    name, model_type = clean(class_name(found.values)), clean(str(found.values["model_type"]))
    if senses or takes_images_or_audio(found.values, name):
        return HeadscopeError("foreign_senses", model_type=model_type)
    return HeadscopeError("foreign_kind", model_type=f"{model_type} ({name})" if name else model_type)


def class_name(values: Mapping[str, Any]) -> str:
    """The class that saved the model, such as `GPT2LMHeadModel`; empty if it is not said."""
    names = values.get("architectures")
    if isinstance(names, list) and names and isinstance(names[0], str):
        return names[0]
    return ""


def _by_class_name(name: str, writes: bool) -> Family | None:
    """What the name alone tells; `writes`: an encoder-decoder by everything else."""
    if name.endswith("EncoderModel"):
        return Family.ENCODER_ONLY
    if name.endswith(("ForMaskedLM", "WithLMHeadModel")):  # XLM's, and the first T5's
        return Family.ENCODER_DECODER if writes else Family.ENCODER_ONLY
    if name.endswith(("ForCausalLM", "LMHeadModel", "GenerationDecoder")):
        return Family.DECODER_ONLY
    return None
