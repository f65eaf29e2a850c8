"""`TraceMaker`: dresses decoded ids and patterns with tokens, texts and provenance as a `Trace`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from model.alterations.alteration import Alteration
from model.alterations.registry import all_to_json
from model.decoding.constraints import Forced
from model.decoding.decodable import DecodingModel
from model.decoding.decode_config import DecodeConfig
from model.files.tensor_file import well_formed
from model.read_only import read_only
from model.tokens.words import TokenStyle
from model.trace.trace import Floats, Ids, Patterns, Trace
from model.version import VERSION


@dataclass(frozen=True, eq=False)
class DecodedPath:
    """The steps of one hypothesis as numbers; T rows, those of a prompt included, K candidates.

    Attributes:
        out_ids: produced tokens, the end token included; nothing of a prompt.
        step_logprob: [T].
        candidate_ids, candidate_logprobs: [T, K].
        step_rank: [T].
        candidate_drawn, drawn_count: [T, K] and [T] when sampling, else None.
        forced: which rules decided about a token.
        copy_share: [T] where words are copied, else None.
        score: of the hypothesis, where it is not the sum of the log probabilities that no rule forced.
    """

    patterns: Patterns
    out_ids: tuple[int, ...]
    step_logprob: Floats
    candidate_ids: Ids
    candidate_logprobs: Floats
    step_rank: Ids
    candidate_drawn: Floats | None = None
    drawn_count: Ids | None = None
    forced: tuple[Forced, ...] = ()
    score: float | None = None
    copy_share: Floats | None = None


class TraceMaker:
    """What all traces of one decoding have in common.

    Args:
        source: ids of `text` with its specials, in the order in which the encoder reads them; empty without
            an encoder.
        given: what the decoder is given to read first: the start token, or `text` as a prompt.
        alterations: what is changed in the model's computation.
    """

    def __init__(
        self,
        model: DecodingModel,
        text: str,
        source: Sequence[int],
        given: Sequence[int],
        config: DecodeConfig,
        alterations: tuple[Alteration, ...] = (),
    ) -> None:
        self.config = config
        self._target = model.target_tokenizer
        self._given = tuple(given)
        self._rows: dict[bytes, tuple[str, ...]] = {}
        self._names: dict[int, str] = {}
        self._decoding = config.to_json()
        if config.mode == "beam" and model.rules.beam != "places":
            self._decoding["beam_rule"] = model.rules.beam
        piece = model.source_tokenizer.piece
        self._common: dict[str, Any] = {
            "src_text": well_formed(text) if source else "",
            "src_tokens": tuple(piece(i) for i in source),
            "src_ids": read_only(np.array(source, np.int64)),
            "model_name": model.name,
            "model_sha256": model.sha256,
            "alterations": all_to_json(alterations),
            "compute_dtype": str(model.transformer.dtype).removeprefix("torch."),
            "seed": config.seed if config.mode == "sample" else None,
            "created_by": f"headscope {VERSION}",
            "extra": _extra(model, None if source else (text, len(given))),
        }

    def trace(self, path: DecodedPath, *, finished: bool) -> Trace:
        """The trace of `path`; `finished` when it ends with an end token."""
        # While a prompt is being read there are fewer rows than its tokens.
        tokens = (*self._given, *path.out_ids)[: len(path.step_logprob) + 1]
        names = tuple(map(self._name, tokens))
        ids = np.array(tokens, np.int64)
        return Trace(
            patterns=path.patterns,
            tgt_text=self._target.decode(path.out_ids),
            decoding={
                **self._decoding,
                **dict.fromkeys(path.forced, True),
                **({} if path.score is None else {"score": path.score}),
            },
            tgt_in_tokens=names[:-1],
            tgt_out_tokens=names[1:],
            tgt_in_ids=read_only(ids[:-1]),
            tgt_out_ids=read_only(ids[1:]),
            step_logprob=read_only(path.step_logprob),
            candidate_ids=read_only(path.candidate_ids),
            candidate_logprobs=read_only(path.candidate_logprobs),
            candidate_tokens=tuple(map(self._pieces, path.candidate_ids)),
            step_rank=read_only(path.step_rank),
            candidate_drawn=None if path.candidate_drawn is None else read_only(path.candidate_drawn),
            drawn_count=None if path.drawn_count is None else read_only(path.drawn_count),
            copy_share=None if path.copy_share is None else read_only(path.copy_share),
            finished=finished,
            **self._common,
        )

    def _name(self, token: int) -> str:
        """Piece of a token; each event tells all so far, so they are kept."""
        name = self._names.get(token)
        if name is None:
            name = self._names[token] = self._target.piece(token)
        return name

    def _pieces(self, ids: Ids) -> tuple[str, ...]:
        """Pieces of a row of candidates; each event tells all rows so far, so they are kept."""
        key = ids.tobytes()
        pieces = self._rows.get(key)
        if pieces is None:
            pieces = self._rows[key] = tuple(map(self._name, ids.tolist()))
        return pieces


def _extra(model: DecodingModel, prompt: tuple[str, int] | None) -> dict[str, str]:
    """The header's further entries; a prompt is told by its text and number of tokens."""
    extra = {}
    style = model.target_tokenizer.style
    if style is not TokenStyle.SENTENCEPIECE:
        extra["token_style"] = str(style)
    if prompt is not None:
        text, length = prompt
        extra |= {"prompt_length": str(length), "prompt_text": well_formed(text)}
    if not model.verified:
        extra["verified"] = "false"
    return extra
