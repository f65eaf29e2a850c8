"""BlockToken in the window: its words, and the tokens that are blocked."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from model.alterations.block_token import BlockToken
from model.trace.trace import Trace
from viewer.document.alterations.edits import Changes
from viewer.document.alterations.row import AlterationRow
from viewer.document.alterations.set_row import upset
from viewer.document.alterations.words import token_name
from viewer.document.text.input_text import input_tokens

translate = QCoreApplication.translate


class BlockTokenRow(AlterationRow[BlockToken]):
    """A source token that nobody may read."""

    section = "viewer.pages.look.what_if.source_section:SourceSection"

    def text(self, change: BlockToken, trace: Trace | None) -> str:
        """See `AlterationRow`."""
        name = token_name(None if trace is None else input_tokens(trace), change.token)
        if trace is not None and trace.prompt_length:
            return translate("Alterations", "prompt token {token} blocked").format(token=name)
        return translate("Alterations", "source token {token} blocked").format(token=name)


def is_blocked(changes: Changes, token: int) -> bool:
    """Whether a source token is blocked."""
    return BlockToken(token) in changes


def blocked_tokens(changes: Changes) -> frozenset[int]:
    """The source tokens that are blocked."""
    return frozenset(change.token for change in changes if isinstance(change, BlockToken))


def with_block(changes: Changes, token: int, blocked: bool, *, prompted: bool = False) -> Changes:
    """The changes with a source token blocked or not.

    Rows set to look at it go, and so do those whose weights were typed in, one for each token that they may
    attend to: that is another number of tokens now.

    Args:
        prompted: it is a token of a prompt, which the decoder's self-attention reads.
    """
    if is_blocked(changes, token) == blocked:
        return changes
    new = BlockToken(token)
    kept = tuple(change for change in changes if change != new and not upset(change, token, prompted))
    return (*kept, new) if blocked else kept
