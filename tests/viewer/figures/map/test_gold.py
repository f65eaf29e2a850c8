"""Gold links over a map: which cells, what the badge says, where they are drawn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QImage

from model.alignment.hard import Rule
from model.alignment.links import Gold
from model.trace.trace import AttentionKind, Trace
from tests.model.alignment.samples import LINKS, SOURCE, TARGET, cross_trace, one_hot, sample_trace
from tests.viewer.figure_samples import picture
from tests.viewer.gold.samples import CROSS, GOLD
from viewer.document.document import ViewOptions
from viewer.document.selection import Numbers, Selection
from viewer.document.text.gold_words import link_at
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.canvas.theme import DARK, LIGHT, Theme
from viewer.figures.canvas.zoom import Zoom
from viewer.figures.figure import FigureSpec
from viewer.figures.map.build import map_figure
from viewer.figures.map.gold.build import with_gold
from viewer.figures.map.gold.paint import gold_color, gold_rects
from viewer.figures.map.layout import MapGeometry
from viewer.figures.map.spec import MapSpec

pytestmark = pytest.mark.usefixtures("qapp")


def overlaid(
    gold: Gold | None, rule: Rule, trace: Trace | None = None, *, head: int | None = 0, **view: Any
) -> FigureSpec:
    trace = trace or sample_trace()
    selection = Selection(CROSS, 0, head, trace.steps - 1)
    return with_gold(map_figure(trace, selection, ViewOptions(**view)), gold, rule, trace, selection)


def boxes(figure: FigureSpec) -> dict[tuple[int, int], tuple[str, tuple[int, int], tuple[int, int]]]:
    """Kind, rows and columns (half-open) by link."""
    assert isinstance(figure.body, MapSpec)
    assert figure.body.gold is not None
    return {
        box.link: (box.kind, (box.first_row, box.last_row), (box.first_column, box.last_column))
        for box in figure.body.gold.boxes
    }


def test_links_lie_at_the_row_that_the_rule_names() -> None:
    gold = Gold(((0, 0), (2, 1)), ((1, 2),))
    assert boxes(overlaid(gold, "predicts")) == {
        (0, 0): ("sure", (0, 1), (0, 1)),
        (2, 1): ("sure", (1, 2), (2, 3)),
        (1, 2): ("possible", (2, 3), (1, 2)),
    }
    assert boxes(overlaid(gold, "reads")) == {
        (0, 0): ("sure", (1, 2), (0, 1)),
        (2, 1): ("sure", (2, 3), (2, 3)),
        (1, 2): ("possible", (3, 4), (1, 2)),
    }


PIECES = ("▁ap", "ple", "▁tree", "</s>")
WRITTEN = ("▁le", "▁pom", "mier", "</s>")


def trace_of_pieces() -> Trace:
    """`apple tree` → `le pommier`; rows look at keys 2, 0, 1, 3."""
    cross = [[one_hot(2, 0, 1, 3), one_hot(3, 2, 0, 1)]]
    return cross_trace(cross, PIECES, WRITTEN, src_text="apple tree", tgt_text="le pommier")


def test_a_word_of_several_pieces_has_a_box_around_all_their_cells() -> None:
    gold = Gold(((0, 1), (1, 0)))
    found = boxes(overlaid(gold, "predicts", trace_of_pieces()))
    assert found[0, 1] == ("sure", (1, 3), (0, 2))
    assert boxes(overlaid(gold, "reads", trace_of_pieces()))[0, 1] == ("sure", (2, 4), (0, 2))


def test_merged_words_have_a_cell_each() -> None:
    gold = Gold(((0, 1), (1, 0)))
    found = boxes(overlaid(gold, "predicts", trace_of_pieces(), whole_words=True))
    assert found == {(0, 1): ("sure", (1, 2), (0, 1)), (1, 0): ("sure", (0, 1), (1, 2))}
    found = boxes(overlaid(gold, "reads", trace_of_pieces(), whole_words=True))
    assert found == {(0, 1): ("sure", (2, 3), (0, 1)), (1, 0): ("sure", (1, 2), (1, 2))}


def test_hidden_tokens_move_the_boxes_and_leave_the_rate_alone() -> None:
    plain, hidden = (overlaid(GOLD, "reads", head=1, hide_specials=hide) for hide in (False, True))
    assert plain.facts["aer"] == hidden.facts["aer"]
    assert plain.facts["aer"]["reads"] == 0
    # The row that predicts the end reads "rouge": it is hidden, and its link with it.
    assert set(boxes(hidden)) == {(0, 0), (2, 1)}
    assert boxes(hidden)[2, 1] == ("sure", (2, 3), (2, 3))


def test_the_badge_names_rule_and_rate_and_the_note_both_rules() -> None:
    figure = overlaid(Gold(LINKS[:2], LINKS[2:]), "predicts")
    body = figure.body
    assert isinstance(body, MapSpec)
    assert body.gold is not None
    badge = body.badges[-1]
    assert "predicts" in badge
    assert "dashed" in badge
    assert badge.endswith("AER of this head 0.00")
    assert "AER 0.00 by the row that predicts it" in body.gold.note
    assert "AER 1.00 by the row that reads it" in body.gold.note
    assert "Och" in body.gold.note
    assert badge[1:] in figure.caption
    assert figure.facts["badges"][-1] == badge
    assert figure.facts["alignment_rule"] == "predicts"
    assert figure.facts["aer"] == {"predicts": 0.0, "reads": 1.0}
    assert Gold.from_json(figure.facts["gold"]) == Gold(LINKS[:2], LINKS[2:])
    mean = overlaid(GOLD, "reads", head=None).body
    assert "of these numbers" in mean.badges[-1]
    assert "dashed" not in mean.badges[-1]


def test_an_aggregate_has_its_own_rate() -> None:
    """The maximum over both heads: ties go to the first word, worked by hand."""
    trace = sample_trace()
    selection = Selection(CROSS, 0, 0, 3, numbers=Numbers.MAX_HEADS)
    figure = with_gold(map_figure(trace, selection, ViewOptions()), GOLD, "predicts", trace, selection)
    cells = np.maximum(one_hot(0, 2, 1, 3), one_hot(3, 0, 2, 1))[:3, :3]
    links = {(int(row.argmax()), j) for j, row in enumerate(cells)}
    assert links == {(0, 0), (0, 1), (1, 2)}
    assert figure.facts["aer"]["predicts"] == pytest.approx(1 - 4 / 6)


def test_where_there_is_nothing_to_draw_the_figure_stays() -> None:
    trace = sample_trace()
    for gold in (None, Gold(((7, 7),)), Gold(((0, 0),), source="another sentence")):
        figure = overlaid(gold, "predicts")
        assert figure.body.badges == map_figure(trace, Selection(CROSS, 0, 0, 3), ViewOptions()).body.badges
    from tests.viewer.figure_samples import sample_trace as three_families

    others = three_families()
    selection = Selection(AttentionKind.DECODER_SELF, 0, 0, 2)
    plain = map_figure(others, selection, ViewOptions())
    assert with_gold(plain, Gold(((0, 0),)), "predicts", others, selection) is plain


def test_a_decoding_in_rounds_has_one_rule() -> None:
    trace = sample_trace(tgt_in_tokens=("<s>", "▁x", "▁y", "▁z"))
    assert overlaid(GOLD, "predicts", trace).facts["aer"] == {"predicts": 0.0}
    assert "gold" not in overlaid(GOLD, "reads", trace).facts


@pytest.mark.parametrize(
    ("rule", "query", "key", "link"),
    [
        ("predicts", 0, 0, (0, 0)),
        ("predicts", 1, 2, (2, 1)),
        ("predicts", 3, 0, None),  # predicts the end
        ("predicts", 0, 3, None),  # the end of the source
        ("reads", 0, 0, None),  # reads the start
        ("reads", 1, 2, (2, 0)),
        ("reads", 3, 1, (1, 2)),
    ],
)
def test_the_words_of_a_cell(rule: Rule, query: int, key: int, link: tuple[int, int] | None) -> None:
    assert link_at(sample_trace(), None, rule, query, key) == link


def colour(image: QImage, x: float, y: float) -> tuple[int, int, int]:
    scale = image.devicePixelRatio()
    pixel = image.pixelColor(int(x * scale), int(y * scale))
    return pixel.red(), pixel.green(), pixel.blue()


def near(found: tuple[int, int, int], theme: Theme) -> bool:
    wanted = gold_color(theme)
    return all(abs(a - b) < 40 for a, b in zip(found, (wanted.red(), wanted.green(), wanted.blue())))


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_boxes_are_seen_over_any_weight(theme: Theme) -> None:
    """Over the weight 1 and over the weight 0, solid for sure and with gaps for possible links."""
    gold = Gold(((0, 0), (1, 0)), ((2, 1), (2, 0)))
    image, place = picture(overlaid(gold, "predicts"), theme=theme, scale=2.0)
    assert isinstance(place, MapGeometry)
    rects = {box.link: (box.kind, rect) for box, rect in gold_rects(place)}
    assert set(rects) == {(0, 0), (1, 0), (2, 1), (2, 0)}
    for kind, rect in rects.values():
        middle = [
            near(colour(image, x, rect.top()), theme)
            for x in np.linspace(rect.left() + 5, rect.right() - 5, 40)
        ]
        assert any(middle)
        assert all(middle) == (kind == "sure")


def test_a_box_is_where_the_cells_are() -> None:
    _, place = picture(overlaid(Gold(((0, 1),)), "predicts", trace_of_pieces()))
    assert isinstance(place, MapGeometry)
    ((_, rect),) = gold_rects(place)
    cells = place.rect_of(1, 0).united(place.rect_of(2, 1))
    assert cells.contains(rect)
    assert rect.width() > 0.7 * cells.width()
    assert rect.height() > 0.7 * cells.height()


def test_only_what_is_in_view_is_drawn() -> None:
    figure = overlaid(Gold(((0, 1), (1, 0))), "predicts", trace_of_pieces())
    _, place = picture(figure, options=DrawOptions(zoom=Zoom(2, 4, 0, 2)))
    assert isinstance(place, MapGeometry)
    assert (place.first_row, place.first_column) == (2, 0)
    ((box, rect),) = gold_rects(place)
    assert box.link == (0, 1)
    assert place.map_rect.contains(rect)


def test_rows_of_later_steps_have_no_boxes_yet() -> None:
    trace = sample_trace()
    selection = Selection(CROSS, 0, 0, 1)
    figure = with_gold(map_figure(trace, selection, ViewOptions()), GOLD, "predicts", trace, selection)
    _, place = picture(figure)
    assert isinstance(place, MapGeometry)
    assert {box.link for box, _ in gold_rects(place)} == {(0, 0), (2, 1)}
    assert figure.facts["aer"]["predicts"] == 0  # of the whole translation


def test_tiny_cells_keep_a_box_that_can_be_seen() -> None:
    steps = 300
    source = (*(f"▁a{n}" for n in range(steps)), "</s>")
    target = (*(f"▁b{n}" for n in range(steps)), "</s>")
    texts = {
        "src_text": " ".join(piece[1:] for piece in source[:-1]),
        "tgt_text": " ".join(piece[1:] for piece in target[:-1]),
    }
    trace = cross_trace([[np.eye(steps + 1)]], source, target, **texts)
    _, place = picture(overlaid(Gold(((7, 9),)), "predicts", trace))
    assert isinstance(place, MapGeometry)
    ((_, rect),) = gold_rects(place)
    assert min(rect.width(), rect.height()) >= 4
    assert (rect.center() - place.rect_of(9, 7).center()).manhattanLength() < 1
    assert place.rect_of(9, 7).center() != QPointF()


def test_pieces_and_words_are_those_of_the_samples() -> None:
    assert (SOURCE[2], TARGET[1]) == ("▁car", "▁voiture")
