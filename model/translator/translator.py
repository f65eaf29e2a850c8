"""`Translator`: a model ready to translate, which checks a text, decodes it, and tells about itself."""

from __future__ import annotations

import dataclasses
from collections.abc import Generator, Iterator, Sequence
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from model.abilities import ALL_ABILITIES, ROUND_ABILITIES, Ability
from model.alterations.alteration import Alteration
from model.bundle.bundle import Bundle
from model.decoding.decode_config import DecodeConfig
from model.decoding.decoding import DecodeEvent, Decoding, decode_events, usual_config
from model.decoding.forcing import forced_logprobs
from model.errors import HeadscopeError
from model.files.files import StrPath, shown
from model.files.tensor_file import well_formed
from model.folder.card import CARD, CARD_ZH, read_card
from model.folder.families import Family
from model.foreign.foreign_model import ForeignModel
from model.network.position_facts import facts_of
from model.positions.position_facts import PositionFacts, TablePositions
from model.trace.trace import Floats, Trace
from model.translator.load_model import Loaded, loading_steps
from model.translator.source_check import check_text
from model.work import result_of


class Translator:
    """A model ready for use, ours or another. Use it from one thread at a time.

    Attributes:
        model: what is loaded.
        limit: most tokens that it can read, specials included.
    """

    def __init__(self, model: Bundle | ForeignModel) -> None:
        self.model = model
        self.limit = model.source_limit
        self._facts: tuple[PositionFacts, ...] | None = None
        if isinstance(model, Bundle):
            model.transformer.lay_out_for_decoding()

    @property
    def writes(self) -> bool:
        """Whether it produces tokens; one that does not reads a text at once."""
        return isinstance(self.model, Bundle) or self.model.family is not Family.ENCODER_ONLY

    @property
    def translates(self) -> bool:
        """Whether an encoder reads the text and a decoder writes another."""
        return isinstance(self.model, Bundle) or self.model.family is Family.ENCODER_DECODER

    @property
    def bundle(self) -> Bundle:
        """The model if it is our own Transformer, whose computation can be looked into and changed.

        Raises:
            HeadscopeError: `source_cannot`: it is another's.
        """
        if not isinstance(self.model, Bundle):
            raise HeadscopeError("source_cannot", name=self.model.name)
        return self.model

    @classmethod
    def load(cls, name_or_path: StrPath) -> Self:
        """Load a model by its folder or by the name of a bundled one.

        Raises:
            HeadscopeError: there is no such model, or it cannot be used.
        """
        return result_of(cls.loading(name_or_path))

    @classmethod
    def loading(cls, name_or_path: StrPath) -> Generator[Loaded, None, Self]:
        """The same, saying how far it is and to be left at every yield; see `model.translator.load_model`."""
        return cls((yield from loading_steps(name_or_path)))

    def pieces(self, text: str) -> list[str]:
        """Raw pieces of a source text, without the end token that is added to them."""
        return self.model.source_tokenizer.pieces(text)

    def check(self, text: str, *, any_script: bool = False) -> None:
        """Refuse a text that cannot be translated.

        Args:
            any_script: let a text pass that is written as the source language never is.

        Raises:
            HeadscopeError: `empty_text`, `too_long`, `language_unread`, `script_unread` or `only_unknown`.
        """
        check_text(self.model, text, any_script=any_script)

    def decode(
        self,
        text: str,
        config: DecodeConfig | None = None,
        *,
        any_script: bool = False,
        alterations: tuple[Alteration, ...] = (),
        branch_from: Decoding | None = None,
    ) -> Iterator[DecodeEvent]:
        """Translate `text`: an event once it is read and one after every token.

        Args:
            config: greedy decoding, or in rounds, if None.
            any_script: see `check`.
            alterations, branch_from: see `model.decoding.decoding.decode_events`.

        Raises:
            HeadscopeError: at once as `check` does, and `model_only_reads` for a target or prefix of a model
                that writes nothing; later for a target or prefix that cannot be forced, or an alteration
                that the model or the sentence has no place for.
        """
        config = config or usual_config(self.model)
        text = well_formed(text)
        config = config.but(
            prefix=well_formed(config.prefix),
            target=None if config.target is None else well_formed(config.target),
        )
        self.check(text, any_script=any_script)
        if isinstance(self.model, ForeignModel) and self.model.read is not None:
            if config.mode == "forced" or config.prefix or config.prefix_ids:
                raise HeadscopeError("model_only_reads", name=self.model.name)
            return iter((DecodeEvent(_read(self.model, text, config.candidates, alterations), "end"),))
        if config.mode == "read":  # which is how others' traces were made
            config = config.but(mode=usual_config(self.model).mode)
        return decode_events(self.model, text, config, alterations=alterations, branch_from=branch_from)

    def forced_logprobs(
        self, text: str, out_ids: Sequence[int], alterations: tuple[Alteration, ...] = ()
    ) -> Floats:
        """What the model, changed by `alterations`, thinks of a translation it need not have made.

        Args:
            text: already checked.
            out_ids: T tokens of the target, the end token included if it has one.

        Returns:
            Natural log probability of each token after those before it, float32 [T].

        Raises:
            HeadscopeError: as for a forced target or an alteration in `decode`.
        """
        return forced_logprobs(self.model, well_formed(text), out_ids, alterations)

    def positions(self) -> npt.NDArray[np.float32] | None:
        """The encoding that both stacks add, float32 [max_positions, d_model], read-only; else None."""
        facts = self.position_facts()
        shared = [one.rows for one in facts if isinstance(one, TablePositions) and one.stack == "both"]
        return shared[0] if shared else None

    def position_facts(self) -> tuple[PositionFacts, ...]:
        """What the model knows of positions, as what it is."""
        if not isinstance(self.model, Bundle):
            return self.model.positions
        if self._facts is None:
            self._facts = facts_of(self.model.transformer)
        return self._facts

    def card(self, name: str = CARD) -> str:
        """The text of the model card; empty if there is none that can be read."""
        return read_card(self.model.folder, name)

    def describe(self) -> dict[str, Any]:
        """What a window says of the model, by the field names of its `ModelInfo`."""
        return {
            **(_of_bundle(self.model) if isinstance(self.model, Bundle) else _of_foreign(self.model)),
            "path": shown(self.model.folder),
            "name": self.model.name,
            "sha256": self.model.sha256,
            "positions": self.positions(),
            "position_facts": self.position_facts(),
            "card": self.card(),
            "card_zh": self.card(CARD_ZH),
            "token_style": self.model.source_tokenizer.style,
        }


