"""Hub rules: those in Hugging Face's `generation_config.json`. No torch, no `transformers`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from model.folder.decoding_rules import DecodingRules, EarlyStopping

# Settings that change which tokens are produced and that are not carried out, with what makes them idle.
_OTHERS: dict[str, tuple[Any, ...]] = {
    "encoder_repetition_penalty": (None, 1.0),
    "sequence_bias": (None, {}, []),
    "exponential_decay_length_penalty": (None,),
    "guidance_scale": (None, 1.0),
    "diversity_penalty": (None, 0.0),
    "num_beam_groups": (None, 1),
    "penalty_alpha": (None, 0.0),
    "dola_layers": (None,),
    "constraints": (None,),
    "force_words_ids": (None,),
    "watermarking_config": (None,),
    "stop_strings": (None, []),
    "min_p": (None, 0.0),
    "typical_p": (None, 1.0),
    "epsilon_cutoff": (None, 0.0),
    "eta_cutoff": (None, 0.0),
    "top_h": (None,),
}


def rules_of(
    generation: Mapping[str, Any], end_id: int, vocab: int, *, prompted: bool = False
) -> DecodingRules:
    """The rules among the settings; others are options of a decoding, or unknown.

    Args:
        generation: as it stands in the file; nothing in it is trusted to be of the right type.
        end_id: the token that ends a sentence; further ones are among the settings.
        vocab: number of ids; others are left out.
        prompted: whether the decoder reads the text itself.
    """

    def ids(name: str) -> tuple[int, ...]:
        return tuple(token for token in ids_of(generation.get(name)) if token < vocab)

    ends = tuple(token for token in ids("eos_token_id") if token != end_id)
    words = [word for word in _words(generation.get("bad_words_ids")) if max(word) < vocab]
    banned = [word[0] for word in words if len(word) == 1 and word[0] not in (end_id, *ends)]
    # `transformers` counts what was read before in min_length: a start token, or a prompt.
    least, new = _count(generation.get("min_length")), generation.get("min_new_tokens")
    if new is not None:
        least, produced = 0, _count(new)
    else:
        produced = 0 if prompted else max(0, least - 1)
    return DecodingRules(
        banned=tuple(dict.fromkeys((*banned, *ids("suppress_tokens")))),
        banned_first=ids("begin_suppress_tokens"),
        banned_runs=tuple(dict.fromkeys(tuple(word) for word in words if len(word) > 1)),
        forced_start=next(iter(ids("forced_bos_token_id")), None),
        forced_end=min(ids("forced_eos_token_id"), default=None),
        min_length=produced,
        min_total=least if prompted else 0,
        no_repeat_ngram=_count(generation.get("no_repeat_ngram_size")),
        no_source_ngram=_count(generation.get("encoder_no_repeat_ngram_size")),
        repetition_penalty=_penalty(generation.get("repetition_penalty")),
        renormalise=generation.get("renormalize_logits") is True,
        early_stopping=_early(generation.get("early_stopping")),
        ends=ends,
        beam="apart",
    )


def ignored_of(generation: Mapping[str, Any]) -> tuple[str, ...]:
    """Names of the settings that change what `transformers` produces, and that are not carried out here."""
    return tuple(name for name, idle in _OTHERS.items() if generation.get(name) not in idle)


def ids_of(value: Any) -> list[int]:
    """Token ids of a setting that is one, several or none."""
    values = value if isinstance(value, list | tuple) else [value]
    return [token for token in values if type(token) is int and token >= 0]


def _words(value: Any) -> list[list[int]]:
    words = value if isinstance(value, list | tuple) else []
    read = [ids_of(word) for word in words if isinstance(word, list | tuple)]
    return [word for word in read if word]


def _count(value: Any) -> int:
    return value if type(value) is int and 0 < value < 1 << 31 else 0


def _penalty(value: Any) -> float:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if number and math.isfinite(value) and value > 0 else 1.0


def _early(value: Any) -> EarlyStopping:
    return "never" if value == "never" else value is True
