"""Circuits figure: what a head writes of a word and looks for, as bars of words, list by list."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QCoreApplication

from model.questions.causes.circuits import LABEL, Circuit, Entry, ListName
from model.trace.trace import AttentionKind
from viewer.document.text.method_text import CONTEXT
from viewer.document.text.place_text import kind_name, map_place
from viewer.figures.figure import FigureSpec
from viewer.figures.sheet.bars import Bars, BarSeries
from viewer.figures.sheet.spec import SheetSpec
from viewer.figures.text import sentence

_UP, _DOWN, _SEEN = range(3)  # curves of the theme
Said = Callable[[str], str]
"""How a raw piece is shown."""


def circuit_figure(answer: Circuit, model: str, said: Said) -> FigureSpec[SheetSpec]:
    """What is promoted beside what is suppressed, what is looked for beside who looks.

    Args:
        model: its name, for the caption.
    """
    badges = circuit_badges(answer)
    parts = {name: _bars(answer, name, entries, said) for name, entries in answer.lists.items() if entries}
    pairs: tuple[tuple[ListName, ...], ...] = (
        ("promotes", "suppresses"), ("looks_for", "sought_by"), ("attracts",),
    )  # fmt: skip
    lines = tuple(tuple(parts[name] for name in pair if name in parts) for pair in pairs)
    title = circuit_title(answer, said)
    spec = SheetSpec(title, badges, tuple(line for line in lines if line))
    of = QCoreApplication.translate("Circuits", "Model {name}").format(name=model)
    said_badges = (badge[:1].upper() + badge[1:] for badge in badges)
    caption = " ".join(map(sentence, (title, of, *said_badges, *circuit_notes(answer))))
    asked = answer.asked
    facts = {
        "view": "circuits",
        "model": model,
        "model_sha256": asked.model_sha256,
        "kind": str(asked.kind),
        "layer": asked.layer,
        "head": asked.head,
        "word": answer.word_token,
        "query_word": answer.asker_token,
        "copying": answer.copying,
        "badges": list(badges),
        "notes": list(answer.notes()),
    }
    return FigureSpec(spec, caption, facts)


def circuit_title(answer: Circuit, said: Said) -> str:
    """Such as "Decoder layer 3, head 4 (cross-attention), reading “best”"."""
    asked, translate = answer.asked, QCoreApplication.translate
    place = map_place(asked.kind, asked.layer, asked.head, 0)
    named = {"place": place, "kind": kind_name(asked.kind), "word": said(answer.word_token)}
    if not answer.word_token:
        return translate("Circuits", "{place} ({kind}), pairs of frequent words").format(**named)
    return translate("Circuits", "{place} ({kind}), reading “{word}”").format(**named)


def circuit_badges(answer: Circuit) -> tuple[str, ...]:
    """What must not be overlooked, and how much the head copies."""
    translate = QCoreApplication.translate
    found = [translate("Circuits", "direct path alone, no attention weights")]
    if answer.copying is None:
        found.append(translate("Circuits", "copying not defined: two vocabularies"))
    else:
        text = translate("Circuits", "copying score {value}")
        found.append(text.format(value=f"{answer.copying:.2f}".replace("-", "−")))
    return tuple(found)


def circuit_notes(answer: Circuit) -> tuple[str, ...]:
    """Formulas, caveats and source in the language in force, a sentence each."""
    translate = QCoreApplication.translate
    found = [translate(CONTEXT, LABEL)]
    for how, text in answer.told():
        if how == "source":
            found.append(translate("Numbers", "Source: {source}.").format(source=text))
        else:
            found.append(translate(CONTEXT, text).format(count=f"{answer.sample:,}"))
    return tuple(map(sentence, found[1:]))


def list_name(answer: Circuit, name: ListName, said: Said) -> str:
    """A list's heading."""
    translate = QCoreApplication.translate
    if answer.asked.kind is AttentionKind.ENCODER_SELF and name in ("promotes", "suppresses"):
        likest = translate("Circuits", "What it writes is most like")
        return likest if name == "promotes" else translate("Circuits", "and least like")
    text = {
        "promotes": translate("Circuits", "Promotes"),
        "suppresses": translate("Circuits", "Suppresses"),
        "looks_for": translate("Circuits", "“{asker}” looks for"),
        "sought_by": translate("Circuits", "“{word}” is looked for by"),
        "attracts": translate("Circuits", "Who looks for whom"),
    }[name]
    return text.format(word=said(answer.word_token), asker=said(answer.asker_token))


def _bars(answer: Circuit, name: ListName, entries: Sequence[Entry], said: Said) -> Bars:
    pairs = not answer.word_token and not answer.asker_token
    values = [entry.value for entry in entries]
    colour = {"promotes": _UP, "suppresses": _DOWN}.get(name, _SEEN)
    if pairs:
        text = QCoreApplication.translate("Circuits", "{word} → {other}")
        names = [text.format(word=said(e.word_token), other=said(e.other_token)) for e in entries]
    else:
        names = [said(e.word_token if name == "sought_by" else e.other_token) for e in entries]
    return Bars(list_name(answer, name, said), names, (BarSeries("", values, colour),))
