"""INSPECTOR: every panel of the inspector, in the order of its tabs."""

from __future__ import annotations

from viewer.pages.look.arithmetic.arithmetic_panel import ARITHMETIC
from viewer.pages.look.masked.word_tab import WORD
from viewer.pages.look.panel import PanelRow
from viewer.pages.look.what_if.what_if_panel import WHAT_IF

INSPECTOR: list[PanelRow] = [WORD, ARITHMETIC, WHAT_IF]
