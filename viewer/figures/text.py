"""Text around a picture: titles, axis titles, badges, captions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QCoreApplication

from model.folder.families import Family
from model.trace.trace import AttentionKind, Trace
from model.version import VERSION
from viewer.document.alterations.alteration_text import altered_badges
from viewer.document.run_source import RunSource
from viewer.document.text.input_text import input_text
from viewer.document.text.lists import names
from viewer.document.text.model_text import family_of_trace, is_unverified, unverified_badge
from viewer.document.text.place_text import training_step

_LONGEST_TEXT = 300


def map_title(kind: AttentionKind, layer: int, layers: int, head: int | None, heads: int) -> str:
    """Such as "Decoder layer 2 of 4, head 3 of 8"."""
    translate = QCoreApplication.translate
    encoder = kind is AttentionKind.ENCODER_SELF
    if head is None and encoder:
        text = translate("Figure", "Encoder layer {layer} of {layers}, mean over {heads} heads")
    elif head is None:
        text = translate("Figure", "Decoder layer {layer} of {layers}, mean over {heads} heads")
    elif encoder:
        text = translate("Figure", "Encoder layer {layer} of {layers}, head {head} of {heads}")
    else:
        text = translate("Figure", "Decoder layer {layer} of {layers}, head {head} of {heads}")
    return text.format(layer=layer + 1, layers=layers, head=(head or 0) + 1, heads=heads)


def heads_title(kind: AttentionKind, layers: int, heads: int) -> str:
    """The title of a page of heads."""
    translate = QCoreApplication.translate
    if kind is AttentionKind.ENCODER_SELF:
        text = translate("Figure", "Encoder, {layers} layers of {heads} heads")
    else:
        text = translate("Figure", "Decoder, {layers} layers of {heads} heads")
    return text.format(layers=layers, heads=heads)


def row_title(kind: AttentionKind, trace: Trace) -> str:
    """What the query axis is."""
    translate, family = QCoreApplication.translate, family_of_trace(trace)
    if family is Family.ENCODER_ONLY:
        return translate("Figure", "tokens of the text (queries)")
    if family is Family.DECODER_ONLY:
        return translate("Figure", "tokens (queries): reads → predicts, or (given)")
    if kind is AttentionKind.ENCODER_SELF:
        return translate("Figure", "source tokens (queries)")
    return translate("Figure", "target tokens (queries): reads → predicts")


def column_title(kind: AttentionKind, trace: Trace) -> str:
    """What the key axis is; a decoder's query reads no later token, except in a decoding in rounds."""
    translate, family = QCoreApplication.translate, family_of_trace(trace)
    if family is Family.ENCODER_ONLY or (family is Family.DECODER_ONLY and not trace.is_causal):
        return translate("Figure", "attends to: tokens of the text (keys) →")
    if family is Family.DECODER_ONLY:
        return translate("Figure", "attends to: prompt and produced tokens read so far (keys) →")
    if kind is AttentionKind.DECODER_SELF and not trace.is_causal:
        return translate("Figure", "attends to: target tokens (keys) →")
    if kind is AttentionKind.DECODER_SELF:
        return translate("Figure", "attends to: target tokens read so far (keys) →")
    return translate("Figure", "attends to: source tokens (keys) →")


def trace_badges(trace: Trace, *, sqrt_scale: bool) -> list[str]:
    """What every picture of a trace must own up to."""
    translate = QCoreApplication.translate
    badges = []
    if trace.frame_kind == "training_step":
        badges.append(training_step(trace.frame or 0))
    if trace.numbers != "pattern":
        text = translate("Figure", "numbers: {name}, not attention weights")
        badges.append(text.format(name=trace.numbers))
    if is_unverified(trace):
        badges.append(unverified_badge())
    if trace.is_round:
        text = translate("Figure", "round {number} of a decoding in rounds, not causal")
        badges.append(text.format(number=trace.frame or "?"))
    elif not trace.is_causal:
        badges.append(translate("Figure", "not causal: queries may attend to later tokens"))
    badges += altered_badges(trace)
    if sqrt_scale:
        badges.append(translate("Figure", "square-root colour scale, true values"))
    return badges


def importance_badge() -> str:
    """Says what a page of heads is coloured by when it is not their weights."""
    return QCoreApplication.translate(
        "Figure", "colours: change of the translation's log probability when that head alone is switched off"
    )


def maximum_badge(most: float) -> str:
    """Says that colours end at the largest weight of this picture, so that no other can be laid beside it."""
    text = QCoreApplication.translate("Figure", "own scale: 0 to {most}, the largest weight shown")
    return text.format(most=f"{most:.3g}")


def rows_badge(count: int) -> str:
    """Says that rows of a map were set by hand, and their sign."""
    if count == 1:
        return QCoreApplication.translate("Figure", "* this row was set by hand")
    return QCoreApplication.translate("Figure", "* these rows were set by hand")


