"""DRAWER: every panel of the drawer, in the order of its tabs."""

from __future__ import annotations

from viewer.pages.look.branches.branches_panel import BRANCHES
from viewer.pages.look.compare.compare_panel import COMPARE
from viewer.pages.look.heads_table.heads_table_panel import HEADS_TABLE
from viewer.pages.look.panel import PanelRow
from viewer.pages.look.sentences.sentences_panel import SENTENCES

DRAWER: list[PanelRow] = [BRANCHES, COMPARE, HEADS_TABLE, SENTENCES]
