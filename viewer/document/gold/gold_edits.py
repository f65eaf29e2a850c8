"""Gold edits: changes to a run's gold links; undone like any other change."""

from __future__ import annotations

from dataclasses import replace

from model.alignment.links import Gold, Link
from model.trace.trace import AttentionKind
from viewer.document.document import Document, Run
from viewer.document.edits import with_replaced
from viewer.document.history import Change
from viewer.document.session import Session
from viewer.document.text.gold_words import link_at, words_of_gold


def can_have_gold(run: Run | None) -> bool:
    """Whether links of a run's words can be given: it has cross-attention, and is complete."""
    return run is not None and not run.live and run.trace.steps > 0 and AttentionKind.CROSS in run.trace.kinds


def gold_of(document: Document, run: Run | None) -> Gold | None:
    """A run's gold links, its own or those of another run of the same texts."""
    return None if run is None else document.gold_holder(run).gold


def set_gold(session: Session, run_id: str, gold: Gold | None) -> None:
    """Give a run gold links, or (None) take them away; shown from then on.

    Links that another run of the same texts holds change there: both show the same ones.
    """
    run = session.document.run(run_id)
    if run is None or not can_have_gold(run):
        return
    holder = session.document.gold_holder(run)
    if holder.gold == gold:
        return
    document = with_replaced(session.document, holder.but(gold=gold))
    if gold is not None and not document.view.gold_links:
        document = document.but(view=replace(document.view, gold_links=True))
    session.edit(document, Change.GOLD)


def toggle_link(session: Session, pane: int, query: int, key: int) -> Link | None:
    """Take the link of a cell's words a step on: none, sure, possible, none; returns the words.

    Nothing happens outside cross-attention, at a start or end token, and where links of the run that is
    shown cannot be given.

    Raises:
        HeadscopeError: the gold links there are belong to another sentence; or as `link_at`.
    """
    run, selection = session.run(pane), session.selection(pane)
    if (
        run is None
        or not can_have_gold(run)
        or selection is None
        or selection.kind is not AttentionKind.CROSS
    ):
        return None
    gold = gold_of(session.document, run)
    link = link_at(run.trace, gold, session.view.alignment_rule, query, key)
    if link is not None:
        set_gold(session, run.id, (gold or empty_gold(run)).toggled(link))
    return link


def empty_gold(run: Run) -> Gold:
    """No links yet, and the words that they will count, said once and for all."""
    words = words_of_gold(run.trace, None)
    return Gold(source=" ".join(words.source), target=" ".join(words.target))
