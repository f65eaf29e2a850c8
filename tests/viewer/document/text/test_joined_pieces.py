"""One sign for a piece that continues a word, in every view of a sentence; with `raw` the piece itself."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QAbstractTableModel

from model.tokens.token_style import TokenStyle
from model.trace.trace import AttentionKind, Trace
from tests.viewer.figure_samples import CROSS, DECODER, ENCODER, trace_of
from viewer.document.alterations.words import token_name
from viewer.document.document import Document, Run, ViewOptions
from viewer.document.run_names import short_run_name
from viewer.document.selection import Selection
from viewer.document.text.token_text import piece_line, token_texts
from viewer.document.what_if.what_if import HeldToken
from viewer.export.writers import write_export
from viewer.figures.request import ExportRequest, Source
from viewer.figures.tree.spec import grow
from viewer.lessons.two_ways import row_names
from viewer.pages.look.branches.node_words import node_texts, token_words
from viewer.pages.look.branches.tokens_model import TokensModel
from viewer.pages.look.compare.tokens_model import TokensModel as ComparedModel
from viewer.pages.look.masked.masked_panel import text_chips
from viewer.pages.look.next_word.candidates_model import CandidatesModel
from viewer.pages.look.sentence.output_chips import all_chips
from viewer.pages.look.what_if.held_model import HeldModel
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.wording import step_sentence

pytestmark = pytest.mark.usefixtures("qapp")

SIGN = "⋅"
# The same two words, as SentencePiece and as WordPiece cut them; "les" and "mes" continue a word.
SENTENCEPIECE = (("▁red", "▁app", "les", "</s>"), ("▁pom", "mes", "</s>"))
WORDPIECE = (("red", "app", "##les", "[SEP]"), ("pom", "##mes", "[SEP]"))
HAND = Selection(AttentionKind.CROSS, layer=0, head=0, step=1, query=1, key=2)


def cut_trace(style: TokenStyle) -> Trace:
    source, target = WORDPIECE if style is TokenStyle.WORDPIECE else SENTENCEPIECE
    hand = {
        AttentionKind.CROSS: CROSS,
        AttentionKind.DECODER_SELF: DECODER,
        AttentionKind.ENCODER_SELF: ENCODER,
    }
    patterns = {kind: weights[None, None] for kind, weights in hand.items()}
    candidates = ((target[0],), (target[1],), (target[2],))
    return trace_of(patterns, source, target, extra={"token_style": str(style)}, candidate_tokens=candidates)


def drawn(trace: Trace, view: str, folder: Path, raw: bool, **request: Any) -> list[str]:
    """The texts of a figure's file: labels, title, caption."""
    path = folder / f"{view}-{raw}.svg"
    options = ViewOptions(raw_pieces=raw)
    write_export(Source(trace), ExportRequest(view, HAND, options, step=1, **request), path)
    texts = [
        "".join(one.itertext()) for one in ET.parse(path).getroot().iter("{http://www.w3.org/2000/svg}text")
    ]
    return ["\n".join(texts)]


def cells(model: QAbstractTableModel) -> Iterator[str]:
    for row in range(model.rowCount()):
        for column in range(model.columnCount()):
            yield str(model.index(row, column).data() or "")


def labels(trace: Trace, folder: Path, *, raw: bool) -> Mapping[str, Iterable[str]]:
    """What each view writes for the pieces of the sentence."""
    run = Run("a", trace)
    document = Document((run,))
    branched = Document((run, Run("b", trace, parent="a", branch_step=1)))
    candidates, tokens, held = CandidatesModel(), TokensModel(), HeldModel()
    compared = ComparedModel(Appearance("light"))
    candidates.show_step(trace, 1, raw)
    tokens.show_trace(trace, raw)
    compared.show_traces(trace, trace, raw)
    held.show_rows(tuple(HeldToken(n, piece, 0.5, 0.5) for n, piece in enumerate(trace.tgt_out_tokens)), raw)
    tree = grow((run,))
    found: dict[str, Iterable[str]] = {
        **{view: drawn(trace, view, folder, raw) for view in ("heatmap", "flow", "words")},
        "pieces": [piece_line(trace.src_tokens, raw=raw, style=trace.token_style)],
        "output": [chip.text for chip in all_chips(document, run, raw=raw, paused=False).at(3)],
        "masked": [
            chip.text
            for chip in text_chips(trace, token_texts(trace.src_tokens, raw=raw, style=trace.token_style))
        ],
        "next word": list(cells(candidates)),
        "tokens of a run": list(cells(tokens)),
        "compare": list(cells(compared)),
        "tree": [node.text for node in node_texts(tree, token_words(tree, (run,), raw=raw))],
        "step": [step_sentence(trace, 1, raw)],
    }
    if not raw:  # these have pieces as they are read, whatever the views show
        found["run names"] = [short_run_name(branched, run.id) for run in branched.runs]
    if not raw and trace.token_style is TokenStyle.SENTENCEPIECE:  # only our own models have these
        found |= {
            "what if": list(cells(held)),
            "alterations": [token_name(trace.src_tokens, 2)],
            "lessons": row_names(trace.tgt_in_tokens, trace.tgt_out_tokens),
        }
    return found


@pytest.mark.parametrize("style", [TokenStyle.SENTENCEPIECE, TokenStyle.WORDPIECE])
def test_every_view_joins_a_piece_to_its_word_by_the_same_sign(style: TokenStyle, tmp_path: Path) -> None:
    for view, texts in labels(cut_trace(style), tmp_path, raw=False).items():
        text = "\n".join(texts)
        assert f"{SIGN}les" in text or f"{SIGN}mes" in text, view
        assert not re.search(f"(?<!{SIGN})(?<![a-z])(les|mes)", text), (view, text)
        assert not re.search("▁|##|·", text), (view, text)


@pytest.mark.parametrize("style", [TokenStyle.SENTENCEPIECE, TokenStyle.WORDPIECE])
def test_raw_pieces_are_as_the_tokenizer_writes_them(style: TokenStyle, tmp_path: Path) -> None:
    mark = "##" if style is TokenStyle.WORDPIECE else ""
    for view, texts in labels(cut_trace(style), tmp_path, raw=True).items():
        text = "\n".join(texts)
        assert SIGN not in text, (view, text)
        assert f"{mark}les" in text or f"{mark}mes" in text, view