def mean_badge(heads: int) -> str:
    """Says that a map is a mean."""
    return QCoreApplication.translate("Figure", "mean over {heads} heads").format(heads=heads)


def hidden_badge(share: float) -> str:
    """Says how much of the weight in the shown rows lies on columns that are left out."""
    text = QCoreApplication.translate("Figure", "special tokens hidden: {percent} % of the weight")
    return text.format(percent=f"{100 * share:.1f}")


def provenance_caption(
    trace: Trace,
    title: str,
    badges: tuple[str, ...],
    provenance: Mapping[str, Any],
    notes: Sequence[str] = (),
) -> str:
    """What a picture cut out of its context still has to say, in sentences; `notes` are some of them."""
    translate = QCoreApplication.translate
    parts = [sentence(title)]
    quoted = translate("Figure", "“{source}”")
    texts = [quoted.format(source=_short(text)) for text in (input_text(trace), trace.tgt_text) if text]
    if texts:
        parts.append(" → ".join(texts))
    read = trace.only_reads and trace.decoding.get("mode") == "read"
    if trace.steps or AttentionKind.CROSS in trace.kinds or read:
        parts.append(sentence(decoding_text(trace.decoding)))
    if trace.steps and not trace.finished:
        parts.append(translate("Figure", "The end token was not reached."))
    if provenance.get("source") == RunSource.RECORDED:
        parts.append(translate("Figure", "Recorded example."))
    step = training_step(trace.frame or 0) if trace.frame_kind == "training_step" else ""
    parts += [_started(badge) for badge in badges if badge != step]
    parts += notes
    parts.append(made_by(trace.model_name, trace.model_sha256, trace.created_by))
    if step in badges:  # at the end, so that from frame to frame of an animation no word changes its line
        parts.append(_started(step))
    return " ".join(parts)


def _started(badge: str) -> str:
    """A badge as a sentence."""
    return sentence(f"{badge[:1].upper()}{badge[1:]}")


def sentence(text: str) -> str:
    """With the full stop of the language."""
    return QCoreApplication.translate("Figure", "{sentence}.").format(sentence=text)


def title_line(title: str, kind_name: str) -> str:
    """Title and kind of a picture in one line."""
    return QCoreApplication.translate("Figure", "{title}, {family}").format(title=title, family=kind_name)


def made_by(model_name: str, model_sha256: str, created_by: str) -> str:
    """The sentence about model and program."""
    translate = QCoreApplication.translate
    creator = created_by or f"headscope {VERSION}"
    if "headscope" not in creator.lower():
        creator += f", headscope {VERSION}"
    if model_name and model_sha256:
        text = translate("Figure", "Model {name} (sha256 {digits}), {creator}.")
    elif model_name:
        text = translate("Figure", "Model {name}, {creator}.")
    else:
        text = translate("Figure", "Made by {creator}.")
    return text.format(name=model_name, digits=model_sha256[:12], creator=creator)


def decoding_text(decoding: Mapping[str, Any]) -> str:
    """How the target came about, with its settings: "Beam search (beam size 4, length penalty 1)"."""
    translate = QCoreApplication.translate
    mode = str(decoding.get("mode", "greedy"))
    if mode == "greedy":
        name = translate("Figure", "Greedy decoding")
    elif mode == "beam":
        name = translate("Figure", "Beam search")
    elif mode == "sample":
        name = translate("Figure", "Sampling")
    elif mode == "forced":
        name = translate("Figure", "Forced target")
    elif mode == "rounds":
        name = translate("Figure", "All at once, in rounds")
    elif mode == "read":
        name = translate("Figure", "Read in one pass")
    elif mode == "recorded":
        name = translate("Figure", "Recorded elsewhere")
    else:
        name = translate("Figure", "Decoding: {mode}").format(mode=mode)
    settings = [
        f"{key.replace('_', ' ')} {value}"
        for key, value in decoding.items()
        if key not in ("mode", "target", "candidates") and value is not None
    ]
    return f"{name} ({names(settings)})" if settings else name


def _short(text: str, longest: int = _LONGEST_TEXT) -> str:
    """One line of at most `longest` characters."""
    line = " ".join(text.split())
    return line if len(line) <= longest else line[: longest - 1] + "…"


def trace_facts(trace: Trace) -> dict[str, Any]:
    """What a figure's data say of a run."""
    facts: dict[str, Any] = {
        "text": input_text(trace),
        "translation": trace.tgt_text,
        "model_name": trace.model_name,
        "model_sha256": trace.model_sha256,
        "decoding": dict(trace.decoding),
        "finished": trace.finished,
        "alterations": list(trace.alterations),
        "numbers": trace.numbers,
        "compute_dtype": trace.compute_dtype,
        "seed": trace.seed,
        "created_by": trace.created_by,
    }
    if trace.frame_kind is not None:
        facts |= {"frame": trace.frame, "frame_kind": trace.frame_kind}
    return facts
