"""Building a tree of tokens: the picture of what was decoded of one sentence, as it is in view."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication

from viewer.document.document import Run
from viewer.figures.figure import FigureSpec
from viewer.figures.text import provenance_caption, trace_facts
from viewer.figures.tree.spec import NodeText, TokenTree, TreeSpec


def tree_figure(
    tree: TokenTree, texts: Sequence[NodeText], run: Run, *, upto: int | None = None, dropped: bool = True
) -> FigureSpec[TreeSpec]:
    """The picture of a tree; caption and facts are those of the run in view.

    Args:
        texts: what is written in each node.
        upto: the tree is as of that step, counted from 0; None of a whole one.
        dropped: hypotheses that the search dropped are in it.
    """
    translate, badges = QCoreApplication.translate, []
    if upto is not None:
        badges.append(translate("Figure", "as of step {step}").format(step=upto + 1))
    if not dropped and tree.searches:
        badges.append(translate("Figure", "without dropped hypotheses"))
    title = translate("Figure", "Tree of tokens")
    spec = TreeSpec(tree, tuple(texts), frozenset(tree.path(run.id)), title, tuple(badges))
    facts = {**trace_facts(run.trace), "view": "tree", "step": upto, "badges": badges}
    signs = translate(
        "Figure", "A square: finished; two bars: cut by the length limit; a cross: dropped by the search."
    )
    caption = provenance_caption(run.trace, title, spec.badges, run.provenance, [signs])
    return FigureSpec(spec, caption, facts)
