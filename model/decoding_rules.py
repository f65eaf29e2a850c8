"""What besides probability decides which token a model produces (`generation_config.json`). No torch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

BeamRule = Literal["places", "apart"]


@dataclass(frozen=True, kw_only=True)
class DecodingRules:
    """Rules that narrow the choice of tokens. Recorded probabilities stay those of the unfiltered softmax.

    Attributes:
        banned: tokens never produced (Marian's padding).
        forced_start: the first token produced, whatever is likelier (BART's `forced_bos_token_id`).
        forced_end: the last token that the length limit allows is this one; it counts 0 in a hypothesis'
            score, as in `transformers`.
        min_length: tokens produced, the end token not counted, before an end token may be.
        no_repeat_ngram: no run of so many tokens is produced twice; 0 allows all.
        renormalise: in a beam search, hypotheses are scored by probabilities among the tokens that the rules
            leave (`renormalize_logits`), not among all.
        ends: further tokens that end a decoding besides the tokenizer's end token.
        beam: what becomes of finished hypotheses. `places`: they give up their place in the beam
            (Sutskever et al. 2014). `apart`: they are kept beside it, as wide as ever, as in `transformers`.
    """

    banned: tuple[int, ...] = ()
    forced_start: int | None = None
    forced_end: int | None = None
    min_length: int = 0
    no_repeat_ngram: int = 0
    renormalise: bool = False
    ends: tuple[int, ...] = ()
    beam: BeamRule = "places"


NO_RULES = DecodingRules()
"""The most probable token is produced, whatever it is."""
