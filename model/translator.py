"""A model ready to translate: checks a text, decodes it, and tells about itself."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from model.alterations import Alteration
from model.bundle import Bundle, load_bundle
from model.bundled import resolve_model
from model.decode_config import DecodeConfig
from model.decoding import DecodeEvent, Decoding, decode_events
from model.files import StrPath, shown
from model.forcing import forced_logprobs
from model.source_check import check_text
from model.tensor_file import well_formed
from model.trace import Floats

_CARD = "README.md"


class Translator:
    """A bundle laid out for decoding. Use it from one thread at a time.

    Attributes:
        limit: most tokens that it can read, the end token included.
    """

    def __init__(self, bundle: Bundle) -> None:
        self.bundle = bundle
        self.limit = bundle.config.architecture.max_positions
        bundle.transformer.lay_out_for_decoding()

    @classmethod
    def load(cls, name_or_path: StrPath) -> Self:
        """Load a bundle by its folder or by the name of a bundled model.

        Raises:
            HeadscopeError: there is no such model, or it cannot be used.
        """
        return cls(load_bundle(resolve_model(name_or_path)))

    def pieces(self, text: str) -> list[str]:
        """Raw pieces of a source text, without the end token that is added to them."""
        return self.bundle.source_tokenizer.pieces(text)

    def check(self, text: str, *, any_script: bool = False) -> None:
        """Refuse a text that cannot be translated.

        Args:
            any_script: let a text pass that is written as the source language never is.

        Raises:
            HeadscopeError: `empty_text`, `too_long`, `language_unread`, `script_unread` or `only_unknown`.
        """
        check_text(self.bundle, text, any_script=any_script)

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
            config: greedy decoding if None.
            any_script: see `check`.
            alterations, branch_from: see `model.decoding.decode_events`.

        Raises:
            HeadscopeError: at once as `check` does; later for a target or prefix that cannot be forced, or
                an alteration that the model or the sentence has no place for.
        """
        config = config or DecodeConfig()
        text = well_formed(text)
        config = config.but(
            prefix=well_formed(config.prefix),
            target=None if config.target is None else well_formed(config.target),
        )
        self.check(text, any_script=any_script)
        return decode_events(self.bundle, text, config, alterations=alterations, branch_from=branch_from)

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
        return forced_logprobs(self.bundle, well_formed(text), out_ids, alterations)

    def positions(self) -> npt.NDArray[np.float32] | None:
        """The positional encoding, float32 [max_positions, d_model], read-only; None for a model without."""
        rows = self.bundle.transformer.positions.rows()
        if rows is None:
            return None
        table: npt.NDArray[np.float32] = rows.numpy(force=True).copy()
        table.flags.writeable = False
        return table

    def card(self) -> str:
        """The text of the model card; empty if there is none that can be read."""
        try:
            return (self.bundle.folder / _CARD).read_text(encoding="utf-8", errors="replace")
        except OSError:
            return ""

    def describe(self) -> dict[str, Any]:
        """What a window says of the model, by the field names of its `ModelInfo`."""
        config = self.bundle.config
        return {
            "path": shown(self.bundle.folder),
            "name": config.name,
            "languages": config.languages,
            "architecture": config.architecture.to_json(),
            "parameters": sum(p.numel() for p in self.bundle.transformer.parameters()),
            "sha256": self.bundle.sha256,
            "showcase": None if config.showcase is None else dataclasses.asdict(config.showcase),
            "positions": self.positions(),
            "card": self.card(),
        }
