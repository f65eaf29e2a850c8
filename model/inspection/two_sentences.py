"""Two typed sentences read by the encoder, position beside position; see `model.questions.two_sentences`."""

from __future__ import annotations

from collections.abc import Generator, Iterator

import torch
from torch import Tensor

from model.decoding.decoding import decode_events, usual_config
from model.errors import HeadscopeError
from model.files.tensor_file import well_formed
from model.inspection.asked import Asked
from model.inspection.plain import plain
from model.inspection.readings import Readings
from model.questions.questions import Reading
from model.questions.two_sentences import TwoReadings, TwoSentences
from model.translator.source_check import check_text


def two_readings(question: TwoSentences, asked: Asked) -> Iterator[TwoReadings | None]:
    """Read both and compare; yields None where it may be interrupted, and last the answer.

    Raises:
        HeadscopeError: a text that cannot be read (`source_check.check_text`), or another model's.
    """
    readings, bundle = asked.readings, asked.bundle
    if question.model_sha256 not in ("", bundle.sha256):
        raise HeadscopeError("two_sentences_model")
    texts = (well_formed(question.texts[0]), well_formed(question.texts[1]))
    for text in texts:
        check_text(bundle, text)
    ways: list[Tensor] = []
    tokens: list[tuple[str, ...]] = []
    for text in texts:
        tokenizer = bundle.source_tokenizer
        ids = tuple(tokenizer.source_ids(text))
        tokens.append(tuple(map(tokenizer.piece, ids)))
        ways.append((yield from _way(readings, Reading(bundle.sha256, ids, text=text))))
    first = yield from _translation(readings, texts[0])
    second = yield from _translation(readings, texts[1])
    stages = ("embedding", "sum", *(str(layer + 1) for layer in range(len(ways[0]) - 2)))
    yield TwoReadings((tokens[0], tokens[1]), stages, plain(_cosines(*ways)), (first, second))


def _way(readings: Readings, reading: Reading) -> Generator[None, None, Tensor]:
    """[stage, S, d] every position after the embedding, with its position added, and after each layer."""
    reader = readings.reader(reading)
    passed = yield from readings.source(reader)
    with torch.inference_mode():
        embedded = reader.embed("source")
        ends = [sublayer.after for sublayer in passed.sublayers if sublayer.name == "feed_forward"]
        return torch.stack([embedded.token, embedded.total, *ends]).double()


@torch.inference_mode()
def _cosines(one: Tensor, two: Tensor) -> Tensor:
    """[stage, a, b]."""
    lengths = one.norm(dim=-1)[:, :, None] * two.norm(dim=-1)[:, None, :]
    products = one @ two.transpose(1, 2)
    return torch.where(lengths > 0, products / lengths, 0.0).clamp(-1.0, 1.0)


def _translation(readings: Readings, text: str) -> Generator[None, None, str]:
    found = ""
    for event in decode_events(readings.bundle, text, usual_config(readings.bundle)):
        found = event.trace.tgt_text
        yield None
    return found
