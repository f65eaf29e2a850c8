"""Segments: which sentence of a pair a token is of, for labels and sentences. QtCore only."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from model.trace.trace import Trace

LETTERS = "AB"


def segments_of(trace: Trace) -> tuple[int, ...]:
    """The sentence of each source token, from 0; empty where the text is none of two sentences."""
    if trace.src_segments is None:
        return ()
    segments: list[int] = trace.src_segments.tolist()
    several = len(set(segments)) > 1 and max(segments, default=0) < len(LETTERS)
    return tuple(segments) if several else ()


def segment_letter(segment: int) -> str:
    """What a sentence of a pair is called where there is little room; empty for a text of one."""
    return LETTERS[segment] if 0 <= segment < len(LETTERS) else ""


def segment_name(segment: int) -> str:
    """What a sentence of a pair is called; empty for a text of one."""
    letter = segment_letter(segment)
    return QCoreApplication.translate("Figure", "sentence {letter}").format(letter=letter) if letter else ""


def pair_note(query: int, key: int) -> str:
    """Which sentence of a pair reads which; empty for a text of one.

    Args:
        query, key: the sentence of each, -1 where there is no pair.
    """
    if query < 0 or key < 0:
        return ""
    if query == key:
        return QCoreApplication.translate("Figure", "within sentence {letter}").format(
            letter=segment_letter(query)
        )
    return QCoreApplication.translate("Figure", "sentence {query} reads sentence {key}").format(
        query=segment_letter(query), key=segment_letter(key)
    )
