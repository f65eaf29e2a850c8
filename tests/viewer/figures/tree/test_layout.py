from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter

from tests.viewer.pages.look.branches.tree_samples import END, PlainBeam, run_of
from viewer.figures.canvas.fonts import figure_font
from viewer.figures.canvas.lettering import LABEL
from viewer.figures.canvas.theme import LIGHT
from viewer.figures.tree.layout import HEADER, PAD, TreeGeometry, pack_rows
from viewer.figures.tree.paint import TreeMarks, paint_tree, sign_of
from viewer.figures.tree.spec import NodeText, TokenTree, grow


def random_tree(seed: int, runs: int = 12, steps: int = 9, words: int = 3) -> TokenTree:
    rng = np.random.default_rng(seed)
    drawn = [rng.integers(1, words + 1, size=rng.integers(1, steps)).tolist() for _ in range(runs)]
    return grow([run_of(str(i), tokens, [0.5] * len(tokens)) for i, tokens in enumerate(drawn)])


def geometry(tree: TokenTree) -> TreeGeometry:
    return TreeGeometry(tree, [NodeText(node.piece, "50 %") for node in tree.nodes])


@pytest.mark.parametrize("seed", range(6))
def test_no_two_nodes_meet_and_no_line_crosses_a_node(seed: int) -> None:
    tree = random_tree(seed) if seed else grow([PlainBeam(3, vocab=6, beam=4, limit=8, penalty=1.0).run()])
    rows = pack_rows(tree)
    places = {(node.step, rows[node.index]): node.index for node in tree.nodes}

    assert len(places) == len(tree.nodes)
    for node in tree.nodes:
        for place, child in enumerate(node.children):
            assert rows[child] == rows[node.index] if place == 0 else rows[child] > rows[node.index]
            # The line goes down in the gap before the child: no other line may cross that gap on its way.
            for between in range(rows[node.index] + 1, rows[child]):
                crossing = places.get((node.step + 1, between))
                assert (
                    crossing is None
                    or tree.nodes[crossing].parent == node.index
                    or rows[tree.nodes[crossing].parent or 0] != between
                )


def test_short_branches_stand_under_each_other_not_below_the_whole_tree() -> None:
    long = run_of("long", [1, 1, 1, 1], [0.5] * 4)
    early, late = run_of("early", [2], [0.5]), run_of("late", [1, 1, 1, 2], [0.5] * 4)

    tree = grow([long, late, early])

    rows = pack_rows(tree)
    assert [rows[tree.path(name)[-1]] for name in ("long", "late", "early")] == [0, 1, 1]


def test_strands_stand_below_each_other() -> None:
    plain, altered = (
        run_of("p", [1, 2], [0.5] * 2),
        run_of("a", [1], [0.5], alterations=({"type": "block", "token": 0},)),
    )

    tree = grow([plain, altered])

    rows = pack_rows(tree)
    assert rows == [0, 0, 0, 1, 1]


def test_a_thousand_steps_are_one_row() -> None:
    tree = grow([run_of("long", [1] * 1500, [0.9] * 1500)])

    assert set(pack_rows(tree)) == {0}


def test_what_is_clicked_is_what_is_drawn(qapp: object) -> None:
    place = geometry(random_tree(4))

    for node in place.tree.nodes:
        rect = place.rect(node.index)
        assert place.node_at(rect.center()) == node.index
        assert place.node_at(QPointF(rect.right() + 3, rect.center().y())) is None
    assert place.node_at(QPointF(2, 2)) is None
    assert place.height > HEADER


def test_up_and_down_go_to_the_branch_beside(qapp: object) -> None:
    runs = [
        run_of("one", [1, 1, 1], [0.5] * 3),
        run_of("two", [1, 2], [0.5] * 2),
        run_of("three", [1, 3], [0.5] * 2),
    ]
    tree = grow(runs)
    place = geometry(tree)
    one, two, three = (tree.path(name)[1] for name in ("one", "two", "three"))

    assert place.neighbour(one, down=True) == two
    assert place.neighbour(three, down=False) == two
    assert place.neighbour(one, down=False) is None
    assert place.neighbour(tree.path("one")[2], down=True) == two  # nothing below it in its column
    assert place.neighbour(three, down=True) is None


def test_only_what_is_visible_is_drawn_and_alike(qapp: object) -> None:
    place = geometry(random_tree(5))
    area = QRectF(60, HEADER, 200, 120)
    images = []
    for visible in (None, area):
        image = QImage(int(place.width), int(place.height), QImage.Format.Format_RGB32)
        image.fill(LIGHT.color("panel"))
        painter = QPainter(image)
        painter.setClipRect(area)
        paint_tree(painter, place, LIGHT, TreeMarks(step=1), visible)
        painter.end()
        images.append(image)

    assert images[0] == images[1]


@pytest.mark.parametrize("text", ["Ab-J", "AAAA", "-Q-", "AVATAR", "\u6ce8\u610f\u529b"])
def test_a_node_in_bold_type_has_its_whole_text(qapp: object, text: str) -> None:
    tree = grow([run_of("one", [1, END], [0.25, 1.0])])
    place = TreeGeometry(tree, [NodeText(text) for _ in tree.nodes])
    taken = QFontMetricsF(figure_font(LABEL, bold=True)).horizontalAdvance(text)
    for node in tree.nodes:
        assert place.rect(node.index).width() >= taken + 2 * PAD


def test_the_bar_at_the_foot_is_as_long_as_the_probability(qapp: object) -> None:
    tree = grow([run_of("one", [1, END], [0.25, 1.0])])
    place = TreeGeometry(tree, [NodeText("", "") for _ in tree.nodes])
    image = QImage(int(place.width), int(place.height), QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    paint_tree(painter, place, LIGHT, TreeMarks())
    painter.end()

    lengths = []
    for index in (1, 2):
        rect = place.rect(index)
        y = int(rect.bottom() - 1.75)
        bar = QColor(LIGHT.faint)
        row = [image.pixelColor(x, y) for x in range(int(rect.left()), int(rect.right()))]
        lengths.append(sum(abs(c.red() - bar.red()) + abs(c.blue() - bar.blue()) < 40 for c in row))
    assert lengths[1] > 0
    assert lengths[0] == pytest.approx(lengths[1] / 4, abs=2)


def test_signs_say_how_things_end() -> None:
    beam = PlainBeam(1, vocab=5, beam=3, limit=6, penalty=1.0)
    stopped = run_of("x", [9], [0.5], cancelled=True)
    tree = grow([beam.run(), stopped])

    assert sign_of(tree.nodes[tree.path("x")[-1]]) == "cancelled"
    for node in tree.nodes:
        if node.hypotheses and node.standing == "dropped" and not node.children:
            assert sign_of(node) == "dropped"
    assert {"finished", "dropped", "cancelled"} <= {sign_of(node) for node in tree.nodes}
