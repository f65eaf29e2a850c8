"""`translate`: sentences from the command line or standard input, as text or as JSON lines."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING

from model.alterations.alteration import Alteration
from model.alterations.arguments import alterations_of
from model.alterations.read_layer import EVERY_LAYER, ReadLayer
from model.arguments import positive
from model.commands.console import DONE, FAILED, emit, one_line, parser, put, say
from model.commands.decode_arguments import add_decoding_arguments, decode_config
from model.commands.decoding_options import for_model, use_threads
from model.commands.standard_input import STDIN, is_live, lines, one_text
from model.commands.windows import windows
from model.decoding.decode_config import DecodeConfig
from model.errors import HeadscopeError
from model.files.tensor_file import well_formed
from model.tokens.spelling import unknown_characters
from model.tokens.token_style import TokenStyle

if TYPE_CHECKING:
    from model.translator.translation import Translation
    from model.translator.translator import Translator

    Result = list[Translation] | HeadscopeError
    """Hypotheses of a sentence, best first, or why there are none."""


def build_parser() -> argparse.ArgumentParser:
    """The command's arguments."""
    result = parser(
        "translate",
        "Translate sentences; a model without an encoder goes on with them, one of masked words fills in.",
    )
    result.add_argument("text", nargs="+", metavar="TEXT", help="sentences, or - for lines of standard input")
    add_decoding_arguments(result)
    result.add_argument(
        "--n-best", type=int, metavar="N", help="number of hypotheses to print of a beam search"
    )
    result.add_argument(
        "--batch-size",
        type=positive,
        metavar="N",
        help="most sentences decoded at once (greedy only; default: as many as are there, by their length)",
    )
    result.add_argument("--pieces", action="store_true", help="print the pieces instead of the text")
    result.add_argument("--json", action="store_true", help="one JSON object per line")
    return result


def run(argv: list[str]) -> int:
    """See `headscope translate --help`; status 1 if any sentence could not be translated."""
    arguments = build_parser()
    given = arguments.parse_args(argv)
    if given.target is not None and len(given.text) > 1:
        arguments.error("--target: a translation can be forced for one TEXT only")
    every_layer = given.read_layer == EVERY_LAYER
    if every_layer:
        given.read_layer = None
    config, alterations = decode_config(given, arguments), alterations_of(given, arguments)
    if given.target is not None:
        given.text = [one_text(given.text[0])]
    use_threads(given.threads)
    # What comes in while the model is loaded is translated together.
    sentences = windows(_sentences(given.text), live=STDIN in given.text and is_live())
    from model.translator.translator import Translator

    translator = Translator.load(given.model)
    wish = _Wish(for_model(config, given, translator.model), alterations, given.any_script, given.batch_size)
    if every_layer:
        return _from_every_layer(given, chain.from_iterable(sentences), translator, wish)
    status, number = DONE, 0
    for window in sentences:
        for result in _in_order(_translate(window, translator, wish)):
            number += 1
            if isinstance(result, HeadscopeError):
                status = FAILED
            else:
                _say_unknown(number, result[0].src_tokens, translator.model.source_tokenizer.style)
            if given.json:
                emit(_to_json(result, given.n_best is not None))
            else:
                _print(number, result, given.pieces)
    return status


def _from_every_layer(
    given: argparse.Namespace,
    sentences: Iterable[str | HeadscopeError],
    translator: Translator,
    wish: _Wish,
) -> int:
    """A translation from each encoder layer (DecoderLens): a line each, from the embeddings on."""
    from model.bundle.bundle import Bundle

    if not isinstance(translator.model, Bundle):
        raise HeadscopeError("source_cannot", name=translator.model.name)
    status = DONE
    for number, text in enumerate(sentences, start=1):
        for layer in range(translator.model.config.architecture.encoder_layers + 1):
            changes = (*wish.alterations, ReadLayer(layer))
            result = _alone(text, translator, replace(wish, alterations=changes))
            if isinstance(result, HeadscopeError):
                status = FAILED
            if given.json:
                emit({"read_layer": layer, **_to_json(result, given.n_best is not None)})
            elif isinstance(result, HeadscopeError):
                _print(number, result, given.pieces)
            else:
                best = result[0]
                mean = best.score / max(1, len(best.steps))
                put(f"{layer}\t{mean:.4f}\t{_line(best, given.pieces)}")
            if isinstance(result, HeadscopeError):
                break  # the sentence is to blame, or the model
    return status


