"""Layout of a tree of tokens: steps are columns, a run goes on in its row, branches below it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF

from viewer.figures.canvas.frame import Words, place_words
from viewer.figures.canvas.lettering import LABEL, SMALLEST, legible, text_widths, width
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.figure import FigureSpec
from viewer.figures.tree.spec import NodeText, TokenTree, TreeSpec

ROW = 27.0
CHIP = 22.0
HEADER = 20.0
GAP = 22.0  # between columns: connectors, and the signs of what ends
PAD = 7.0
BETWEEN = 6.0  # from a token to its probability
_WIDEST = 170.0
_NARROWEST = 26.0
_SLACK = 1.0  # two letters may stand farther apart together than alone


class TreeGeometry:
    """Places of a tree's nodes, in logical pixels from its upper left corner.

    Args:
        texts: what is written in each node.

    Attributes:
        rows: row of each node, from 0.
        lefts, widths: of each column; column 0 holds the roots, column t + 1 the tokens of step t.
    """

    def __init__(self, tree: TokenTree, texts: Sequence[NodeText]) -> None:
        self.tree = tree
        self.texts = texts
        self.rows = pack_rows(tree)
        columns = max((node.step for node in tree.nodes), default=-2) + 2
        self._columns: list[list[int]] = [[] for _ in range(columns)]
        rooms = [_NARROWEST] * columns
        measured = text_widths(LABEL, True)
        for node, text in zip(tree.nodes, texts, strict=True):
            column = node.step + 1
            self._columns[column].append(node.index)
            # As `chip_width` or a little more: of thousands each is measured letter by letter.
            room = measured.of(legible(text.text)) + _SLACK + _beside(text)
            if room > rooms[column]:
                rooms[column] = room
        self.widths = [min(_WIDEST, room) for room in rooms]
        self.lefts = [PAD]
        for wide in self.widths:
            self.lefts.append(self.lefts[-1] + wide + GAP)
        for members in self._columns:
            members.sort(key=self.rows.__getitem__)
        self._places = {(node.step + 1, self.rows[node.index]): node.index for node in tree.nodes}

    @property
    def columns(self) -> int:
        """Number of columns, the roots' included."""
        return len(self._columns)

    @property
    def width(self) -> float:
        """Width of the whole tree."""
        return self.lefts[-1]

    @property
    def height(self) -> float:
        """Height of the whole tree, the header included."""
        return HEADER + ROW * (max(self.rows, default=-1) + 1) + 4

    def rect(self, index: int) -> QRectF:
        """The chip of a node."""
        column = self.tree.nodes[index].step + 1
        wide = min(self.widths[column], max(_NARROWEST, chip_width(self.texts[index])))
        return QRectF(self.lefts[column], self.y(self.rows[index]) - CHIP / 2, wide, CHIP)

    def y(self, row: int) -> float:
        """The middle of a row."""
        return HEADER + ROW * (row + 0.5)

    def column_box(self, column: int) -> QRectF:
        """All of a column, half of the gaps beside it included."""
        left = self.lefts[column] - GAP / 2
        return QRectF(left, 0, self.widths[column] + GAP, self.height)

    def members(self, column: int) -> Sequence[int]:
        """The nodes of a column from top to bottom."""
        return self._columns[column]

    def columns_between(self, left: float, right: float) -> range:
        """The columns that are at least partly between two places."""
        first = max(0, bisect_right(self.lefts, left) - 1)
        return range(first, min(self.columns, bisect_left(self.lefts, right)))

    def node_at(self, point: QPointF) -> int | None:
        """The node whose chip is there, None if there is none."""
        row = int((point.y() - HEADER) // ROW)
        column = bisect_right(self.lefts, point.x()) - 1
        index = self._places.get((column, row))
        return index if index is not None and self.rect(index).contains(point) else None

    def neighbour(self, index: int, down: bool) -> int | None:
        """The next node above or below: in the same column, else the nearest one in the next row."""
        column, row = self.tree.nodes[index].step + 1, self.rows[index]
        members = self._columns[column]
        place = members.index(index) + (1 if down else -1)
        if column and 0 <= place < len(members):
            return members[place]
        wanted = row + 1 if down else row - 1
        in_row = [(abs(c - column), i) for (c, r), i in self._places.items() if r == wanted and c > 0]
        return min(in_row)[1] if in_row else None


@dataclass(frozen=True, eq=False)
class PlacedTree:
    """A whole tree on a page, as large as its width allows.

    Attributes:
        words: title, badges and caption; in `words.room` stands the tree, from its upper left corner.
        scale: lengths on the page for one of the tree's.
    """

    spec: TreeSpec
    words: Words
    tree: TreeGeometry
    scale: float


def tree_geometry(figure: FigureSpec[TreeSpec], rect: QRectF, options: DrawOptions) -> PlacedTree:
    """Fit the tree into the width and the height that there are, never larger than its type asks for."""
    spec = figure.body
    words = place_words(rect, spec.title, "", spec.badges, figure.caption, options)
    tree = TreeGeometry(spec.tree, spec.texts)
    fitting = min(words.room.width() / tree.width, words.room.height() / tree.height)
    return PlacedTree(spec, words, tree, max(0.0, min(options.font_scale, fitting)))


def tree_height(figure: FigureSpec[TreeSpec], width: float, options: DrawOptions) -> float:
    """The height of the tree fitted into the width, and of the words around it."""
    tall = QRectF(0, 0, width, 1e6)
    place = tree_geometry(figure, tall, options)
    return tall.height() - place.words.room.height() + place.scale * place.tree.height


def chip_width(text: NodeText) -> float:
    """How wide a node is drawn; in bold, which the current one is, it needs most."""
    return min(_WIDEST, width(text.text, LABEL, True) + _beside(text))


def _beside(text: NodeText) -> float:
    share = width(text.share, SMALLEST) + BETWEEN if text.share else 0.0
    return share + 2 * PAD


def pack_rows(tree: TokenTree) -> list[int]:
    """The row of each node: the first child beside its parent, each further one in the first free row below.

    A subtree lies below its elder sibling's in every column that both have, so that short branches stand
    under each other and no line crosses a node.
    """
    below = [0] * len(tree.nodes)
    # Of each subtree the first and last row in each column, the root's own column last.
    shapes: list[tuple[list[int], list[int]]] = [([], [])] * len(tree.nodes)
    for node in reversed(tree.nodes):
        shape: tuple[list[int], list[int]] = ([], [])
        if node.children:
            shape = shapes[node.children[0]]
            for child in node.children[1:]:
                below[child] = _lay_below(shape, shapes[child])
        shape[0].append(0)
        shape[1].append(0)
        shapes[node.index] = shape
    first: tuple[list[int], list[int]] | None = None
    for strand in tree.strands:
        if first is None:
            first = shapes[strand.root]
        else:
            below[strand.root] = _lay_below(first, shapes[strand.root])
    rows: list[int] = []
    for node in tree.nodes:
        rows.append(below[node.index] + (0 if node.parent is None else rows[node.parent]))
    return rows


def _lay_below(shape: tuple[list[int], list[int]], other: tuple[list[int], list[int]]) -> int:
    """Add a shape below another one; how many rows it went down."""
    (tops, bottoms), (other_tops, other_bottoms) = shape, other
    shared = min(len(tops), len(other_tops))
    down = max(bottoms[-1 - j] - other_tops[-1 - j] + 1 for j in range(shared))
    for j in range(1, shared + 1):
        bottoms[-j] = other_bottoms[-j] + down
    if len(other_tops) > shared:
        further = len(other_tops) - shared
        tops[:0] = [top + down for top in other_tops[:further]]
        bottoms[:0] = [bottom + down for bottom in other_bottoms[:further]]
    return down
