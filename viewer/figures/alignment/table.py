"""Word links as files: of the numbers in view, beside the gold ones or as a line in Pharaoh format."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from model.alignment.hard import Rule, links_of
from model.alignment.links import Gold
from model.alignment.pharaoh import write_pharaoh
from model.alignment.shares import Doubles
from model.errors import HeadscopeError
from model.files.files import StrPath, replacing, write_chunks
from model.files.tensor_file import well_formed
from model.trace.trace import Trace
from viewer.document.selection import Selection
from viewer.document.text.gold_words import words_of_gold
from viewer.figures.known import Known
from viewer.figures.map.gold.build import shown_matrix
from viewer.figures.map.numbers import layer_and_head, shown_numbers
from viewer.figures.table import csv_chunks

HEADER = (
    "rule", "layer", "head", "source", "target", "source_word", "target_word", "weight", "linked", "gold",
    "notes",
)  # fmt: skip


def write_alignment_csv(
    path: StrPath,
    trace: Trace,
    selection: Selection,
    rule: Rule,
    *,
    gold: Gold | None = None,
    notes: str = "",
    known: Known | None = None,
) -> None:
    """Write a line for each two words that the numbers in view link or that the gold links join.

    Words, layers and heads count from 0. `linked` is 1 where the weight is the largest of the target word's
    row, `gold` is `sure`, `possible` or empty, `weight` that of the words: pieces merged, start and end
    tokens left out. Every line names the rule.

    Args:
        notes: what the reader must know of the numbers, repeated in each line.

    Raises:
        Missing: an answer is needed that is not known.
        HeadscopeError: `align_scores`; the gold links are another sentence's; the trace has no
            cross-attention; the file cannot be written, and an old one stays.
    """
    weights = word_weights(trace, selection, rule, gold=gold, known=known)
    lines = list(_lines(trace, selection, rule, gold, notes, weights))
    with replacing(path) as temporary:
        write_chunks(temporary, csv_chunks(lines))


def write_alignment_pharaoh(
    path: StrPath,
    trace: Trace,
    selection: Selection,
    rule: Rule,
    *,
    gold: Gold | None = None,
    one_based: bool = False,
    known: Known | None = None,
) -> None:
    """Write the links of the numbers in view as one line; errors as in `write_alignment_csv`.

    Args:
        gold: says which words are counted; its links are not written.
    """
    weights = word_weights(trace, selection, rule, gold=gold, known=known)
    write_pharaoh(path, [Gold(tuple(links_of(weights)))], one_based=one_based)


def word_weights(
    trace: Trace, selection: Selection, rule: Rule, *, gold: Gold | None = None, known: Known | None = None
) -> Doubles:
    """What the numbers in view say of the words, [target, source]; errors as in `write_alignment_csv`."""
    words = words_of_gold(trace, gold)
    if gold is not None:
        gold.check(len(words.source), len(words.target))
    matrix = shown_matrix(trace, selection, known)
    if matrix is None:
        raise HeadscopeError("align_scores")
    return words.weights(matrix, rule)


def _lines(
    trace: Trace, selection: Selection, rule: Rule, gold: Gold | None, notes: str, weights: Doubles
) -> Iterator[Sequence[object]]:
    yield HEADER
    words, linked, known_links = words_of_gold(trace, gold), links_of(weights), gold or Gold()
    layer, head = layer_and_head(selection.layer, selection.head, shown_numbers(trace, selection))
    for i, j in sorted(linked | known_links.allowed, key=lambda link: (link[1], link[0])):
        yield (
            rule,
            layer,
            head,
            i,
            j,
            well_formed(words.source[i]),
            well_formed(words.target[j]),
            f"{weights[j, i]:.9g}",
            int((i, j) in linked),
            known_links.kind_of((i, j)) or "",
            notes,
        )
