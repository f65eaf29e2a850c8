"""Decoding rules (`generation_config.json`): what besides probability decides about a token. No torch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

BeamRule = Literal["places", "apart"]
EarlyStopping = bool | Literal["never"]


@dataclass(frozen=True, kw_only=True)
class DecodingRules:
    """Rules that narrow the choice of tokens. Recorded probabilities stay those of the unfiltered softmax.

    Attributes:
        banned: tokens never produced (Marian's padding).
        banned_first: tokens that are not the first produced; behind a forced start not the second.
        banned_runs: runs of two or more tokens that are never completed.
        forced_start: the first token produced, whatever is likelier (BART's `forced_bos_token_id`), unless a
            prompt of more than one token was read, as in `transformers`.
        forced_end: the last token that the length limit allows is this one; it counts 0 in a hypothesis'
            score, as in `transformers`.
        min_length: tokens produced, the end token not counted, before an end token may be.
        min_total: tokens that the decoder has read or produced, a prompt among them, before an end token.
        no_repeat_ngram: no run of so many tokens is produced twice; 0 allows all.
        no_source_ngram: no run of so many tokens of the source is produced; 0 allows all.
        repetition_penalty: what the logit of each token that the decoder has read or produced is divided by
            where it is positive, and multiplied by where it is negative (after Keskar et al. 2019, section
            4.1); in a beam search its log probability, as in `transformers`. 1 changes nothing.
        renormalise: in a beam search, hypotheses are scored by probabilities among the tokens that the rules
            leave (`renormalize_logits`), not among all.
        ends: further tokens that end a decoding besides the tokenizer's end token.
        beam: what becomes of finished hypotheses. `places`: they give up their place in the beam
            (Sutskever et al. 2014). `apart`: they are kept beside it, as wide as ever, as in `transformers`.
        early_stopping: when a search `apart` is over; see `model.decoding.beam_rules.Apart`.
    """

    banned: tuple[int, ...] = ()
    banned_first: tuple[int, ...] = ()
    banned_runs: tuple[tuple[int, ...], ...] = ()
    forced_start: int | None = None
    forced_end: int | None = None
    min_length: int = 0
    min_total: int = 0
    no_repeat_ngram: int = 0
    no_source_ngram: int = 0
    repetition_penalty: float = 1.0
    renormalise: bool = False
    ends: tuple[int, ...] = ()
    beam: BeamRule = "places"
    early_stopping: EarlyStopping = False


NO_RULES = DecodingRules()
"""The most probable token is produced, whatever it is."""
