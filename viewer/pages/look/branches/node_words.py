"""A node of the tree in words: as written in it, in its tooltip, to a screen reader, to the clipboard."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QCoreApplication

from model.tokens.token_style import TokenStyle
from viewer.document.alterations.alteration_text import change_texts
from viewer.document.document import Run
from viewer.document.text.lists import clauses, phrases
from viewer.document.text.token_text import JOINT, TokenText, piece_line, special_text, token_texts
from viewer.figures.tree.spec import NodeText, TokenNode, TokenTree
from viewer.pages.look.branches.branches_state import BranchesState
from viewer.pages.look.branches.run_words import number, share_of, standing_text, verdict_text

translate = QCoreApplication.translate

_BEFORE = 4  # pieces that tell how the next one is read: as many as spell one character


def token_words(tree: TokenTree, runs: tuple[Run, ...], *, raw: bool) -> list[TokenText]:
    """The token of each node as it reads in its sentence."""
    words: list[TokenText | None] = [None] * len(tree.nodes)
    for run in runs:
        path = tree.path(run.id)
        for index, word in zip(path, token_texts(run.trace.tgt_out_tokens, raw=raw, style=tree.style)):
            words[index] = words[index] or word
    return [word or _alone(tree, index, raw) for index, word in enumerate(words)]


def node_texts(tree: TokenTree, words: list[TokenText]) -> list[NodeText]:
    """What is written in each node."""
    return [
        NodeText(_root_text(tree, node), dim=True)
        if node.parent is None
        else NodeText(words[node.index].marked, share_of(node.logprob), words[node.index].dim)
        for node in tree.nodes
    ]


def node_sentence(state: BranchesState, node: TokenNode, word: TokenText) -> str:
    """For a screen reader: "La, step 1, 93 %, run 2 of 5"."""
    parts = [
        word.text,
        translate("Branches", "step {step}").format(step=node.step + 1),
        share_of(node.logprob),
    ]
    run = state.run_of(node)
    if run is None:
        parts.append(standing_text(node))
    else:
        place = state.runs.index(run) + 1 if run in state.runs else 1
        parts.append(translate("Branches", "run {place} of {runs}").format(place=place, runs=len(state.runs)))
        if node.ends:
            parts.append(standing_text(node))
    changes = state.tree.strands[node.strand].alterations
    if changes:
        parts.append(
            translate("Branches", "altered: {changes}").format(changes=clauses(change_texts(changes)))
        )
    return phrases(parts)


def node_tip(state: BranchesState, node: TokenNode, word: TokenText) -> str:
    """All that is known of a node, in lines; of a root what its strand is."""
    if node.parent is None:
        return _root_tip(state.tree, node)
    head = translate("Branches", "“{token}”, step {step}: {share}")
    lines = [head.format(token=word.marked, step=node.step + 1, share=share_of(node.logprob))]
    lines.append(translate("Branches", "log probability {value}").format(value=number(node.logprob)))
    rank = state.rank(node)
    if rank is not None:
        lines.append(translate("Branches", "rank {rank} in the whole vocabulary").format(rank=rank))
    total = translate("Branches", "total {score}, with length penalty {penalty}: {rank}")
    lines.append(
        total.format(score=number(node.score), penalty=f"{node.penalty:g}", rank=number(node.rank_score))
    )
    lines.append(standing_text(node))
    reason = reason_text(state.tree, node)
    return "\n".join([*lines, reason] if reason else lines)


def reason_text(tree: TokenTree, node: TokenNode) -> str:
    """Why the newest beam search through a node kept or dropped it; empty if none passes."""
    if not node.hypotheses:
        return ""
    search, hypothesis = node.hypotheses[-1]
    return verdict_text(tree.searches[search].verdict(hypothesis))


def line_text(tree: TokenTree, index: int) -> str:
    """The text up to a node, as one would write it."""
    return piece_line([node.piece for node in tree.line(index)], style=tree.style).replace(JOINT, "")


def _alone(tree: TokenTree, index: int, raw: bool) -> TokenText:
    pieces: list[str] = []
    node = tree.nodes[index]
    while len(pieces) < _BEFORE:
        pieces.insert(0, node.piece)
        if node.parent is None:
            break
        node = tree.nodes[node.parent]
    return _last_word(tuple(pieces), raw, tree.style, special_text("<s>"))


@lru_cache(maxsize=16384)
def _last_word(pieces: tuple[str, ...], raw: bool, style: TokenStyle, language: str | None) -> TokenText:
    return token_texts(pieces, raw=raw, style=style)[-1]


def _root_text(tree: TokenTree, node: TokenNode) -> str:
    changes = tree.strands[node.strand].alterations
    if changes:
        return translate("Branches", "altered: {changes}").format(changes=clauses(change_texts(changes)))
    if len(tree.strands) > 1:
        return translate("Branches", "original")
    return token_texts((node.piece,), style=tree.style, starts=True)[0].text


def _root_tip(tree: TokenTree, node: TokenNode) -> str:
    changes = tree.strands[node.strand].alterations
    if not changes:
        return translate("Branches", "The start: nothing is written yet.")
    text = translate("Branches", "The model was altered here, so its probabilities differ:")
    return "\n".join([text, *change_texts(changes)])
