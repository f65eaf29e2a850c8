"""`HeadsModel`: the heads as a table: one row a head, one column a metric."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtCore import (
    QAbstractTableModel,
    QCoreApplication,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)

from model.heads.head_metrics import FACTS, GENERAL, METRICS, PLACE, Metric
from model.heads.head_report import HeadsReport
from model.heads.head_roles import Role
from model.trace.trace import AttentionKind
from viewer.document.text.lists import names
from viewer.document.text.place_text import map_place
from viewer.guarded import Guarded
from viewer.pages.look.heads_table.heads_words import (
    column_name,
    kind_short,
    meaning,
    metric_name,
    number,
    role_meaning,
    role_text,
)
from viewer.pages.widgets.plain_tip import plain

Index = QModelIndex | QPersistentModelIndex
SORT_ROLE = Qt.ItemDataRole.UserRole
SHARE_ROLE = Qt.ItemDataRole.UserRole + 1
"""How long the bar behind a number is, -1 to 1; None for no bar."""

_TABLED = tuple(metric for metric in METRICS if FACTS[metric].tabled)
METRIC_NAMES = tuple(map(str, _TABLED))
GENERAL_NAMES = tuple(map(str, GENERAL))
NUMBERS = ("likeness", *METRIC_NAMES, "importance", "aer", *GENERAL_NAMES)
COLUMNS = ("kind", "layer", "head", *NUMBERS, "role")
KIND, LAYER, HEAD, FIRST_NUMBER = range(4)
ROLE = len(COLUMNS) - 1


@dataclass(frozen=True)
class HeadRow:
    """A head in the table.

    Attributes:
        values: of `names`; None where no row counts, or where it was not measured.
        random: the same of the random model's head, empty without.
        names: `NUMBERS`, and behind them what other packages measured.
    """

    kind: AttentionKind
    layer: int
    head: int
    heads: int
    values: tuple[float | None, ...]
    random: tuple[float | None, ...] = ()
    roles: tuple[Role, ...] = ()
    names: tuple[str, ...] = NUMBERS


def names_of(rows: Sequence[HeadRow]) -> tuple[str, ...]:
    """What the values of some heads are of."""
    return rows[0].names if rows else NUMBERS


def rows_of(report: HeadsReport | None) -> tuple[HeadRow, ...]:
    """All heads in the order of kinds, layers, heads."""
    rows: list[HeadRow] = []
    if report is None:
        return ()
    corpus, added = report.corpus, report.scores.added
    names = (*NUMBERS, *(one.extension.name for one in added))
    for kind, values in report.scores.values.items():
        roles = {} if corpus is None else corpus.roles(kind)
        change = None if report.importance is None else report.importance.change.get(kind)
        cross = kind is AttentionKind.CROSS
        for layer, head in np.ndindex(values.shape[:2]):
            place = (layer, head)
            extra = _at(change, place), _at(report.aer if cross else None, place)
            like = None if report.likeness is None else report.likeness.values.get(kind)
            general = None if report.general is None else report.general.values.get(kind)
            alone = tuple(_at(general, (*place, at)) for at in range(len(GENERAL)))
            random: tuple[float | None, ...] = ()
            if corpus is not None:
                beside = _at(corpus.random_aer if cross else None, place)
                random = (None, *_known(corpus.random.values[kind][place]), None, beside)
                random += (None,) * len(GENERAL)
            own = (_at(like, place), *_known(values[place]), *extra, *alone)
            own += tuple(_at(one.values[kind], place) for one in added)
            known = roles.get(place, ())
            rows.append(HeadRow(kind, layer, head, values.shape[1], own, random, known, names))
    return tuple(rows)


def _known(values: Any) -> tuple[float | None, ...]:
    return tuple(_at(values, (PLACE[metric],)) for metric in _TABLED)


def _at(values: Any, place: tuple[int, ...]) -> float | None:
    return None if values is None or not math.isfinite(values[place]) else float(values[place])


class HeadsModel(Guarded, QAbstractTableModel):
    """Rows: see `rows_of`. Columns: `COLUMNS`, and behind them what other packages measured."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: tuple[HeadRow, ...] = ()
        self.most: tuple[float, ...] = (1.0,) * len(NUMBERS)

    def show_rows(self, rows: tuple[HeadRow, ...]) -> None:
        """Take the heads; the same ones with other numbers leave what is marked marked."""
        same = [(r.kind, r.layer, r.head) for r in rows] == [(r.kind, r.layer, r.head) for r in self.rows]
        same = same and names_of(rows) == names_of(self.rows)
        if not same:
            self.beginResetModel()
        self.rows = rows
        self.most = tuple(_most(rows, name) for name in names_of(rows))
        if not same:
            self.endResetModel()
        elif rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, self.columnCount() - 1))

    def retranslate(self) -> None:
        """Take the language in force."""
        last = self.columnCount() - 1
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, last)
        if self.rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self.rows) - 1, last))

    def numbers(self) -> list[int]:
        """Columns of numbers."""
        return [column for column in range(FIRST_NUMBER, self.columnCount()) if column != ROLE]

    def row_of(self, kind: AttentionKind, layer: int, head: int) -> int:
        """Where a head is, -1 if it is not."""
        found = ((row.kind, row.layer, row.head) == (kind, layer, head) for row in self.rows)
        return next((place for place, same in enumerate(found) if same), -1)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  (Qt's own signature)
        """Number of heads; a table has no children."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """See the class."""
        return 0 if parent.isValid() else len(names_of(self.rows)) + FIRST_NUMBER + 1

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Texts, tooltips with all digits, keys to sort by, lengths of bars."""
        if not index.isValid():
            return None
        row, column = self.rows[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(row, column)
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain(self._tip(row, column))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self._tip(row, column)
        if role == SORT_ROLE:
            return self._key(row, column)
        if role == SHARE_ROLE and _is_number(column):
            value = row.values[place_of(column)]
            return None if value is None else value / self.most[place_of(column)]
        return _side(column) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Names of the columns, and what they mean."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _side(section)
        name = names_of(self.rows)[place_of(section)] if _is_number(section) else ""
        if role == Qt.ItemDataRole.ToolTipRole:
            if name:
                return plain(metric_name(name) + "\n" + meaning(name))
            return plain(role_meaning()) if section == ROLE else None
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        if name:
            return column_name(name)
        named = {KIND: self.tr("Family"), LAYER: self.tr("Layer"), HEAD: self.tr("Head")}
        return named.get(section, self.tr("Role"))

    def _text(self, row: HeadRow, column: int) -> str:
        if column == KIND:
            return kind_short(row.kind)
        if column in (LAYER, HEAD):
            return str((row.layer if column == LAYER else row.head) + 1)
        if column == ROLE:
            return names(map(role_text, row.roles))
        return number(row.values[place_of(column)])

    def _tip(self, row: HeadRow, column: int) -> str:
        place = map_place(row.kind, row.layer, row.head, row.heads)
        if not _is_number(column):
            return "\n".join([place, *map(role_text, row.roles)])
        return value_tip(row, place, place_of(column))

    def _key(self, row: HeadRow, column: int) -> Any:
        """A float for every number: what is not there counts as NaN."""
        if column == KIND:
            return float(list(AttentionKind).index(row.kind))
        if column in (LAYER, HEAD):
            return float(row.layer if column == LAYER else row.head)
        if column == ROLE:
            return row.roles[0].score if row.roles else math.nan
        value = row.values[place_of(column)]
        return math.nan if value is None else value


def value_tip(row: HeadRow, place: str, column: int) -> str:
    """Which head, which metric, its number with six digits, and that of the random model."""
    value = row.values[column]
    name = metric_name(row.names[column])
    if value is None:
        text = QCoreApplication.translate("HeadsTable", "{name}: nothing to measure here")
        return place + "\n" + text.format(name=name)
    lines = [place, f"{name}: {value:.6g}".replace("-", "−")]
    beside = row.random[column] if column < len(row.random) else None
    if beside is not None:
        text = QCoreApplication.translate("HeadsTable", "this head with random weights: {value}")
        lines.append(text.format(value=f"{beside:.6g}"))
    return "\n".join(lines)


def place_of(column: int) -> int:
    """Which of a row's values stands in a column of numbers."""
    return column - FIRST_NUMBER - (column > ROLE)


def _is_number(column: int) -> bool:
    return column >= FIRST_NUMBER and column != ROLE


def _most(rows: tuple[HeadRow, ...], name: str) -> float:
    """What a full bar is: 1 for shares, else the largest absolute value of the table."""
    place = names_of(rows).index(name)
    bounded = name in ("likeness", "aer", *GENERAL_NAMES)
    bounded = bounded or (name in METRIC_NAMES and FACTS[Metric(name)].most is not None)
    values = [abs(value) for row in rows if (value := row.values[place]) is not None]
    return 1.0 if bounded or not any(values) else max(values)


def _side(column: int) -> Qt.AlignmentFlag:
    text = column in (KIND, ROLE)
    side = Qt.AlignmentFlag.AlignLeft if text else Qt.AlignmentFlag.AlignRight
    return side | Qt.AlignmentFlag.AlignVCenter
