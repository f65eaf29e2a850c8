"""What runs are called: worked out once for the same runs, anew for others and in another language."""

from __future__ import annotations

from typing import Any

import pytest

from tests.viewer.fake_source import small_trace
from viewer.document import run_names as names
from viewer.document.document import Document, Run
from viewer.document.run_names import run_names, short_run_name

EXAMPLE = {"source": "recorded"}


@pytest.fixture
def named(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The runs whose names were worked out."""
    worked: list[str] = []
    name = names._name

    def noted(run: Run, **given: Any) -> str:
        worked.append(run.id)
        return name(run, **given)

    monkeypatch.setattr(names, "_name", noted)
    return worked


def test_names_are_worked_out_once_for_the_same_runs(named: list[str]) -> None:
    document = Document((Run("a", small_trace(5)), Run("b", small_trace(4), provenance=EXAMPLE)))
    first = run_names(document)
    assert run_names(document) == first
    assert short_run_name(document, "b") == short_run_name(document, "b") == "recorded"
    assert named == ["a", "b"]
    first["a"] = "changed"  # whoever asked may do with it what they like
    assert run_names(document)["a"] != "changed"


def test_other_runs_have_other_names(named: list[str]) -> None:
    document = Document((Run("a", small_trace(5)), Run("b", small_trace(5))))
    one = run_names(document)
    other = run_names(Document(document.runs[:1]))
    assert one["b"] == f"{one['a']} (2)"
    assert other == {"a": one["a"]}
    assert named == ["a", "b", "a"]
    assert short_run_name(document, "gone") == ""


def test_another_language_has_other_names(monkeypatch: pytest.MonkeyPatch) -> None:
    document = Document((Run("b", small_trace(4), provenance=EXAMPLE),))
    before = run_names(document), short_run_name(document, "b")

    class Upper:
        @staticmethod
        def translate(context: str, text: str) -> str:
            return text.upper()

    monkeypatch.setattr(names, "QCoreApplication", Upper)
    after = run_names(document), short_run_name(document, "b")
    assert after[0]["b"].startswith("RECORDED")
    assert before[1] == "recorded"
    assert after[1] == "RECORDED"
