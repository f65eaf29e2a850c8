"""Absent kinds of attention: which a trace lacks, and why: no such stack, or not kept."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from model.folder.families import Family
from model.trace.trace import AttentionKind, Trace
from viewer.document.text.model_text import family_of_trace
from viewer.document.text.place_text import kind_name


def absent_words(trace: Trace) -> str:
    """In a few words; empty where nothing is missing."""
    translate, family = QCoreApplication.translate, family_of_trace(trace)
    if family is Family.DECODER_ONLY:
        return translate("Absent", "no encoder")
    if family is Family.ENCODER_ONLY:
        return translate("Absent", "no decoder")
    return "" if not _missing(trace) else translate("Absent", "not all recorded")


def absent_reason(trace: Trace) -> str:
    """In a short sentence; empty where nothing is missing."""
    translate, family = QCoreApplication.translate, family_of_trace(trace)
    if family is Family.DECODER_ONLY:
        return translate("Absent", "This model has no encoder.")
    if family is Family.ENCODER_ONLY:
        return translate("Absent", "This model has no decoder.")
    return absent_sentence(trace)


def absent_sentence(trace: Trace) -> str:
    """In a long one, for tooltips; empty where nothing is missing."""
    translate, family = QCoreApplication.translate, family_of_trace(trace)
    if family is Family.DECODER_ONLY:
        return translate(
            "Absent",
            "This model has no encoder: the prompt is read by the decoder, and there is no cross-attention.",
        )
    if family is Family.ENCODER_ONLY:
        return translate(
            "Absent", "This model has no decoder: it reads text but writes none, and has no cross-attention."
        )
    missing = _missing(trace)
    if not missing:
        return ""
    names = translate("Absent", ", ").join(kind_name(kind) for kind in missing)
    return translate("Absent", "Not in this trace: {families}.").format(families=names)


def _missing(trace: Trace) -> list[AttentionKind]:
    return [kind for kind in AttentionKind if kind not in trace.kinds]
