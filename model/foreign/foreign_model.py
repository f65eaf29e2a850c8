"""`ForeignModel`: a model that `transformers` runs, as the rest of the library sees it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from model.alterations.alteration import Alteration
from model.alterations.outline import Outline
from model.decoding.decodable import Decodable
from model.errors import HeadscopeError
from model.folder.decoding_rules import DecodingRules
from model.folder.families import Family
from model.foreign.inside.inside import Inside
from model.positions.position_facts import PositionFacts
from model.tokens.tokenizer import Tokenizer
from model.trace.trace import Trace


class Read(Protocol):
    """How a model that does not write reads."""

    def __call__(self, text: str, candidates: int, alterations: tuple[Alteration, ...] = ()) -> Trace:
        """Read a text (or a pair) at once, with so many candidates at each token."""


@dataclass(frozen=True, eq=False)
class ForeignModel:
    """A loaded model; a `model.decoding.decodable.DecodingModel` unless it only reads.

    Attributes:
        family: which stacks it has.
        verified: whether our pictures of this architecture are proven against `transformers`' own output.
        architecture: what `describe` says of it: `model_type`, `encoder_layers`, `decoder_layers`, `n_heads`
            (of the encoder, or the decoder without one), `positions` (learned, sinusoidal, rotary, relative,
            none, unknown), `source_vocab`, `target_vocab`; `positions_stored` of sinusoids that are a table
            among the weights; as far as it is known `d_model`, `d_ff`, `activation`, `norm`;
            `decoder_heads` and `decoder_d_ff` where they differ, `kv_heads` where queries are grouped,
            `head_width` where heads are not as wide as d_model shared out, `scale_embedding` where embeddings
            are multiplied by sqrt(d_model);
            `ignored_rules`, the settings of `generation_config.json` that are not carried out; of models that
            only read `mask_token`, `separator_token`, and `classes` (their names) and `class_rule` or
            `unshown_head` (its class) where there is a head on top.
        network: how it is decoded; None of a model that only reads.
        read: how it reads; None of a model that is decoded.
        inside: its modules, where they are known and tried: it can be looked into and changed then.
        outline: what there is to be changed; None where nothing can be.
        twin: makes the same with random weights by a seed, to compare its heads with.
        sha256: of the bytes of its files of weights, in the order of their names.
    """

    folder: Path
    name: str
    languages: tuple[str, str]
    family: Family
    verified: bool
    architecture: dict[str, Any]
    parameters: int
    sha256: str
    source_tokenizer: Tokenizer
    target_tokenizer: Tokenizer
    source_limit: int
    target_limit: int
    rules: DecodingRules
    positions: tuple[PositionFacts, ...]
    network: Decodable | None = None
    read: Read | None = None
    inside: Inside | None = None
    outline: Outline | None = None
    twin: Callable[[int], ForeignModel] | None = None

    @property
    def transformer(self) -> Decodable:
        """How it is decoded.

        Raises:
            HeadscopeError: `model_only_reads`.
        """
        if self.network is None:
            raise HeadscopeError("model_only_reads", name=self.name)
        return self.network
