"""Scores of a model on sentence pairs: BLEU and chrF of greedy translations, by sacreBLEU."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any

from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF

from model.bundle.bundle import Bundle
from model.config import Split
from model.data.corpus import references
from model.data.pairs.pair_files import FIRST_TWO, Columns, Pair, PairReader
from model.data.split import tatoeba_hash_part
from model.decoding.batch_decoding import translate_texts
from model.decoding.decodable import DecodingModel
from model.errors import HeadscopeError
from model.files.files import shown
from model.tokens.bleu_tokens import bleu_tokenizer

# A source sentence and all translations of it, in file order.
Referenced = tuple[str, list[str]]


@dataclass(frozen=True, kw_only=True)
class Scores:
    """How good the translations of distinct source sentences are.

    Attributes:
        bleu: 0 to 100, each translation against all references of its source.
        bleu_first: the same against the first reference only.
        chrf: 0 to 100, against all references.
        bleu_signature, chrf_signature: sacreBLEU's words for how `bleu` and `chrf` were measured.
        sentences: number of distinct sources.
        references: number of references in all.
    """

    bleu: float
    bleu_first: float
    chrf: float
    bleu_signature: str
    chrf_signature: str
    sentences: int
    references: int

    def to_json(self) -> dict[str, Any]:
        """Every figure by name."""
        return asdict(self)


def read_referenced(
    paths: Sequence[str],
    *,
    columns: Columns = FIRST_TWO,
    encoding: str = "auto",
    languages: tuple[str, str] = ("", ""),
    part: Split | None = None,
    swap: bool = False,
    limit: int | None = None,
) -> list[Referenced]:
    """Distinct sources of a file of pairs, or of two parallel ones, with all their targets, in file order.

    Pairs with a blank side are left out.

    Args:
        paths, columns, encoding: see `model.data.pairs.pair_files.PairReader`.
        languages: of sources and targets; which file of a zip is taken when several are in it.
        part: only pairs of this part by the hash of column 1 (`model.data.split.tatoeba_hash_part`).
        swap: sources are in column 2, targets in column 1.
        limit: only so many sources from the first on.

    Raises:
        HeadscopeError: the file cannot be read, or nothing is left of it.
    """
    kept: list[Pair] = []
    of_columns = languages[::-1] if swap else languages
    with PairReader(paths, columns, encoding, of_columns) as reader:
        for _, first, second in reader.rows():
            wanted = part is None or tatoeba_hash_part(first) == part
            if wanted and first.strip() and second.strip():
                kept.append((second, first) if swap else (first, second))
    result = list(islice(references(kept), limit))
    if not result:
        raise HeadscopeError("evaluate_nothing", path=shown(paths[0]))
    return result


def translate_all(
    model: DecodingModel, texts: Sequence[str], *, batch_size: int | None = None
) -> Iterator[tuple[int, str | None]]:
    """Greedy translations as (index, translation) in any order; None for a text too long for the model."""
    tokenizer = model.source_tokenizer
    if isinstance(model, Bundle):
        model.transformer.lay_out_for_decoding()
        model.transformer.lay_out_for_batches()
    short = []
    for index, text in enumerate(texts):
        if len(tokenizer.source_ids(text)) <= model.source_limit:
            short.append(index)
        else:
            yield index, None
    translations = translate_texts(
        model.transformer,
        tokenizer,
        model.target_tokenizer,
        [texts[index] for index in short],
        most=model.target_limit,
        rules=model.rules,
        batch_size=batch_size,
    )
    for place, translation in translations:
        yield short[place], translation


def score(translations: Sequence[str], referenced: Sequence[Referenced], language: str) -> Scores:
    """Scores of one translation for each source of `referenced`, in its order.

    Args:
        language: of the translations, which decides how BLEU cuts them into words.
    """
    targets = [several for _, several in referenced]
    most = max(map(len, targets))
    # sacreBLEU wants streams of equal length: the first reference of every sentence, the second, ...
    streams: list[list[Any]] = [
        [several[i] if i < len(several) else None for several in targets] for i in range(most)
    ]
    # force: a corpus whose full stops stand apart, as in teaching, is no mistake to be warned of.
    bleu = BLEU(tokenize=bleu_tokenizer(language), force=True)
    chrf = CHRF()
    all_references = bleu.corpus_score(translations, streams).score
    signature = str(bleu.get_signature())
    return Scores(
        bleu=all_references,
        bleu_first=bleu.corpus_score(translations, streams[:1]).score,
        chrf=chrf.corpus_score(translations, streams).score,
        bleu_signature=signature,
        chrf_signature=str(chrf.get_signature()),
        sentences=len(targets),
        references=sum(map(len, targets)),
    )
