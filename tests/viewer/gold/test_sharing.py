"""Gold links of a run are those of other runs of the same texts: what altered heads do can be compared."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from model.alignment.links import Gold
from tests.model.alignment.samples import sample_trace
from tests.viewer.gold.samples import CROSS, GOLD, gold_of, shown
from viewer.dialogs.gold_dialog import GoldDialog
from viewer.document.document import Run
from viewer.document.edits import trimmed
from viewer.document.gold.gold_edits import gold_of as gold_in
from viewer.document.gold.gold_edits import set_gold, toggle_link
from viewer.document.selection import Selection
from viewer.document.session import Session
from viewer.figures.map.spec import MapSpec
from viewer.pages.look.heads_table.heads_state import HeadsState
from viewer.pages.look.map.map_view import MapView
from viewer.pages.widgets.appearance import Appearance

pytestmark = pytest.mark.usefixtures("qapp")

CHANGE = {"type": "scale", "kind": "cross", "layer": 0, "head": 0, "factor": 0.0}


def with_altered(session: Session, **texts: str) -> Run:
    """A what-if run beside run `one`, shown in the pane."""
    trace = replace(sample_trace(), alterations=(CHANGE,), **texts)
    run = Run("two", trace, parent="one", alterations=(CHANGE,))
    session.add_run(run, Selection(CROSS, 0, 0, trace.steps - 1))
    return run


def test_an_altered_run_of_the_same_translation_has_the_links_of_the_untouched_one() -> None:
    session = shown(GOLD)
    run = with_altered(session)
    assert gold_in(session.document, run) == GOLD
    assert gold_of(session, "two") is None  # held once
    asked = HeadsState(session).aer_question
    assert asked is not None
    assert (asked.trace, asked.gold) == (run.trace, GOLD)


@pytest.mark.parametrize("texts", [{"tgt_text": "autre"}, {"src_text": "other"}])
def test_other_texts_have_other_links(texts: dict[str, str]) -> None:
    session = shown(GOLD)
    assert gold_in(session.document, with_altered(session, **texts)) is None


def test_a_run_that_is_made_borrows_none() -> None:
    session = shown(GOLD)
    assert gold_in(session.document, Run("three", sample_trace(), live=True)) is None


def test_links_given_to_either_are_those_of_both() -> None:
    session = shown(GOLD)
    run = with_altered(session)
    link = toggle_link(session, 0, 0, 0)
    assert link is not None
    both = gold_of(session)
    assert both == replace(GOLD.toggled(link), source=GOLD.source, target=GOLD.target)
    assert gold_in(session.document, run) == both
    set_gold(session, "two", None)
    assert gold_of(session) is None
    assert gold_in(session.document, run) is None
    session.undo()
    assert gold_in(session.document, run) == both


def test_the_map_of_an_altered_run_follows(qtbot: QtBot) -> None:
    session = shown()
    with_altered(session)
    view = MapView(session, Appearance(), 0)
    qtbot.addWidget(view)
    assert isinstance(view.spec, MapSpec)
    assert view.spec.gold is None
    set_gold(session, "one", GOLD)
    assert view.spec.gold is not None
    dialog = GoldDialog(session, session.document.runs[1])
    qtbot.addWidget(dialog)
    assert dialog.draft.gold is not None
    assert dialog.draft.gold.sure == GOLD.sure


def test_a_run_whose_links_somebody_gave_is_not_dropped_for_room() -> None:
    session = shown(Gold(((0, 0),)))
    with_altered(session)
    session.replace_run(session.document.runs[1].but(parent=None))
    assert [run.id for run in trimmed(session.document, most_runs=1).runs] == ["one", "two"]
