"""Grammar: a small English to French corpus made by rules of our own, with gold word alignments."""

from __future__ import annotations

from model.data.tasks.grammar.sentences import draw_grammar, draw_grammar_links

__all__ = ["draw_grammar", "draw_grammar_links"]