def _say_unknown(number: int, tokens: Sequence[str], style: TokenStyle) -> None:
    """Name the characters that the model has hardly met: what it makes of them looks like any translation."""
    found = unknown_characters(tokens, style)
    if found:
        names = one_line(" ".join(found))
        say(f"note: sentence {number}: the model has no piece for {names}; it reads bytes there, and guesses")


@dataclass(frozen=True)
class _Wish:
    """How every sentence is to be translated."""

    config: DecodeConfig
    alterations: tuple[Alteration, ...]
    any_script: bool
    batch_size: int | None

    @property
    def batched(self) -> bool:
        """Whether several sentences may go through the model in one pass."""
        return (
            self.batch_size != 1
            and self.config.mode == "greedy"
            and not self.alterations
            and not (self.config.prefix or self.config.prefix_ids)
        )


def _sentences(texts: list[str]) -> Iterator[str | HeadscopeError]:
    """The texts in order, with the lines of standard input in the place of `-`."""
    for text in texts:
        if text == STDIN:
            yield from _lines()
        else:
            yield text


def _lines() -> Iterator[str | HeadscopeError]:
    empty = True
    for line in lines():
        empty = False
        yield line
    if empty:
        say("headscope: note: there is nothing on standard input")


def _translate(
    texts: Sequence[str | HeadscopeError], translator: Translator, wish: _Wish
) -> Iterator[tuple[int, Result]]:
    """The result of each sentence, in any order."""
    together: dict[int, str] = {}
    batched = wish.batched and len(texts) > 1 and translator.translates
    for index, text in enumerate(texts):
        if not batched or isinstance(text, HeadscopeError):
            yield index, _alone(text, translator, wish)
            continue
        text = well_formed(text)
        try:
            translator.check(text, any_script=wish.any_script)
        except HeadscopeError as error:
            yield index, error
        else:
            together[index] = text
    if together:
        from model.translator.many import translated

        places, waiting = [*together], [*together.values()]
        for place, found in translated(translator, waiting, wish.config, most_rows=wish.batch_size):
            # Where a batch fails one of its sentences is to blame: alone each gets its own result.
            yield places[place], _alone(waiting[place], translator, wish) if found is None else [found]


def _alone(text: str | HeadscopeError, translator: Translator, wish: _Wish) -> Result:
    """The result of one sentence."""
    from model.translator.translation import Translation

    if isinstance(text, HeadscopeError):
        return text
    try:
        *_, last = translator.decode(
            text, wish.config, any_script=wish.any_script, alterations=wish.alterations
        )
        if translator.writes:
            traces = last.n_best or (last.trace,)
            return [Translation.of_trace(trace, wish.config, last.rounds) for trace in traces]
        from model.translator.filling import answer

        return [answer(last.trace, text, translator.model)]
    except HeadscopeError as error:
        return error


def _in_order(results: Iterator[tuple[int, Result]]) -> Iterator[Result]:
    """Results by their numbers from 0 up, each as soon as all before it are there."""
    waiting: dict[int, Result] = {}
    due = 0
    for index, result in results:
        waiting[index] = result
        while due in waiting:
            yield waiting.pop(due)
            due += 1


def _to_json(result: Result, hypotheses: bool) -> dict[str, object]:
    if isinstance(result, HeadscopeError):
        return {"error": str(result)}
    values = result[0].to_json()
    if hypotheses:
        values["hypotheses"] = [translation.to_json() for translation in result]
    return values


def _print(number: int, result: Result, pieces: bool) -> None:
    """One line a hypothesis, with its rank score if there are several; a failed sentence is an empty line."""
    if isinstance(result, HeadscopeError):
        say(one_line(f"headscope: error: sentence {number}: {result}"))
        put("")
        return
    for translation in result:
        line = _line(translation, pieces)
        put(f"{translation.rank_score:.4f}\t{line}" if len(result) > 1 else line)


def _line(translation: Translation, pieces: bool) -> str:
    text = " ".join(step.token for step in translation.steps) if pieces else translation.text
    return " ".join(text.splitlines())
