"""Target side of a recording: what the decoder read and predicted at each row, and how surely."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from model.errors import HeadscopeError
from model.recording.arrays import item_rows, kept_places, take
from model.recording.inputs import RecordingInputs
from model.recording.kinds import Produced, pad_and_end_ids
from model.recording.layers import Places
from model.recording.probabilities import Probabilities, probabilities
from model.recording.sides import Side, of_ids, side_of
from model.recording.source import NOBODY


@dataclass(frozen=True)
class Target:
    """Tokens without padding, their places among all, and what was thought of them.

    Attributes:
        prompt_length: of a decoder alone: how many of the tokens were given.
        finished: the sequence ended by itself.
    """

    read: Side = NOBODY
    predicted: Side = NOBODY
    places: Places = None
    thought: Probabilities | None = None
    prompt_length: int = 0
    finished: bool = True


def read_target(given: RecordingInputs, length: int, *, alone: bool) -> Target:
    """Of a forward pass: everything was given, and what comes after the last token is the model's choice."""
    mask, name = given.target_mask, "target_mask"
    if alone and mask is None:
        mask, name = given.attention_mask, "attention_mask"
    places = kept_places(mask, given.item, length, name)
    read, predicted = _given_target(given, length, places, alone=alone)
    logits = given.logits if given.logits is not None else _of_words(given.attentions)
    thought = None
    if logits is not None and predicted.ids is not None:
        ids = predicted.ids.copy()
        thought = probabilities(_blocks(logits, given.item, places, len(ids)), ids, given.candidates)
        predicted = of_ids(ids, given.tokenizer) if predicted.tokens[-1:] == ("",) else predicted
    prompt = 0
    if alone:
        prompt = len(read.tokens) if given.prompt_length is None else given.prompt_length
        if not 1 <= prompt <= len(read.tokens):
            raise HeadscopeError("record_prompt", found=prompt, most=len(read.tokens))
    return Target(read, predicted, places, thought, prompt)


def _of_words(output: Any) -> Any:
    """The logits of an output, if they are of words: a model that sorts texts or tokens has others."""
    logits = getattr(output, "logits", None)
    if logits is None or len(logits.shape) != 3 or "Classifier" in type(output).__name__:
        return None
    return logits


def _blocks(logits: Any, item: int, places: Places, wanted: int) -> list[tuple[int, Any]]:
    """The logits of a pass; a model may give out those of the last rows alone."""
    rows = item_rows(logits, item, places)
    if len(rows) > wanted or (len(rows) < wanted and places is not None):
        raise HeadscopeError("record_logits", found=len(rows), wanted=wanted)
    return [(wanted - len(rows), rows)]


def _given_target(given: RecordingInputs, length: int, places: Places, *, alone: bool) -> tuple[Side, Side]:
    """What is read and what is predicted at each row; each follows from the other but for one token."""
    tokens, name = given.tgt_in_tokens, "tgt_in_tokens"
    if tokens is None and alone:
        tokens, name = given.tokens, "tokens"
    predicted = None
    if given.tgt_out_tokens is not None:
        out = side_of(given.tgt_out_tokens, given.item, length, given.tokenizer, "tgt_out_tokens")
        predicted = out.kept(places)
    if tokens is None and predicted is not None:
        return Side(("", *predicted.tokens[:-1])), predicted
    read = side_of(tokens, given.item, length, given.tokenizer, name).kept(places)
    if predicted is None:
        ids = None if read.ids is None else np.append(read.ids[1:], -1)
        predicted = Side((*read.tokens[1:], ""), ids)
    return read, predicted


def generated_target(given: RecordingInputs, produced: Produced, *, alone: bool) -> Target:
    """Of a `generate`: the tokens that were given, then those produced."""
    places = None
    count = len(produced.items)
    read_ids, out_ids = produced.ids[:-1], produced.ids[1:]
    prompt_places: Places = None
    if alone:
        prompt_places = kept_places(
            given.attention_mask, produced.source_item, produced.given, "attention_mask"
        )
    if prompt_places is not None:
        places = np.append(prompt_places, np.arange(produced.given, len(read_ids)))
        read_ids, out_ids = read_ids[places], out_ids[places]
    first = len(read_ids) - count  # the row that predicts the first token produced
    blocks: list[tuple[int, Any]] = []
    if given.prompt_logits is not None and given.prompt_logits.shape[1] == produced.given:
        prompt = item_rows(given.prompt_logits, produced.items[0], prompt_places)
        blocks.append((0, prompt[:first]))
    logits = given.logits if given.logits is not None else getattr(given.attentions, "logits", None)
    if logits is not None:
        if len(logits) < count:
            raise HeadscopeError("record_logits", found=len(logits), wanted=count)
        steps = zip(logits, produced.items)
        blocks += [(first + step, take(rows, item)[None]) for step, (rows, item) in enumerate(steps)]
    _, ends = pad_and_end_ids(given)
    return Target(
        of_ids(read_ids, given.tokenizer),
        of_ids(out_ids, given.tokenizer),
        places,
        probabilities(blocks, out_ids, given.candidates) if blocks else None,
        first + 1 if alone else 0,
        not ends or int(out_ids[-1]) in ends,
    )
