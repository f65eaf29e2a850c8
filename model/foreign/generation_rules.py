"""Generation rules: `generation_config.json` as the rules that decoding carries out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from model.decoding.hub_rules import ids_of, ignored_of, rules_of
from model.folder.decoding_rules import DecodingRules
from model.folder.families import Family
from model.foreign.networks.config_values import embedding_rows, value_of
from model.foreign.tokens.target_language import target_language


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

    rows = embedding_rows(network)
    ends = [token for token in ids_of(said("eos_token_id")) if token < rows]
    own_end = tokenizer.eos_token_id
    end = _first(rows, own_end if own_end in ends else None, *ends, own_end)
    start = _first(
        rows,
        said("decoder_start_token_id") if family is Family.ENCODER_DECODER else None,
        said("bos_token_id"),
        tokenizer.bos_token_id,
        said("pad_token_id") if family is Family.ENCODER_DECODER else end,
    )
    told = {} if settings is None else {**vars(settings), "eos_token_id": ends}
    prompted = family is Family.DECODER_ONLY
    rules = rules_of(told, end, rows, prompted=prompted)
    if rules.forced_start is None and not prompted:
        rules = replace(rules, forced_start=target_language(tokenizer))
    return Generation(max(0, start), end, rules, ignored_of(told))


def _first(rows: int, *values: Any) -> int:
    """The first that is the id of a token; -1 if none is."""
    return next((token for value in values for token in ids_of(value) if token < rows), -1)
