"""Recording attention elsewhere: for a notebook, a cluster job, or any program of your own.

Needs neither Qt nor a screen, and torch only if your arrays are torch's. What it writes is a `.trace` file,
which the window, `render --trace` and `heads --trace` open.

Arrays of your own, `[layer][head][query][key]`, with their tokens:

    >>> import numpy as np
    >>> from model.record import save_attention
    >>> weights = np.full((2, 4, 3, 3), 1 / 3)  # 2 layers, 4 heads, 3 tokens
    >>> save_attention("mine.trace", weights, tokens=["the", "cat", "sat"])

A model of `transformers`, at work:

    with recording(model, tokenizer, "out.trace"):
        model.generate(**tokenizer("The cat sat on", return_tensors="pt"))
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any

from model.files.files import StrPath
from model.recording.inputs import RecordingInputs
from model.recording.recorder import Recorder
from model.recording.trace_maker import trace_of
from model.trace.trace_file import save_trace

__all__ = ["recording", "save_attention"]


def save_attention(
    path: StrPath,
    attentions: Any,
    tokens: Sequence[str] | Any = None,
    *,
    src_tokens: Sequence[str] | Any = None,
    tgt_in_tokens: Sequence[str] | Any = None,
    tgt_out_tokens: Sequence[str] | Any = None,
    tokenizer: Any = None,
    attention_mask: Any = None,
    target_mask: Any = None,
    token_type_ids: Any = None,
    kind: str | None = None,
    item: int = 0,
    text: str | None = None,
    target_text: str | None = None,
    logits: Any = None,
    candidates: int = 10,
    prompt_length: int | None = None,
    numbers: str = "pattern",
    bidirectional: bool = False,
    model_name: str = "",
    compute_dtype: str | None = None,
    float16: bool = False,
) -> None:
    """Write attention that was computed elsewhere as a trace file.

    A model of `transformers` gives it out only if it was loaded with `attn_implementation="eager"`;
    `recording` sees to that itself.

    Shapes: L layers, H heads, S source tokens, T target tokens, B batch, V vocabulary. Arrays may be numpy's,
    torch's (any device and type, bfloat16 too) or nested lists.

    Args:
        path: the file to write, `NAME.trace`; an old one is replaced.
        attentions: one of
            - what a model of `transformers` returned with `output_attentions=True`: of an encoder, of a
              decoder, of both, or of `generate(..., return_dict_in_generate=True)` (its steps are put
              together; add `output_logits=True` for the probabilities);
            - one kind: an array [L, H, query, key] or [L, B, H, query, key], or a list of L layers
              [B, H, query, key] (as BertViz takes them) or [H, query, key];
            - several: `{"encoder_self": [L, H, S, S], "decoder_self": [L, H, T, T], "cross": [L, H, T, S]}`.
        tokens: those of the text that was read: of the source, or of a model without an encoder of all that
            its decoder read. Strings exactly as the tokenizer names them, or ids (with `tokenizer`), or a
            batch of them; without any they are numbered from 1.
        src_tokens, tgt_in_tokens, tgt_out_tokens: of either side by name; `tgt_in_tokens` [T] is what the
            decoder read at each row, `tgt_out_tokens` [T] what it predicted there. One follows from the
            other but for a single token; `generate` outputs know both.
        tokenizer: of `transformers` (or a processor that has one); names the ids, and tells how its pieces
            are written.
        attention_mask: [B, S] (of a decoder alone [B, T], or of its prompt), 0 for padding, which is left
            out; `target_mask` [B, T] that of a decoder behind an encoder.
        token_type_ids: [B, S] which sentence of a pair each token is of.
        kind: `encoder_self`, `decoder_self` or `cross`, for attention without a name. By default it is
            cross-attention if it is not square; a decoder's if `tgt_…_tokens` were given, or no row looks
            ahead; an encoder's if `src_tokens` were given, or one does.
        item: which of a batch (of a `generate`: which of its sequences).
        text, target_text: the text read and the text written; by default what the tokenizer makes of the
            ids.
        logits: [B, T, V] or [T, V], before any softmax or filter; by default those in the output. With ids
            they give each token's probability and the `candidates` most probable ones. Of a model of masked
            words [B, S, V]. Without them the trace says that no probabilities were recorded.
        prompt_length: of a decoder alone: how many of the tokens were given. By default all.
        numbers: `pattern` for attention weights, whose rows must sum to 1. Anything else says what they
            are, such as `scores` or `gradient`, and is shown under that name.
        bidirectional: rows of `decoder_self` may attend to later tokens.
        model_name: shown in captions.
        compute_dtype: what the weights were computed in, if not the arrays' own type: a row of weights
            that were rounded to bfloat16 sums to 1 less exactly.
        float16: store half the bytes.

    Raises:
        HeadscopeError: the parts do not belong together, the numbers are no attention weights, or the file
            cannot be written. Then an old file stays as it was.

    Example:
        >>> outputs = model(**inputs, output_attentions=True)
        >>> save_attention("out.trace", outputs, tokens=inputs["input_ids"], tokenizer=tokenizer)
    """
    given = RecordingInputs(
        attentions=attentions,
        tokens=tokens,
        src_tokens=src_tokens,
        tgt_in_tokens=tgt_in_tokens,
        tgt_out_tokens=tgt_out_tokens,
        tokenizer=tokenizer,
        attention_mask=attention_mask,
        target_mask=target_mask,
        token_type_ids=token_type_ids,
        kind=kind,
        item=item,
        text=text,
        target_text=target_text,
        logits=logits,
        candidates=candidates,
        prompt_length=prompt_length,
        numbers=numbers,
        bidirectional=bidirectional,
        model_name=model_name,
        compute_dtype=compute_dtype,
    )
    save_trace(trace_of(given), path, float16=float16)


@contextlib.contextmanager
def recording(
    model: Any,
    tokenizer: Any,
    path: StrPath,
    *,
    item: int | None = None,
    candidates: int = 10,
    text: str | None = None,
    bidirectional: bool = False,
    numbers: str = "pattern",
    float16: bool = False,
) -> Iterator[Recorder]:
    """Record what a model of `transformers` does inside the block, call by call.

    `model(...)` and `model.generate(...)` work and return as before. Inside, the model computes attention
    in the plain way (`attn_implementation="eager"`) and gives it out; behind the block everything is as it
    was. One sequence becomes `path`; several (of a batch, of several calls) become `NAME-1.trace`,
    `NAME-2.trace`, …, in order. If the block raises, no file is written.

    Args:
        model: with `output_attentions`, such as BERT, GPT-2, Llama, T5, BART, Marian.
        tokenizer: its tokenizer, or None: then tokens go by their ids.
        path: the file to write, `NAME.trace`.
        item: record only this one of each batch.
        candidates: how many of the most probable tokens to keep at each step.
        text: the text that was read; by default what the tokenizer makes of the ids.
        bidirectional, numbers, float16: as in `save_attention`.

    Yields:
        A recorder; its `paths` are the files, once the block has ended.

    Raises:
        HeadscopeError: the model gives out no attention, was not called, or the files cannot be written.

    Example:
        >>> with recording(model, tokenizer, "out.trace") as recorder:
        ...     model.generate(**tokenizer("The cat sat on", return_tensors="pt"), max_new_tokens=20)
        >>> recorder.paths
    """
    options = {
        "item": item,
        "candidates": candidates,
        "text": text,
        "bidirectional": bidirectional,
        "numbers": numbers,
        "float16": float16,
    }
    recorder = Recorder(model, tokenizer, path, options)
    with recorder.watching():
        yield recorder
