"""Models by extension: what a loader of another package opens, as the rest of the library sees it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import numpy as np

from model.alterations.alteration import Alteration
from model.bundle.bundle import Bundle
from model.errors import HeadscopeError
from model.extensions.found import Extension
from model.extensions.kinds import ReadingModel
from model.extensions.troubles import Refused, failed
from model.files.tensor_file import well_formed
from model.folder.decoding_rules import NO_RULES
from model.folder.families import Family
from model.foreign.foreign_model import ForeignModel
from model.positions.position_facts import NoPositions
from model.recording.inputs import RecordingInputs
from model.recording.trace_maker import trace_of
from model.tokens.token_style import TokenStyle
from model.trace.trace import ArrayPatterns, AttentionKind, Trace

_ENCODER = AttentionKind.ENCODER_SELF
_LIMIT = 4096
"""Most tokens of a text."""
_SAMPLE = "The little girl reads."
"""Read once, to see how many layers and heads there are."""

T = TypeVar("T")


def load_by_extension(folder: Path, loader: Extension) -> Bundle | ForeignModel:
    """The model in a folder that a loader recognises.

    Raises:
        HeadscopeError: `extension_failed`.
    """
    loaded = _tried(loader, lambda: loader.thing.load(folder))
    if isinstance(loaded, Bundle | ForeignModel):
        return loaded
    for name in ("pieces", "attention"):
        if not callable(getattr(loaded, name, None)):
            raise failed(loader.name, loader.package, Refused(f"what it loads has no method {name}"))
    called = getattr(loaded, "name", None)
    if not isinstance(called, str) or not called.strip() or not called.isprintable():
        raise failed(loader.name, loader.package, Refused("what it loads has no name"))
    return _reading(folder, loader, loaded)


def _reading(folder: Path, loader: Extension, model: ReadingModel) -> ForeignModel:
    tokenizer = PieceTokenizer(lambda text: _tried(loader, lambda: _pieces(model, text)))

    def read(text: str, candidates: int, alterations: tuple[Alteration, ...] = ()) -> Trace:
        if alterations:
            raise HeadscopeError("source_cannot", name=model.name)
        text = well_formed(text)
        pieces = tokenizer.pieces(text)
        trace = _tried(loader, lambda: _trace(model, text, pieces))
        return replace(trace, src_ids=np.array(tokenizer.encode(text), np.int64))

    tried = read(_SAMPLE, 0)
    return ForeignModel(
        folder=folder,
        name=model.name,
        languages=("und", "und"),
        family=Family.ENCODER_ONLY,
        verified=False,
        architecture={
            "model_type": loader.name,
            "encoder_layers": tried.layers(_ENCODER),
            "n_heads": tried.heads(_ENCODER),
            "source_vocab": 0,
            "target_vocab": 0,
        },
        parameters=0,
        sha256="",
        source_tokenizer=tokenizer,
        target_tokenizer=tokenizer,
        source_limit=_LIMIT,
        target_limit=_LIMIT,
        rules=NO_RULES,
        positions=(NoPositions(),),
        read=read,
    )


def _pieces(model: ReadingModel, text: str) -> list[str]:
    pieces = list(model.pieces(text))
    if not all(isinstance(piece, str) for piece in pieces):
        raise Refused("its pieces are not texts")
    return list(map(well_formed, pieces))


def _trace(model: ReadingModel, text: str, pieces: list[str]) -> Trace:
    given = RecordingInputs(
        attentions={str(_ENCODER): model.attention(tuple(pieces))},
        tokens=pieces,
        text=text,
        model_name=model.name,
    )
    trace = trace_of(given)
    # Read now, whole: its rows are looked at as they are read, and this is where to say whose they are.
    layers = [trace.patterns.layer(_ENCODER, layer) for layer in range(trace.layers(_ENCODER))]
    return replace(trace, patterns=ArrayPatterns({_ENCODER: np.stack(layers)}))


def _tried(loader: Extension, work: Callable[[], T]) -> T:
    try:
        return work()
    except (Exception, SystemExit) as error:  # whatever another's code does
        reason = Refused(str(error)) if isinstance(error, HeadscopeError) else error
        raise failed(loader.name, loader.package, reason) from error


class PieceTokenizer:
    """Pieces that somebody else cuts, numbered as they come; see `model.tokens.tokenizer.Tokenizer`."""

    pad_id, unk_id, start_id, end_id = -1, -2, -3, -4
    has_bytes = False
    style = TokenStyle.SENTENCEPIECE

    def __init__(self, cut: Callable[[str], list[str]]) -> None:
        self._cut = cut
        self._ids: dict[str, int] = {}
        self._names: list[str] = []

    @property
    def vocab_size(self) -> int:
        """Pieces seen so far."""
        return len(self._names)

    def encode(self, text: str) -> list[int]:
        """Ids of a text's pieces."""
        return list(map(self._id, self.pieces(text)))

    def source_ids(self, text: str) -> list[int]:
        """The same: specials, if any, are among the pieces."""
        return self.encode(text)

    def target_ids(self, text: str) -> list[int]:
        """The same."""
        return self.encode(text)

    def encode_continuation(self, text: str, *, first: bool = False) -> list[int]:
        """The same."""
        return self.encode(text)

    def pieces(self, text: str) -> list[str]:
        """The pieces of a text; nothing is cut where there is none."""
        return self._cut(text) if text.strip() else []

    def decode(self, ids: Sequence[int]) -> str:
        """The pieces, one behind the other."""
        return " ".join(map(self.piece, ids))

    def piece(self, token_id: int) -> str:
        """A piece by its id."""
        return self._names[token_id] if 0 <= token_id < len(self._names) else ""

    def is_special(self, token_id: int) -> bool:
        """Nobody says which are."""
        return False

    def is_byte(self, token_id: int) -> bool:
        """None stands for a part of a character."""
        return False

    def _id(self, piece: str) -> int:
        if piece not in self._ids:
            self._ids[piece] = len(self._names)
            self._names.append(piece)
        return self._ids[piece]
