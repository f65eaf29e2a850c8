"""The tree in a file: a line a node with its own numbers; the picture holds what is in view and says so."""

from __future__ import annotations

import csv
import math
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tests.viewer.pages.look.branches.tree_samples import END, run_of
from viewer.dialogs.export_offers import offers
from viewer.document.selection import Selection
from viewer.export.page import figure_picture
from viewer.export.picture import to_svg
from viewer.export.writers import write_export
from viewer.figures.request import ExportRequest, Source
from viewer.figures.tree.build import tree_figure
from viewer.figures.tree.spec import NodeText, grow

pytestmark = pytest.mark.usefixtures("qapp")
RUNS = [run_of("one", [1, 2, END], [0.5, 0.25, 0.5]), run_of("two", [1, 3, END], [0.5, 0.125, 0.5])]


def source(upto: int | None = None) -> Source:
    tree = grow(RUNS, upto)
    texts = [NodeText(node.piece, "" if node.parent is None else f"p{node.index}") for node in tree.nodes]
    return Source(trace=RUNS[1].trace, tree=tree_figure(tree, texts, RUNS[1], upto=upto))


def test_the_table_is_the_tree_worked_out_by_hand(tmp_path: Path) -> None:
    write_export(source(), ExportRequest(view="tree"), tmp_path / "t.csv")
    with (tmp_path / "t.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["node"], row["parent"], row["step"], row["piece"]) for row in rows] == [
        ("0", "", "-1", "<s>"), ("1", "0", "0", "▁a"), ("2", "1", "1", "▁b"), ("3", "2", "2", "</s>"),
        ("4", "1", "1", "▁c"), ("5", "4", "2", "</s>"),
    ]  # fmt: skip
    assert float(rows[4]["logprob"]) == pytest.approx(math.log(0.125), abs=1e-6)
    assert float(rows[5]["score"]) == pytest.approx(math.log(0.5 * 0.125 * 0.5), abs=1e-6)
    assert [row["runs"] for row in rows] == ["one two", "one two", "one", "one", "two", "two"]
    assert [row["in_view"] for row in rows] == ["0", "1", "0", "0", "1", "1"]
    assert (rows[3]["ends"], rows[5]["ends"]) == ("one:finished", "two:finished")
    assert "notes" not in rows[0]


def test_a_tree_as_of_a_step_says_so_in_picture_and_table(tmp_path: Path) -> None:
    made = source(upto=1)
    assert made.tree is not None
    root = ET.fromstring(to_svg(figure_picture(made.tree, ExportRequest(width_mm=160.0))))
    words = {element.text for element in root.iter("{http://www.w3.org/2000/svg}text")}
    assert {"Tree of tokens", "as of step 2", "▁b", "▁c", "p3"} <= words
    assert "</s>" not in words
    write_export(made, ExportRequest(view="tree"), tmp_path / "t.csv")
    with (tmp_path / "t.csv").open(encoding="utf-8", newline="") as file:
        assert {row["notes"] for row in csv.DictReader(file)} == {"as of step 2"}


def test_the_dialog_offers_it_where_one_is_in_view() -> None:
    with_tree = offers(source(), Selection(), compared=False, asks_model=False)
    without = offers(Source(trace=RUNS[1].trace), Selection(), compared=False, asks_model=False)
    assert set(with_tree) - set(without) == {"tree"}
