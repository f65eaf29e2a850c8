"""Gold links in the document: given, undone, saved, opened, damaged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from model.alignment.links import Gold
from model.errors import HeadscopeError
from model.trace.trace import ArrayPatterns
from tests.model.alignment.samples import LINKS, sample_trace
from tests.viewer.gold.samples import GOLD, gold_of, shown
from viewer.document.document import Run, ViewOptions
from viewer.document.files.session_file import ModelRef, open_session, save_session
from viewer.document.gold.gold_draft import draft_of
from viewer.document.gold.gold_edits import can_have_gold, empty_gold, set_gold, toggle_link
from viewer.document.session import Session

pytestmark = pytest.mark.usefixtures("qapp")


def test_links_are_given_and_taken_back() -> None:
    session = shown()
    said: list[str] = []
    session.run_grew.connect(said.append)
    set_gold(session, "one", GOLD)
    assert gold_of(session) == GOLD
    assert said == ["one"]
    assert "gold" in session.undo_name
    set_gold(session, "one", GOLD)  # the same again is no change
    session.undo()
    assert gold_of(session) is None
    session.redo()
    assert gold_of(session) == GOLD
    set_gold(session, "one", None)
    assert gold_of(session) is None


def test_links_that_are_given_are_shown() -> None:
    session = shown()
    session.set_view(gold_links=False)
    set_gold(session, "one", GOLD)
    assert session.view.to_json()["gold_links"] is True
    session.undo()
    assert session.view.to_json()["gold_links"] is False
    assert gold_of(session) is None


def test_a_run_that_is_made_has_none_yet() -> None:
    session = shown()
    session.replace_run(Run("one", sample_trace(), live=True))
    assert not can_have_gold(session.run())
    set_gold(session, "one", GOLD)
    assert gold_of(session) is None
    assert not can_have_gold(None)
    assert not can_have_gold(Run("x", sample_trace(patterns=ArrayPatterns({}))))


def test_a_cell_toggles_the_link_of_its_words() -> None:
    session = shown()
    assert toggle_link(session, 0, 1, 2) == (2, 1)
    assert gold_of(session) == Gold(((2, 1),), (), "the red car", "la voiture rouge")
    toggle_link(session, 0, 1, 2)
    assert gold_of(session) == Gold((), ((2, 1),), "the red car", "la voiture rouge")
    session.set_view(alignment_rule="reads")
    assert toggle_link(session, 0, 2, 2) == (2, 1)
    found = gold_of(session)
    assert found is not None
    assert not found.allowed
    assert toggle_link(session, 0, 0, 0) is None  # reads the start
    assert toggle_link(session, 0, 1, 3) is None  # the end
    assert toggle_link(session, 1, 1, 1) is None  # no such pane


def test_links_of_another_sentence_say_so() -> None:
    session = shown(Gold(LINKS, source="a bus"))
    with pytest.raises(HeadscopeError):
        toggle_link(session, 0, 1, 1)
    assert gold_of(session) == Gold(LINKS, source="a bus")


def saved(folder: Path, session: Session) -> Path:
    place = folder / "a.headscope"
    save_session(place, session.document, "the red car", ModelRef("m", "m", "0" * 64))
    return place


def test_sessions_keep_links_rule_and_option(tmp_path: Path) -> None:
    gold = Gold(LINKS[:2], LINKS[2:], "the red car", "la voiture rouge")
    session = shown(gold)
    session.set_view(gold_links=False, alignment_rule="reads")
    document = open_session(saved(tmp_path, session)).document
    assert document.runs[0].gold == gold
    assert (document.view.gold_links, document.view.alignment_rule) == (False, "reads")


def rewritten(place: Path, change: Any) -> None:
    path = place / "session.json"
    values = json.loads(path.read_text("utf-8"))
    change(values)
    path.write_text(json.dumps(values), "utf-8")


def test_sessions_of_before_open_without_links(tmp_path: Path) -> None:
    place = saved(tmp_path, shown(GOLD))

    def older(values: Any) -> None:
        del values["runs"][0]["gold"]
        del values["view"]["gold_links"], values["view"]["alignment_rule"]

    rewritten(place, older)
    document = open_session(place).document
    assert document.runs[0].gold is None
    assert document.view == ViewOptions()


@pytest.mark.parametrize("gold", [3, "0-0", {"sure": [[0]]}, {"sure": [[0, -1]]}, {"source": 1}])
def test_damaged_links_are_said(tmp_path: Path, gold: object) -> None:
    place = saved(tmp_path, shown(GOLD))
    rewritten(place, lambda values: values["runs"][0].update(gold=gold))
    with pytest.raises(HeadscopeError) as caught:
        open_session(place)
    assert caught.value.code == "session_invalid"


@pytest.mark.parametrize("values", [{"alignment_rule": "both"}, {"alignment_rule": 1}, {"gold_links": 1}])
def test_damaged_options_are_refused(values: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"alignment_rule|gold_links"):
        ViewOptions.from_json(values)


def test_drafts() -> None:
    trace = sample_trace()
    draft = draft_of(trace, "0-0 2-1 1p2", one_based=False, source="", target=" la  voiture rouge")
    assert draft.problem is None
    assert draft.gold == Gold(((0, 0), (2, 1)), ((1, 2),), "the red car", "la voiture rouge")
    assert draft.pairs == (("the", "la", True), ("car", "voiture", True), ("red", "rouge", False))
    for links, words, code in (
        ("0-0 x", "", "pharaoh_link"),
        ("0-3", "", "pharaoh_range"),
        ("0-0\n1-1", "", "pharaoh_several"),
        ("0-0", "the bus", "align_source_differs"),
    ):
        draft = draft_of(trace, links, one_based=False, source=words, target="")
        assert draft.gold is None
        assert draft.problem is not None
        assert draft.problem.code == code
        assert draft.pairs == ()
        assert bool(draft.source) == (not words)
    assert draft_of(trace, "3-3", one_based=True, source="", target="").gold is not None


def test_the_words_of_no_links_yet() -> None:
    assert empty_gold(Run("x", sample_trace())) == Gold(source="the red car", target="la voiture rouge")
