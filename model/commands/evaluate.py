"""`evaluate`: BLEU and chrF of a model on a file of sentence pairs."""

from __future__ import annotations

import argparse

from model.arguments import positive
from model.commands.console import DONE, Progress, emit, parser, put, say
from model.commands.decoding_options import add_computing_arguments, use_threads
from model.commands.pair_options import add_pair_files, add_part, part_of
from model.errors import HeadscopeError
from model.folder.bundled import resolve_model
from model.folder.families import Family, family_of
from model.folder.model_folder import FolderKind, inspect_folder


def build_parser() -> argparse.ArgumentParser:
    """The command's arguments."""
    result = parser("evaluate", "Translate the distinct source sentences of a file greedily and score them.")
    add = result.add_argument
    files = result.add_mutually_exclusive_group(required=True)
    add_pair_files(result, files)
    add(
        "--encoding",
        default="auto",
        metavar="NAME",
        help="encoding of the files (default: detected)",
    )
    add_part(result)
    add("--swap", action="store_true", help="translate from column 2 to column 1")
    add("--limit", type=positive, metavar="N", help="only the first N distinct sources")
    add(
        "--batch-size",
        type=positive,
        metavar="N",
        help="most sentences at once (default: as fit together by their length)",
    )
    add_computing_arguments(result)
    add("--json", action="store_true", help="one JSON object on stdout")
    return result


def run(argv: list[str]) -> int:
    """See `headscope evaluate --help`."""
    arguments = build_parser()
    given = arguments.parse_args(argv)
    part = part_of(given, arguments)
    use_threads(given.threads)
    from model.translator.evaluation import read_referenced, score, translate_all
    from model.translator.load_model import load_model

    _check_model(given.model)
    model = load_model(given.model)
    referenced = read_referenced(
        given.parallel or [given.pairs],
        columns=tuple(given.columns),
        encoding=given.encoding,
        languages=model.languages,
        part=part,
        swap=given.swap,
        limit=given.limit,
    )
    translations = [""] * len(referenced)
    progress = Progress()
    sources = [source for source, _ in referenced]
    for done, (index, text) in enumerate(translate_all(model, sources, batch_size=given.batch_size), 1):
        if text is None:
            say(f"a sentence is too long for the model and counts as not translated: {sources[index][:60]}…")
        translations[index] = text or ""
        progress.tell(f"translated {done} of {len(sources)}")
    scores = score(translations, referenced, model.languages[1])
    if given.json:
        emit(scores.to_json())
    else:
        put(f"BLEU {scores.bleu:.2f} by all references, {scores.bleu_first:.2f} by the first")
        put(f"chrF {scores.chrf:.2f}")
        put(f"{scores.sentences} sentences, {scores.references} references")
        put(scores.bleu_signature)
        put(scores.chrf_signature)
    return DONE


def _check_model(name: str) -> None:
    """Refuse a model whose output is no translation, before it is loaded: it would be scored as one.

    Raises:
        HeadscopeError: `model_only_reads`, `evaluate_goes_on`; there is no such model.
    """
    found = inspect_folder(resolve_model(name))
    family = family_of(found.values) if found.kind is FolderKind.FOREIGN else Family.ENCODER_DECODER
    if family is Family.ENCODER_ONLY:
        raise HeadscopeError("model_only_reads", name=found.name)
    if family is Family.DECODER_ONLY:
        raise HeadscopeError("evaluate_goes_on", name=found.name)