def _read(model: ForeignModel, text: str, candidates: int, alterations: tuple[Alteration, ...]) -> Trace:
    """What a model that only reads makes of a text; one whose kind is not proven says so."""
    assert model.read is not None
    trace = model.read(text, candidates, alterations)
    if model.verified:
        return trace
    return dataclasses.replace(trace, extra={**trace.extra, "verified": "false"})


def _of_bundle(bundle: Bundle) -> dict[str, Any]:
    config = bundle.config
    return {
        "languages": config.languages,
        "architecture": config.architecture.to_json(),
        "parameters": sum(p.numel() for p in bundle.transformer.parameters()),
        "showcase": None if config.showcase is None else dataclasses.asdict(config.showcase),
        "model_type": bundle.model_type,
        "family": str(Family.ENCODER_DECODER),
        "verified": True,
        "can": ROUND_ABILITIES if config.architecture.in_rounds else ALL_ABILITIES,
    }


def _of_foreign(model: ForeignModel) -> dict[str, Any]:
    can: tuple[Ability, ...] = (Ability.WRITE,) if model.family is not Family.ENCODER_ONLY else ()
    if model.read is not None and model.architecture.get("mask_token"):
        can = (Ability.FILL,)
    if model.inside is not None:
        can = (*can, Ability.ALTER, Ability.ANSWER)
        if model.read is None:
            can = (*can, Ability.MEASURE, Ability.CARRY)
    return {
        "languages": model.languages,
        "architecture": model.architecture,
        "parameters": model.parameters,
        "showcase": None,
        "model_type": str(model.architecture.get("model_type", "")),
        "family": str(model.family),
        "verified": model.verified,
        "can": frozenset(can),
    }
