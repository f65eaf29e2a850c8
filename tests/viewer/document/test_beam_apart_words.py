"""What the window says of hypotheses where finished ones are kept beside the beam; numbers by hand."""

from __future__ import annotations

import pytest

from viewer.document.beam_verdict import SearchTable
from viewer.document.messages.considered import Considered
from viewer.pages.look.branches.run_words import verdict_text

END = 2


def one(number: int, parent: int, step: int, token: int, score: float, fate: str) -> Considered:
    """A hypothesis; A = 1."""
    return Considered(number, parent, step, token, str(token), score, score, score / (step + 1), fate)


# A beam of two; each step considers four, best first.
SEARCH = (
    one(1, 0, 0, 7, -0.4, "kept"),
    one(2, 0, 0, END, -1.4, "finished"),
    one(3, 0, 0, 8, -1.5, "kept"),
    one(4, 0, 0, 9, -9.0, "pruned"),
    one(5, 1, 1, END, -0.8, "finished"),
    one(6, 1, 1, 7, -1.6, "kept"),
    one(7, 3, 1, END, -2.0, "pruned"),  # it ends, but at the third place
    one(8, 3, 1, 7, -2.2, "kept"),
    one(9, 6, 2, END, -1.8, "finished"),  # -0.6: drives out number 2
    one(10, 8, 2, END, -4.8, "outranked"),  # -1.6: two have ended better
    one(11, 6, 2, 8, -5.0, "kept"),
    one(12, 8, 2, 8, -5.2, "kept"),
)


def table(count: int = len(SEARCH), **changes: bool) -> SearchTable:
    return SearchTable(SEARCH[:count], 2, 1.0, **{"over": True, "apart": True, **changes})


def test_outcomes() -> None:
    found = {h.id: table().verdict(h.id) for h in SEARCH}
    assert table().winner is SEARCH[4]
    assert {number: verdict.outcome for number, verdict in found.items()} == {
        1: "won",
        2: "crowded",
        3: "unfinished",
        4: "pruned",
        5: "won",
        6: "outranked",
        7: "late",
        8: "unfinished",
        9: "outranked",
        10: "crowded",
        11: "unfinished",
        12: "unfinished",
    }
    assert found[10].last_ended == pytest.approx(-0.6)
    assert (found[4].places, found[4].last_kept, found[4].place) == (2, -1.5, 4)
    assert (found[7].place, found[7].considered) == (3, 4)


def test_words() -> None:
    words = {h.id: verdict_text(table().verdict(h.id)) for h in SEARCH}
    assert words[2].startswith("Finished. Its rank score −1.400 is not among the 2 best finished ones")
    assert words[2].endswith("the last of them has −0.600.")
    assert "−1.600 is not among the 2 best" in words[10]
    assert "total of −2.000 it ranked 3 of 4" in words[7]
    assert "only the first 2 of a step count" in words[7]
    assert words[12].startswith("Still in the beam when the search ended: 2 had finished")
    assert words[12].endswith("no higher than the last of them, −0.600.")
    assert "below the last one kept, −1.500" in words[4]


def test_behind_a_prompt_its_rows_count_as_steps() -> None:
    behind = SearchTable(SEARCH, 2, 1.0, over=True, apart=True, given=7)
    assert "At step 1 its total" in verdict_text(table().verdict(4))
    assert "At step 8 its total" in verdict_text(behind.verdict(4))


def test_while_the_search_goes_on() -> None:
    early = table(8, over=False)
    assert early.winner is None
    assert early.verdict(2).outcome == "live"
    assert early.verdict(7).outcome == "late"
    later = table(12, over=False)
    assert later.verdict(2).outcome == "crowded"
    assert later.verdict(12).outcome == "live"
    assert not later.alive(10)
    assert not later.alive(7)


def test_a_stopped_search_decided_nothing_about_its_beam() -> None:
    stopped = table(8, stopped=True)
    assert stopped.winner is None
    assert verdict_text(stopped.verdict(8)) == "In the beam when you stopped the search."
    assert verdict_text(stopped.verdict(5)) == "Finished with rank score −0.400; you stopped the search."


def test_what_the_length_limit_cut_may_win() -> None:
    search = (
        one(1, 0, 0, 7, -0.4, "kept"),
        one(2, 0, 0, END, -1.4, "finished"),
        one(3, 1, 1, 7, -0.6, "cut"),
        one(4, 1, 1, 8, -0.9, "cut"),
    )
    found = SearchTable(search, 2, 1.0, over=True, apart=True)
    assert found.winner is search[2]
    assert found.verdict(3).outcome == "won"
    assert found.verdict(2).outcome == "crowded"
    assert found.verdict(4).outcome == "outranked"
    # Where they give up their places, a finished one goes before it.
    assert SearchTable(search, 2, 1.0, over=True).winner is search[1]
