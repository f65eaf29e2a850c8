"""Sentences of a file, translated one after the other, with a trace of each."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from itertools import islice
from pathlib import Path

from model.bundle.bundle import Bundle
from model.data.pairs.containers import opened
from model.data.pairs.text import TextReader
from model.decoding.decoding import decode_events, usual_config
from model.errors import HeadscopeError
from model.files.files import shown, write_error
from model.files.tensor_file import well_formed
from model.foreign.foreign_model import ForeignModel
from model.inspection.asked import Asked
from model.questions.questions import Partial
from model.questions.sentence_list import FileSentences, SentenceList, SentenceRow, row_of
from model.trace.trace_file import save_trace
from model.translator.source_check import check_text

LONGEST_LINE = 20_000
"""Letters; what is longer is no sentence, and tokenizing it would hold everything up."""


def translate_file(
    question: FileSentences, asked: Asked
) -> Iterator[tuple[int, int] | Partial | SentenceList | None]:
    """Translate greedily, every pattern recorded; a sentence that fails is a row that says why.

    Yields:
        None after every token, the list so far after each sentence; at last the whole list.

    Raises:
        HeadscopeError: the file cannot be read or has no sentences, the folder cannot be made, a trace
            cannot be saved, or `model_only_reads`.
    """
    model = asked.model
    if isinstance(model, ForeignModel) and model.read is not None:
        raise HeadscopeError("model_only_reads", name=model.name)
    lines = _lines(question)
    beyond = len(lines) > question.limit
    del lines[question.limit :]
    folder = _made(question.folder)
    rows: list[SentenceRow] = []
    yield 0, len(lines)
    for number, (line, text) in enumerate(lines, 1):
        row = yield from _translated(model, question, line, text, folder / f"{number:05d}.trace")
        rows.append(row)
        so_far = SentenceList(tuple(rows), len(lines), beyond, model.sha256)
        yield number, len(lines)
        if number < len(lines):
            yield Partial(so_far)
    yield so_far


def _translated(
    model: Bundle | ForeignModel, question: FileSentences, line: int, text: str, path: Path
) -> Generator[None, None, SentenceRow]:
    """None after every token; returns the row."""
    trace = None
    try:
        if len(text) > LONGEST_LINE:
            raise HeadscopeError("sentence_long", letters=len(text), most=LONGEST_LINE)
        check_text(model, text, any_script=question.any_script)
        for event in decode_events(model, text, usual_config(model)):
            trace = event.trace
            yield None
    except HeadscopeError as error:
        return SentenceRow(line, text, problem=HeadscopeError(error.code, **error.values))
    assert trace is not None
    save_trace(trace, path)
    return row_of(trace, line, str(path))


def _lines(question: FileSentences) -> list[tuple[int, str]]:
    """Number and text of the lines that are not blank, one more than the limit if there are more."""
    with opened(question.path) as file:
        every = enumerate(TextReader(file).lines(), 1)
        firsts = ((number, well_formed(line.split("\t")[0].strip())) for number, line in every)
        lines = list(islice(((number, text) for number, text in firsts if text), question.limit + 1))
    if not lines:
        raise HeadscopeError("sentences_none", path=shown(question.path))
    return lines


def _made(folder: str) -> Path:
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise write_error(folder, error) from None
    return Path(folder)
