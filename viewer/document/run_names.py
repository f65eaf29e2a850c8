"""Run names: what each run is called where there are several: short, in one line, no two alike."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import takewhile
from unicodedata import east_asian_width
from weakref import ref

from PySide6.QtCore import QCoreApplication

from viewer.document.alterations.alteration_text import change_texts
from viewer.document.document import Document, Run
from viewer.document.run_source import RunSource
from viewer.document.text.input_text import input_text
from viewer.document.text.lists import clauses
from viewer.document.text.place_text import training_step
from viewer.document.text.token_text import token_texts

_LONGEST = 120


@dataclass
class _Names:
    """What the runs of a document are called, in a language; the shorter ones as far as somebody asked.

    A change has a dozen parts of the window ask for names of the same runs.
    """

    document: ref[Document]
    language: str
    long: dict[str, str]
    kinds: list[str]
    short: dict[str, str] = field(default_factory=dict)


_last: _Names | None = None


def run_names(document: Document) -> dict[str, str]:
    """Name by run id, in the order of the runs; alike ones, all but the first, get a number.

    Names say what is special about a run first, since they are elided at their end.
    """
    return dict(_names_of(document).long)


def short_run_name(document: Document, run_id: str) -> str:
    """As few words as tell a run from the others: "beam 4", "branch: futur"; empty if there is no such run.

    Of runs that begin alike, it begins where its name parts from all others: "… blue house".
    """
    run, names = document.run(run_id), _names_of(document)
    if run is None:
        return ""
    if run_id not in names.short:
        kind, others = _kind(run), names.long.copy()
        whole = _from_where_it_parts(others.pop(run_id), others.values())
        names.short[run_id] = kind if kind and names.kinds.count(kind) == 1 else whole
    return names.short[run_id]


def _names_of(document: Document) -> _Names:
    global _last
    language = QCoreApplication.translate("RunNames", "(no text yet)")
    before = None if _last is None else _last.document()
    if _last is None or before is None or before.runs is not document.runs or _last.language != language:
        _last = _Names(ref(document), language, _long_names(document), [*map(_kind, document.runs)])
    return _last


def _long_names(document: Document) -> dict[str, str]:
    models = {run.trace.model_name for run in document.runs}
    sources = {input_text(run.trace) for run in document.runs}
    names: dict[str, str] = {}
    times: dict[str, int] = {}
    for run in document.runs:
        name = _name(run, with_source=len(sources) > 1, with_model=len(models) > 1)
        times[name] = times.get(name, 0) + 1
        names[run.id] = name if times[name] == 1 else f"{name} ({times[name]})"
    return names


def _from_where_it_parts(name: str, others: Iterable[str]) -> str:
    """A name without the words that it begins with like another; whole if that is all of it."""
    common = max((_common(name, other) for other in others), default=0)
    rest = name[common:].strip()
    return f"… {rest}" if common and rest else name


def _common(name: str, other: str) -> int:
    """How many letters of whole words two names begin with alike."""
    common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(name, other)))
    while common and (_inside_a_word(name, common) or _inside_a_word(other, common)):
        common -= 1
    return common


def _inside_a_word(text: str, place: int) -> bool:
    """Whether a text cannot be cut there: between letters of a script that writes spaces."""
    beside = text[place - 1 : place + 1]
    return len(beside) == 2 and not any(
        letter.isspace() or east_asian_width(letter) in "WF" for letter in beside
    )


def _name(run: Run, *, with_source: bool, with_model: bool) -> str:
    trace = run.trace
    source = input_text(trace)
    text = trace.tgt_text or source
    if with_source and trace.tgt_text and source:
        text = f"{source} → {trace.tgt_text}"
    parts = [part for part in (_kind(run), " ".join(text.split())) if part]
    if with_model and trace.model_name:
        parts.insert(0, trace.model_name)
    line = " · ".join(parts) or QCoreApplication.translate("RunNames", "(no text yet)")
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"


def _kind(run: Run) -> str:
    """What sets a run apart from a plain translation; empty for one."""
    translate = QCoreApplication.translate
    trace, provenance = run.trace, run.provenance
    if trace.alterations:
        return translate("RunNames", "altered: {changes}").format(
            changes=clauses(change_texts(trace.alterations, trace))
        )
    if provenance.get("source") == RunSource.HYPOTHESIS:
        return _hypothesis(provenance.get("hypothesis"))
    if "sample" in provenance:
        number = provenance["sample"]
        shown = number + 1 if isinstance(number, int) else number
        return translate("RunNames", "sample {number}").format(number=shown)
    if run.branch_step is not None:
        token = str(run.branch_step + 1)
        if run.branch_step < trace.steps:
            token = token_texts(trace.tgt_out_tokens, style=trace.token_style)[run.branch_step].marked
        return translate("RunNames", "branch: {token}").format(token=token)
    if trace.decoding.get("mode") == "forced":
        return translate("RunNames", "forced target")
    if trace.decoding.get("mode") == "beam" and provenance.get("source") == RunSource.DECODED:
        return translate("RunNames", "beam {size}").format(size=trace.decoding.get("beam_size", ""))
    if trace.frame_kind == "training_step":
        return training_step(trace.frame or 0)
    if provenance.get("source") == RunSource.RECORDED:
        return translate("RunNames", "recorded")
    return ""


def _hypothesis(number: object) -> str:
    translate = QCoreApplication.translate
    if not isinstance(number, int):
        return translate("RunNames", "hypothesis")
    return translate("RunNames", "hypothesis {number}").format(number=number + 1)
