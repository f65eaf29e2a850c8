"""Attribution of heads: what each wrote for a word of a step: scale, sentences, badges."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import QCoreApplication

from model.files.files import StrPath, replacing, write_chunks
from model.questions.causes.logit import LOGIT, LogitParts
from model.trace.trace import AttentionKind, Trace
from viewer.document.alterations.words import head_text
from viewer.document.text.method_text import method_words
from viewer.document.text.token_text import text_after
from viewer.figures.heads.importance import signed
from viewer.figures.heads.spec import Worth
from viewer.figures.table import csv_chunks, number

HEADER = ("kind", "layer", "head", "step", "written", "notes")


def attribution_levels(parts: LogitParts) -> tuple[float, float]:
    """The scale of both kinds' heads, symmetrical about 0."""
    most = max((float(np.abs(values).max(initial=0.0)) for values in parts.by_head().values()), default=0.0)
    return (-most, most) if most > 0 else (-1.0, 1.0)


def attribution_worth(trace: Trace, parts: LogitParts, kind: AttentionKind) -> Worth:
    """What a page of heads of a kind that writes to the decoder's stream is coloured by."""
    values = parts.by_head()[kind]
    words = _words(trace, parts)
    translate = QCoreApplication.translate

    def sentence(layer: int, head: int) -> str:
        if parts.rival is None:
            text = translate("Attribution", "{place} wrote {value} of the logit of “{word}”")
        else:
            text = translate("Attribution", "{place} wrote {value} for “{word}” rather than “{rival}”")
        value = signed(float(values[layer, head]), 3)
        return text.format(place=head_text(kind, layer, head), value=value, **words)

    note = translate("Attribution", "above 0: the head wrote for the word; below: against it")
    return Worth(values, note, sentence)


def attribution_badges(trace: Trace, parts: LogitParts) -> list[str]:
    """Of which word, by which formula, and what it leaves out."""
    translate = QCoreApplication.translate
    if parts.rival is None:
        text = translate("Attribution", "colours: what each head wrote for “{word}”, step {step}")
    else:
        text = translate(
            "Attribution", "colours: what each head wrote for “{word}” rather than “{rival}”, step {step}"
        )
    said = text.format(step=parts.step + 1, **_words(trace, parts))
    return [said, *(sentence.removesuffix(".") for sentence in method_words(LOGIT).sentences)]


def attribution_facts(parts: LogitParts, kind: AttentionKind) -> dict[str, Any]:
    """The same for data."""
    return {
        "attribution": parts.by_head()[kind].tolist(),
        "step": parts.step,
        "word": parts.word_token,
        "rival": parts.rival_token,
        "formula": LOGIT.formula,
        "caveat": LOGIT.caveat,
        "numbers_source": LOGIT.source,
    }


def write_attribution_csv(parts: LogitParts, kind: AttentionKind, notes: str, path: StrPath) -> None:
    """Write one line a head of the kind, counted from 0; `notes` says of which word and by which formula.

    Raises:
        HeadscopeError: the file cannot be written; an old file stays.
    """
    lines: list[Sequence[object]] = [HEADER]
    for (layer, head), value in np.ndenumerate(parts.by_head()[kind]):
        lines.append((str(kind), layer, head, parts.step, number(value), notes))
    with replacing(path) as temporary:
        write_chunks(temporary, csv_chunks(lines))


def encoder_note() -> str:
    """Why the encoder's heads have no such colours."""
    return QCoreApplication.translate(
        "Attribution",
        "The encoder's heads write nothing to the decoder's stream themselves: their weights are shown.",
    )


def _words(trace: Trace, parts: LogitParts) -> dict[str, str]:
    """Both words as they read at the step."""
    before, style = trace.tgt_out_tokens[: parts.step], trace.token_style
    pieces = {"word": parts.word_token, "rival": parts.rival_token}
    return {name: text_after(before, piece, style=style).marked for name, piece in pieces.items() if piece}
