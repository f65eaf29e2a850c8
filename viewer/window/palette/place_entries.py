"""PLACES: where "cross 2.3", "step 7", "word rouge" lead in the run in view; counted from 1."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import QCoreApplication

from model.trace.trace import AttentionKind, Trace
from viewer.document.scene import Place, Scene
from viewer.document.selection import Selection
from viewer.document.text.place_text import map_place
from viewer.document.text.token_text import TokenText, token_texts
from viewer.pages.widgets.overflow_menu import with_choice
from viewer.pages.widgets.wording import step_sentence
from viewer.window.actions import ROWS, plain_text
from viewer.window.palette.entry import Entry, Reach, Source
from viewer.window.palette.matching import INSIDE, score

_HEAD = re.compile(r"(?P<kind>\D*?)\s*(?P<layer>\d{1,4})(?:\s*[.,:/\s]\s*(?P<head>\d{1,4}))?")
_STEP = re.compile(r"(?P<before>\D*?)\s*(?P<step>\d{1,9})\s*(?P<after>\D*)")
_WORD = re.compile(r"(?P<before>\S+)\s+(?P<word>\S.*)")
_MOST = 24  # places of one word


def _places(reach: Reach, text: str) -> Sequence[Entry]:
    trace, selection = reach.session.trace(), reach.session.selection()
    text = text.strip()
    if trace is None or selection is None or not text:
        return ()
    return (
        *_heads(reach, trace, selection, text),
        *_steps(reach, trace, text),
        *_words(reach, trace, selection, text),
    )


def _heads(reach: Reach, trace: Trace, selection: Selection, text: str) -> Sequence[Entry]:
    """A family and a layer, with a head or that of now; without a family that of now."""
    found = _HEAD.fullmatch(text)
    if found is None:
        return ()
    typed, layer = found["kind"].strip(), int(found["layer"]) - 1
    if not typed and found["head"] is None:
        return ()
    entries = []
    for kind, names in _kinds(reach).items():
        meant = kind is selection.kind if not typed else any(_is_meant(typed, name) for name in names)
        if not meant or kind not in trace.kinds or not 0 <= layer < trace.layers(kind):
            continue
        heads = trace.heads(kind)
        head = selection.head if found["head"] is None else int(found["head"]) - 1
        if head is not None and not 0 <= head < heads:
            continue
        title = with_choice(names[0], map_place(kind, layer, head, heads))
        number = f"{layer + 1}" if found["head"] is None else f"{layer + 1}.{(head or 0) + 1}"
        entries.append(_entry(reach, f"{kind} {number}", title, {"kind": kind, "layer": layer, "head": head}))
    return entries


def _kinds(reach: Reach) -> Mapping[AttentionKind, tuple[str, ...]]:
    """What each family is called: in the language in force, in each, and by files."""
    rows = {row.name: row for row in ROWS}
    told = reach.localization.in_each(
        lambda: {kind: plain_text(rows[str(kind)].words) for kind in AttentionKind}
    )
    own = told[reach.localization.language]
    return {kind: (own[kind], *(names[kind] for names in told.values()), str(kind)) for kind in AttentionKind}


def _is_meant(typed: str, name: str) -> bool:
    return (score(typed, name) or 0.0) > INSIDE


def _steps(reach: Reach, trace: Trace, text: str) -> Sequence[Entry]:
    found = _STEP.fullmatch(text)
    if found is None or not 0 < int(found["step"]) <= trace.steps:
        return ()
    before, after = found["before"].strip("第 ").casefold(), found["after"].strip().casefold()
    typed = before + after
    if not typed or not any(name.startswith(typed) for name in _called(reach, "step")):
        return ()
    step = int(found["step"]) - 1
    return [_entry(reach, f"step {step + 1}", _step_title(reach, trace, step), {"step": step})]


def _words(reach: Reach, trace: Trace, selection: Selection, text: str) -> Sequence[Entry]:
    """The steps that write a word, then those that read it, then where it stands in the source."""
    found = _WORD.fullmatch(text)
    if found is None or found["before"].casefold() not in _called(reach, "word"):
        return ()
    wanted, style = found["word"].casefold(), trace.token_style
    written = token_texts(trace.tgt_out_tokens, style=style)
    read = token_texts(trace.tgt_in_tokens, style=style, starts=True)
    source = token_texts(trace.src_tokens, style=style)
    steps = dict.fromkeys(
        [place for place, token in enumerate(written) if _has(token, wanted)]
        + [place for place, token in enumerate(read) if _has(token, wanted)]
    )
    entries = [_entry(reach, "", _step_title(reach, trace, step), {"step": step}) for step in steps]
    title = QCoreApplication.translate("Palette", "Source token {number}: {token}")
    for place, token in enumerate(source):
        where = _in_source(trace, selection, place)
        if _has(token, wanted) and where is not None:
            entries.append(_entry(reach, "", title.format(number=place + 1, token=token.marked), where))
    return entries[:_MOST]


def _in_source(trace: Trace, selection: Selection, place: int) -> Mapping[str, Any] | None:
    """A column of cross-attention at the step in view, else a row of the encoder."""
    if AttentionKind.CROSS in trace.kinds and trace.steps:
        row = min(max(0, selection.step), trace.steps - 1)
        return {"kind": AttentionKind.CROSS, "query": row, "key": place}
    if AttentionKind.ENCODER_SELF in trace.kinds:
        return {"kind": AttentionKind.ENCODER_SELF, "query": place, "key": place}
    return None


def _has(token: TokenText, wanted: str) -> bool:
    return any(wanted in text.casefold() for text in (token.text, token.raw))


def _called(reach: Reach, name: str) -> set[str]:
    """What one types before a number or a word, in each language; in English `name`."""

    def said() -> dict[str, str]:
        translate = QCoreApplication.translate
        return {"step": translate("Palette", "step"), "word": translate("Palette", "word")}

    return {words[name].casefold() for words in reach.localization.in_each(said).values()}


def _step_title(reach: Reach, trace: Trace, step: int) -> str:
    text = QCoreApplication.translate("Palette", "Step {step}: {sentence}")
    return text.format(step=step + 1, sentence=step_sentence(trace, step, reach.session.view.raw_pieces))


def _entry(reach: Reach, name: str, title: str, selection: Mapping[str, Any]) -> Entry:
    go = partial(reach.scenes.go, Place(Scene(), selection))
    return Entry(name, title, go, QCoreApplication.translate("Palette", "Place"))


PLACES = Source("place", typed=_places)
