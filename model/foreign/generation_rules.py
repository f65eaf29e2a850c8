"""What `generation_config.json` says about producing tokens, as the rules that decoding carries out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from model.decoding_rules import DecodingRules
from model.foreign.config_values import value_of
from model.foreign.families import Family

_TARGET_LANGUAGE_FIRST = ("M2M100Tokenizer", "MBart50Tokenizer", "NllbTokenizer")
"""Tokenizers of models that are told the language to write by its token, as the first one they produce."""
# Settings that change which tokens are produced and that are not carried out, with what makes them idle.
_OTHERS: dict[str, tuple[Any, ...]] = {
    "repetition_penalty": (None, 1.0),
    "encoder_repetition_penalty": (None, 1.0),
    "encoder_no_repeat_ngram_size": (None, 0),
    "begin_suppress_tokens": (None, []),
    "sequence_bias": (None, {}),
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
    "early_stopping": (None, False),
}


@dataclass(frozen=True)
class Generation:
    """How a model begins, ends and narrows what it produces.

    Attributes:
        start_id: what the decoder reads first (a model without an encoder: before an empty prompt).
        end_id: -1 where there is none.
        ignored: settings of `generation_config.json` that change what `transformers` produces, and that are
            not carried out here.
    """

    start_id: int
    end_id: int
    rules: DecodingRules
    ignored: tuple[str, ...]


def generation_of(network: Any, tokenizer: Any, family: Family) -> Generation:
    """Of a loaded model and its tokenizer."""
    config, settings = network.config, getattr(network, "generation_config", None)

    def said(name: str) -> Any:
        value = getattr(settings, name, None)
        return value_of(config, name) if value is None else value

    ends = _ids(said("eos_token_id"))
    own_end = tokenizer.eos_token_id
    end = _first(own_end if own_end in ends else None, *ends, own_end)
    start = _first(
        said("decoder_start_token_id") if family is Family.ENCODER_DECODER else None,
        said("bos_token_id"),
        tokenizer.bos_token_id,
        said("pad_token_id") if family is Family.ENCODER_DECODER else end,
    )
    rules, ignored = _rules(settings, family, tuple(i for i in ends if i != end))
    forced_start = rules.forced_start
    if forced_start is None and family is Family.ENCODER_DECODER:
        forced_start = _target_language(tokenizer)
    rules = DecodingRules(**{**rules.__dict__, "forced_start": forced_start})
    return Generation(max(0, start), end, rules, ignored)


def _rules(settings: Any, family: Family, ends: tuple[int, ...]) -> tuple[DecodingRules, tuple[str, ...]]:
    bad = getattr(settings, "bad_words_ids", None) or []
    banned = [words[0] for words in bad if len(words) == 1]
    banned += _ids(getattr(settings, "suppress_tokens", None))
    ignored = [name for name, idle in _OTHERS.items() if getattr(settings, name, None) not in idle]
    ignored += ["bad_words_ids"] if any(len(words) > 1 for words in bad) else []
    least = int(getattr(settings, "min_length", None) or 0)
    if family is Family.DECODER_ONLY and least:  # it counts the prompt as well
        ignored.append("min_length")
        least = 0
    forced_end = _ids(getattr(settings, "forced_eos_token_id", None))
    return (
        DecodingRules(
            banned=tuple(dict.fromkeys(banned)),
            forced_start=_first(*_ids(getattr(settings, "forced_bos_token_id", None)), none=None),
            forced_end=min(forced_end, default=None),
            # `transformers` counts the start token as well.
            min_length=max(0, least - 1, int(getattr(settings, "min_new_tokens", None) or 0)),
            no_repeat_ngram=int(getattr(settings, "no_repeat_ngram_size", None) or 0),
            renormalise=getattr(settings, "renormalize_logits", None) is True,
            ends=ends,
            beam="apart",
        ),
        tuple(ignored),
    )


def _target_language(tokenizer: Any) -> int | None:
    """The token of the language that the tokenizer is set to write."""
    language = getattr(tokenizer, "tgt_lang", None)
    kind = type(tokenizer).__name__.removesuffix("Fast")
    if not isinstance(language, str) or kind not in _TARGET_LANGUAGE_FIRST:
        return None
    if hasattr(tokenizer, "get_lang_id"):
        return int(tokenizer.get_lang_id(language))
    found = tokenizer.convert_tokens_to_ids(language)
    return int(found) if isinstance(found, int) and found != tokenizer.unk_token_id else None


def _ids(value: Any) -> list[int]:
    """Token ids of a setting that is one, several or none."""
    values = value if isinstance(value, list | tuple) else [value]
    return [int(one) for one in values if isinstance(one, int) and not isinstance(one, bool)]


def _first(*values: Any, none: Any = -1) -> Any:
    return next((int(value) for value in values if isinstance(value, int)), none)
