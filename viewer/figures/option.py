"""Options of figures: what `render` may be told of a kind, and the ones that several kinds share."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from model.arguments import positive
from viewer.document.selection import Numbers
from viewer.figures.quantities import quantities


@dataclass(frozen=True, eq=False)
class Option:
    """A flag of `render` that makes a difference to some kinds of figure only.

    Attributes:
        name: as an attribute of parsed arguments; its flag is the same with dashes.
        settings: what `add_argument` is told of it.
        of_a_map: it stands among those that say what is drawn of a map.
        own: its value goes to `ExportRequest.own`: nobody but its kind knows it.
    """

    name: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    of_a_map: bool = False
    own: bool = True

    @property
    def flag(self) -> str:
        """As it is written."""
        return "--" + self.name.replace("_", "-")


def _heads(text: str) -> tuple[int, ...] | str:
    try:
        return "all" if text == "all" else tuple(int(part) for part in text.split(","))
    except ValueError:
        wanted = "whole numbers with commas between, nor all"
        raise argparse.ArgumentTypeError(f"{text!r} is neither {wanted}") from None


def _share(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 0 to 1")
    return value


def _of_a_map(name: str, **settings: Any) -> Option:
    return Option(name, settings, of_a_map=True, own=False)


class _NumbersNames:
    """Our own, and those of other packages, which are looked for when one is named that is not ours."""

    def __contains__(self, name: object) -> bool:
        return name in list(Numbers) or name in quantities()

    def __iter__(self) -> Iterator[str]:
        return iter([*map(str, Numbers), *quantities()])


NUMBERS = _of_a_map(
    "numbers",
    choices=_NumbersNames(),
    metavar="{" + ",".join(Numbers) + "}",
    help="instead of attention weights; all but what follows from weights alone need the model; or the name "
    "of a quantity that another package adds (`doctor` lists them)",
)
WHOLE_WORDS = _of_a_map(
    "whole_words",
    action="store_true",
    help="merge pieces into words: sums over keys, means over queries; a decoder's row is a word it reads",
)
QUERY = _of_a_map(
    "query", type=positive, metavar="N", help="row of the arithmetic; of flow and words the chosen token"
)
KEY = _of_a_map(
    "key", type=positive, metavar="N", help="column of the arithmetic (default: the row's strongest)"
)
HEADS = _of_a_map(
    "heads", type=_heads, metavar="N,N|all", help="heads of the layer to draw together (view flow)"
)
THRESHOLD = _of_a_map(
    "threshold",
    type=_share,
    metavar="W",
    help="leave out weaker lines (views flow and contributions; default 0.05)",
)
LINKS = _of_a_map(
    "links",
    metavar="LINKS",
    help='gold links of the words, such as "0-0 1-2 2p1", drawn over cross-attention',
)
SOURCE_WORDS = _of_a_map(
    "source_words",
    metavar="TEXT",
    help="the words that LINKS count, spaced (default: the sentence's)",
)
TARGET_WORDS = _of_a_map("target_words", metavar="TEXT", help="the same for the translation")
RULE = _of_a_map(
    "rule",
    choices=["predicts", "reads"],
    help="which row is a target word's (default predicts)",
)
INCOMING = _of_a_map(
    "incoming",
    action="store_true",
    help="tokens that look at the chosen one, not those it looks at (words)",
)

WORD = Option(
    "word",
    {"metavar": "WORD", "help": "word that is explained (default: the step's; of effects: what A writes)"},
)
RIVAL = Option(
    "rival",
    {
        "metavar": "WORD",
        "help": "word that it is compared with (logit, contrast, effects; there by default what B writes)",
    },
)

OF_A_MAP = (
    NUMBERS, WHOLE_WORDS, QUERY, KEY, HEADS, THRESHOLD, LINKS, SOURCE_WORDS, TARGET_WORDS, RULE, INCOMING,
)  # fmt: skip
"""Those that several kinds of figure share, in the order of the command's help."""
