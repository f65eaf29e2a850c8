"""Reading with an encoder alone: one pass over a text, or over a pair of sentences.

Shapes: S tokens, L layers, H heads, V vocabulary, K candidates.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any, Protocol

import numpy as np
import torch
from torch import Tensor

from model.alterations.alteration import Alteration
from model.alterations.outline import Outline
from model.alterations.registry import all_to_json
from model.decoding.altering import Altering
from model.decoding.candidates import top_candidates
from model.errors import HeadscopeError, is_out_of_memory
from model.files.tensor_file import well_formed
from model.folder.families import MASKED_WORDS
from model.foreign.classes import Classes
from model.foreign.foreign_model import Read
from model.foreign.inside.inside import Inside
from model.foreign.networks.config_values import value_of
from model.foreign.networks.pattern_check import PatternCheck
from model.network.attention import AttentionSite
from model.read_only import read_only
from model.tokens.tokenizer import Tokenizer
from model.trace.attention_shape import AttentionShape
from model.trace.trace import ArrayPatterns, AttentionKind, Floats, Trace
from model.version import VERSION

_LONGEST_REASON = 200


class PairTokenizer(Tokenizer, Protocol):
    """A tokenizer of a model that reads one sentence or two."""

    def pair(self, text: str) -> tuple[list[int], list[int]]:
        """Ids of a text with the specials around it, and which sentence of a pair each is of, from 0.

        A text with the tokenizer's own separator typed in it is a pair.
        """


def reader(
    network: Any,
    tokenizer: PairTokenizer,
    *,
    name: str = "",
    sha256: str = "",
    mask: str = "",
    limit: int | None = None,
    classes: Classes | None = None,
    inside: Inside | None = None,
) -> Read:
    """How an encoder of `transformers` reads.

    Args:
        network: loaded with eager attention, in evaluation mode.
        name, sha256: of the model, for the trace.
        mask: the piece that hides a word, such as `[MASK]`; empty where the tokenizer has none.
        limit: most tokens that it can read, specials included; None if nobody knows.
        classes: what the network sorts texts into, if it does.
        inside: its modules, where they are known; it can be changed then.

    Returns:
        A function of a text (already checked, see `source_check`), K and alterations: the trace, whose
        candidates are there if the network says what stands at masked words. Of each token at least one is
        recorded. It raises `HeadscopeError`: `too_long`; `source_cannot` or `others_cannot_be`: it cannot be
        changed, or not so, or there is no place for an alteration; `network_failed`: `transformers` cannot
        run the network; `model_overflow`: its numbers are none; and as `PatternCheck`.
    """
    check = PatternCheck(str(getattr(network.config, "model_type", name)), every_row=True)
    masked_words = type(network).__name__.endswith(MASKED_WORDS)

    def read(text: str, candidates: int, alterations: tuple[Alteration, ...] = ()) -> Trace:
        text = well_formed(text)
        ids, segments = tokenizer.pair(text)
        if limit is not None and len(ids) > limit:
            raise HeadscopeError("too_long", tokens=len(ids), limit=limit)
        altering = _altering(alterations, inside, network, name, len(ids)) if alterations else None
        tap = _Tap(altering)
        with nullcontext() if inside is None or altering is None else inside.tapped(tap):
            output = _pass(network, ids, segments, check.model_type, altering)
        said = _said(tokenizer, output.logits[0], ids, max(1, candidates)) if masked_words else {}
        extra = {"token_style": str(tokenizer.style)} | (
            {"mask_token": mask} if masked_words and mask else {}
        )
        count = {"candidates": max(1, candidates)} if masked_words else {}
        if classes is not None:
            said = _sorted_into(output.logits[0], classes)
            extra["class_rule"] = classes.rule
        return Trace(
            patterns=_patterns(output, len(ids), check) if altering is None else tap.patterns(),
            alterations=all_to_json(alterations),
            src_text=text,
            src_tokens=tuple(map(tokenizer.piece, ids)),
            src_ids=read_only(np.array(ids, np.int64)),
            src_segments=read_only(np.array(segments, np.int64)),
            model_name=name,
            model_sha256=sha256,
            decoding={"mode": "read", **count},
            compute_dtype=str(network.dtype).removeprefix("torch."),
            created_by=f"headscope {VERSION}",
            extra=extra,
            **_NO_TARGET,
            **said,
        )

    return read


_NO_TARGET: dict[str, Any] = {
    "tgt_text": "",
    "tgt_in_tokens": (),
    "tgt_out_tokens": (),
    "tgt_in_ids": np.zeros(0, np.int64),
    "tgt_out_ids": np.zeros(0, np.int64),
    "step_logprob": np.zeros(0, np.float32),
    "candidate_ids": np.zeros((0, 0), np.int64),
    "candidate_logprobs": np.zeros((0, 0), np.float32),
    "candidate_tokens": (),
}


class _Tap:
    """Carries changes out, and keeps what there is to be shown: rows as they are set."""

    def __init__(self, altering: Altering | None) -> None:
        self._altering = altering
        self._shown: list[Tensor] = []

    def __call__(self, site: AttentionSite, pattern: Tensor) -> Tensor | None:
        """See `model.network.attention.Tap`."""
        assert self._altering is not None
        self._shown.append(self._altering.shown(site, pattern))
        return self._altering.scaled(site, self._shown[-1])

    def patterns(self) -> ArrayPatterns:
        """[L, H, S, S] of all layers."""
        weights: Floats = torch.cat(self._shown).float().numpy(force=True)
        return ArrayPatterns({AttentionKind.ENCODER_SELF: weights})


def _altering(
    alterations: tuple[Alteration, ...], inside: Inside | None, network: Any, name: str, tokens: int
) -> Altering:
    if inside is None:
        raise HeadscopeError("source_cannot", name=name)
    if not all(change.by_hooks for change in alterations):
        raise HeadscopeError("others_cannot_be", name=name)
    layers, heads = len(inside.sites), int(value_of(network.config, "num_attention_heads", "n_heads"))
    outline = Outline(AttentionShape(layers, heads, 0, 0, cross=False), tokens)
    return Altering(alterations, outline, source_length=tokens, device=network.device)


@torch.inference_mode()
def _pass(
    network: Any, ids: Sequence[int], segments: Sequence[int], model_type: str, altering: Altering | None
) -> Any:
    """What the network makes of the tokens, its patterns among it."""
    given: dict[str, Tensor] = {"input_ids": torch.tensor([ids], device=network.device)}
    given["attention_mask"] = torch.ones_like(given["input_ids"])
    if altering is not None and altering.source_mask is not None:
        given["attention_mask"] = altering.source_mask.long()
    # Some know no segments, and some (RoBERTa) have a table of one row: all tokens are of the first there.
    if "token_type_ids" in inspect.signature(network.forward).parameters:
        most = max(1, int(getattr(network.config, "type_vocab_size", 0) or 1))
        kinds = segments if max(segments) < most else [0] * len(ids)
        given["token_type_ids"] = torch.tensor([kinds], device=network.device)
    try:
        return network(**given, output_attentions=True, return_dict=True)
    except Exception as error:  # whatever an architecture that nobody has tried raises
        if is_out_of_memory(error):
            raise
        reason = " ".join(str(error).split())[:_LONGEST_REASON] or type(error).__name__
        raise HeadscopeError("network_failed", model_type=model_type, reason=reason) from error


def _patterns(output: Any, tokens: int, check: PatternCheck) -> ArrayPatterns:
    """Every head of every layer as the softmax left it, [L, H, S, S]."""
    attentions = getattr(output, "attentions", None)
    if any(isinstance(layer, Tensor) and not bool(layer.isfinite().all()) for layer in attentions or ()):
        raise HeadscopeError("model_overflow")
    layers = check.patterns(attentions, batch=1, queries=tokens, keys=tokens)
    weights: Floats = torch.cat(layers).numpy(force=True)
    return ArrayPatterns({AttentionKind.ENCODER_SELF: weights})


def _said(tokenizer: Tokenizer, logits: Tensor, ids: Sequence[int], candidates: int) -> dict[str, Any]:
    """What the network thinks of each place, by the field names of `Trace`; logits [S, V]."""
    logits = logits.float()
    best = top_candidates(logits, candidates)
    here = torch.tensor(ids, device=logits.device)[:, None]
    own = logits.gather(1, here)
    # Equal ones by ascending id, as the candidates are.
    before = torch.arange(logits.shape[1], device=logits.device) < here
    ranks = 1 + (logits > own).sum(1) + ((logits == own) & before).sum(1)
    return {
        "src_candidate_ids": read_only(best.ids),
        "src_candidate_logprobs": read_only(best.logprobs),
        "src_candidate_tokens": tuple(tuple(map(tokenizer.piece, row)) for row in best.ids.tolist()),
        "src_logprob": read_only(best.all_logprobs[np.arange(len(ids)), ids]),
        "src_rank": read_only(ranks.numpy(force=True)),
    }


def _sorted_into(logits: Tensor, classes: Classes) -> dict[str, Any]:
    """What the network says of the text as a whole, by the field names of `Trace`; logits [C]."""
    numbers = logits.float().flatten()
    if len(numbers) != len(classes.names) or not bool(numbers.isfinite().all()):
        raise HeadscopeError("model_overflow")
    return {"class_logits": read_only(numbers.numpy(force=True)), "class_names": classes.names}
