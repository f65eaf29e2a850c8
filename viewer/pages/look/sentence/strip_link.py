"""The strips of source pieces and of the output, linked with what the pointer is on in other views."""

from __future__ import annotations

from PySide6.QtCore import QObject

from model.trace.trace import AttentionKind, Trace
from viewer.document.document import Run
from viewer.document.hover import Hovered
from viewer.document.session import Session
from viewer.document.text.input_text import given_steps, input_text, input_tokens
from viewer.document.text.token_text import TokenText, token_texts
from viewer.pages.widgets.token_strip import TokenStrip


class StripLink(QObject):
    """Writes what the pointer is on in the two strips, and lights there what it is on elsewhere."""

    def __init__(self, session: Session, pieces: TokenStrip, output: TokenStrip, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._pieces = pieces
        self._output = output
        pieces.pointed.connect(self._piece_pointed)
        output.pointed.connect(self._chip_pointed)
        session.hover.changed.connect(self.refresh)

    def refresh(self) -> None:
        """Light the chips of the tokens that the pointer is on."""
        at, run = self._session.hover.at, self._session.run()
        source: frozenset[int] = frozenset()
        target: frozenset[int] = frozenset()
        if at is not None and run is not None and at.run == run.id:
            source, target = source_tokens(at), target_tokens(at, run.trace)
            given = given_steps(run.trace)
            if run.trace.prompt_length:
                source = prompt_tokens(at, run.trace)
            target = frozenset(step - given for step in target if step >= given)
        lit = (
            frozenset(chip for chip, token in enumerate(self.places()) if token in source)
            if source
            else source
        )
        self._pieces.light(lit)
        self._output.light(target)

    def places(self) -> tuple[int, ...]:
        """Which source (or prompt) token of the active pane's run each chip is; empty where they are of
        another text.
        """
        run = self._session.run()
        if run is None or input_text(run.trace) != self._session.text:
            return ()
        trace, raw = run.trace, self._session.view.raw_pieces
        tokens = token_texts(input_tokens(trace), raw=raw, style=trace.token_style)
        places = tuple(place for place, token in enumerate(tokens) if has_chip(token))
        return places if len(places) == len(self._pieces.chips) else ()

    def _piece_pointed(self, chip: int) -> None:
        run, places = self._session.run(), self.places()
        if run is None or not 0 <= chip < len(places):
            self._session.hover.set(None)
            return
        kind = _with(run, AttentionKind.CROSS, AttentionKind.ENCODER_SELF)
        if run.trace.prompt_length:
            kind = _with(run, AttentionKind.DECODER_SELF)
        at = None if kind is None else Hovered(run.id, kind, key=places[chip])
        self._session.hover.set(at)

    def _chip_pointed(self, chip: int) -> None:
        run = self._session.run()
        step = -1 if run is None or chip < 0 else chip + given_steps(run.trace)
        if run is None or not 0 <= step < run.trace.steps:
            self._session.hover.set(None)
            return
        kind = _with(run, AttentionKind.CROSS, AttentionKind.DECODER_SELF)
        self._session.hover.set(None if kind is None else Hovered(run.id, kind, query=step))


def has_chip(token: TokenText) -> bool:
    """Whether the strip of source pieces shows a token: no end sign, no further bytes of a character."""
    return (not token.special or token.masked) and token.part == 0


def source_tokens(at: Hovered) -> frozenset[int]:
    """Source tokens that the pointer is on."""
    tokens: list[int | None] = []
    if at.kind is AttentionKind.ENCODER_SELF:
        tokens = [at.query, at.key]
    elif at.kind is AttentionKind.CROSS:
        tokens = [at.key]
    return frozenset(token for token in tokens if token is not None)


def prompt_tokens(at: Hovered, trace: Trace) -> frozenset[int]:
    """Prompt tokens that the pointer is on: as keys, and as what a row reads."""
    tokens = [at.query, at.key] if at.kind is AttentionKind.DECODER_SELF else []
    return frozenset(token for token in tokens if token is not None and token < trace.prompt_length)


def target_tokens(at: Hovered, trace: Trace) -> frozenset[int]:
    """Target tokens that the pointer is on, by the step that predicts them.

    A decoder's key is a token that is read: the one that the step before predicted.
    """
    if at.kind is AttentionKind.ENCODER_SELF:
        return frozenset()
    tokens = [] if at.query is None else [at.query]
    follows = trace.tgt_in_tokens[1:] == trace.tgt_out_tokens[:-1]
    if at.kind is AttentionKind.DECODER_SELF and at.key is not None and follows and at.key > 0:
        tokens.append(at.key - 1)
    return frozenset(tokens)


def _with(run: Run, *kinds: AttentionKind) -> AttentionKind | None:
    """The first of some kinds that a run has."""
    return next((kind for kind in kinds if kind in run.trace.kinds), None)
