"""The document: runs (what was decoded) and panes (what is looked at). All frozen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, Self

from model.alignment.hard import RULES, Rule
from model.alignment.links import Gold
from model.alterations.alteration import Alteration
from model.alterations.registry import from_json
from model.trace.exploration import Importance
from model.trace.trace import Floats, Trace
from viewer.document.deeds import Deed
from viewer.document.messages.considered import Considered
from viewer.document.run_source import MADE_HERE
from viewer.document.scene import Scene
from viewer.document.selection import Selection


@dataclass(frozen=True, eq=False)
class Run:
    """One decoding and where it came from.

    Attributes:
        id: unique in the document.
        parent: the run this one branched from, None for a first one.
        trace: what it showed; while it decodes, the trace up to the newest token.
        provenance: JSON-able facts for captions; `source` says where it is from, a `RunSource`.
        alterations: what was changed in the model's computation; empty if nothing.
        live: whether tokens are still being added.
        branch_step: the step at which it left its parent, None for one that is no branch.
        cancelled: it was stopped before its end; what it had come to stays.
        search: beam search: all that was considered so far, in the order of the search.
        held: of an altered run: [T of its parent] natural log probability that the altered model gives to
            each token of the untouched translation.
        importance: what each head is worth to this run's translation, once measured.
        gold: which of its words render each other, if the user said so.
        rounds: of a model that writes in rounds the traces of all so far, of which `trace` is one; not saved
            with a session.
    """

    id: str
    trace: Trace
    parent: str | None = None
    provenance: dict[str, Any] = field(default_factory=dict)
    alterations: tuple[Any, ...] = ()
    live: bool = False
    branch_step: int | None = None
    cancelled: bool = False
    search: tuple[Considered, ...] = ()
    held: Floats | None = None
    importance: Importance | None = None
    gold: Gold | None = None
    rounds: tuple[Trace, ...] = ()

    @property
    def place(self) -> int:
        """Which of its rounds it shows, from 0."""
        return (self.trace.frame or 1) - 1

    @property
    def changes(self) -> tuple[Alteration, ...]:
        """`alterations` as they are carried out; raises `HeadscopeError` for one that is not known here."""
        return tuple(map(from_json, self.alterations))

    def but(self, **changes: Any) -> Self:
        """A copy with some fields changed."""
        return replace(self, **changes)


@dataclass(frozen=True)
class Pane:
    """A view of one run."""

    run_id: str
    selection: Selection


LONGEST_NAME = 200
LONGEST_NOTE = 4000
"""Letters of a bookmark's name and of its note."""


@dataclass(frozen=True)
class Bookmark:
    """A view that the user gave a name, and where in the window it was: a stop of a lecture.

    Attributes:
        pane: the run and what was looked at of it; None where there was no run, as on a page that needs none.
        note: what is to be said there.
    """

    name: str
    pane: Pane | None
    scene: Scene = field(default_factory=Scene)
    note: str = ""

    @property
    def run_id(self) -> str:
        """The run's id; empty without one."""
        return "" if self.pane is None else self.pane.run_id


@dataclass(frozen=True)
class ViewOptions:
    """How every pane is drawn.

    Attributes:
        sqrt_scale: colours by the square root of the weight (the colour bar keeps true values).
        raw_pieces: show pieces as the tokenizer writes them (with U+2581).
        hide_specials: leave out start and end tokens, saying what share of the weight that hides.
        importance: the page of heads shows what each head is worth, once that is measured, not its weights.
        attribution: it shows what each head wrote for the step's word, if `importance` is off.
        whole_words: pieces are merged to words: sums over keys, means over queries.
        incoming: the words view shows tokens that look at the chosen one, not those it looks at.
        threshold: the flow leaves out lines of less weight, 0 to 1, and says what share that hides.
        gold_links: maps of cross-attention show the run's gold links, if it has any.
        alignment_rule: which row speaks for a target word, see `model.alignment.hard`.
    """

    sqrt_scale: bool = False
    raw_pieces: bool = False
    hide_specials: bool = False
    importance: bool = False
    attribution: bool = False
    whole_words: bool = False
    incoming: bool = False
    threshold: float = 0.05
    gold_links: bool = True
    alignment_rule: Rule = "predicts"

    def to_json(self) -> dict[str, bool | float | str]:
        """Plain values by field name."""
        return asdict(self)

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """The inverse of `to_json`; unknown keys are ignored.

        Raises:
            ValueError: a value is neither true nor false, the threshold no number from 0 to 1, or the rule
                none that there is.
        """
        known = {option.name for option in fields(cls)}
        chosen = {name: value for name, value in values.items() if name in known}
        for name, value in chosen.items():
            if name == "threshold":
                if type(value) not in (int, float) or not 0 <= value <= 1:
                    raise ValueError("threshold is no number from 0 to 1")
            elif name == "alignment_rule":
                if value not in RULES:
                    raise ValueError(f"alignment_rule is none of {', '.join(RULES)}")
            elif type(value) is not bool:
                raise ValueError(f"{name} is neither true nor false")
        return cls(**chosen)


@dataclass(frozen=True, eq=False)
class Document:
    """Runs in order of birth, the panes (one or two), which of them is active, the view's options.

    There are panes exactly when there are runs.

    Attributes:
        pinned: the run that Compare holds beside the one in view; empty when none is.
        learn: what is open on the Learn page, see `viewer.document.learn_state`; as it was saved or opened.
        deeds: the files that were written from it, see `viewer.document.deeds`; as they were saved or opened.
        origin: a number that all states of one session in this window share, as undoing goes from one session
            to another; see `Session.set_document`. No file holds it.
    """

    runs: tuple[Run, ...] = ()
    panes: tuple[Pane, ...] = ()
    view: ViewOptions = ViewOptions()
    active: int = 0
    bookmarks: tuple[Bookmark, ...] = ()
    pinned: str = ""
    origin: int = 0
    learn: Mapping[str, Any] = field(default_factory=dict)
    deeds: tuple[Deed, ...] = ()

    @property
    def holds_work(self) -> bool:
        """Whether there is anything that could not just be opened again."""
        made = any(run.provenance.get("source") in MADE_HERE or run.gold is not None for run in self.runs)
        return made or bool(self.bookmarks)

    def run(self, run_id: str) -> Run | None:
        """The run of that id, or None."""
        return next((run for run in self.runs if run.id == run_id), None)

    def gold_holder(self, run: Run) -> Run:
        """The run whose gold links are this one's: itself, or else one of the same source and translation.

        So the alignment of an altered run can be compared with that of the untouched one. Itself if nobody
        has any.
        """
        if run.gold is not None or run.live:
            return run
        texts = run.trace.src_text, run.trace.tgt_text
        golden = (other for other in self.runs if other.gold is not None)
        same = (other for other in golden if (other.trace.src_text, other.trace.tgt_text) == texts)
        return next(same, run)

    def root(self, run: Run) -> str:
        """The id of the run that this one, or what it branched from, branched from first."""
        seen = {run.id}
        while run.branch_step is not None and run.parent and run.parent not in seen:
            parent = self.run(run.parent)
            if parent is None:
                break
            seen.add(parent.id)
            run = parent
        return run.id

    def but(self, **changes: Any) -> Self:
        """A copy with some fields changed."""
        return replace(self, **changes)
