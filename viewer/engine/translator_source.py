"""`TranslatorSource`: our own Transformer as a source of traces. Torch is imported with the first model."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

from model.alterations.registry import all_to_json
from model.decoding.decode_config import DecodeConfig
from model.lru_cache import LruCache
from model.trace.trace import ArrayPatterns, Floats, Trace
from viewer.cores import spare_cores
from viewer.document.messages.considered import Considered
from viewer.document.messages.messages import (
    Ask,
    Decode,
    ModelInfo,
    PiecesSplit,
    SplitText,
    TraceDone,
    TraceGrew,
    TraceHypothesis,
)
from viewer.document.text.input_text import given_steps, input_text, produced_ids
from viewer.engine.cache_sizes import decoding_bytes, search_bytes
from viewer.engine.threads import ThreadCount, prepare_torch

if TYPE_CHECKING:
    from model.decoding.decoding import DecodeEvent, Decoding, Hypothesis, SearchRecord
    from model.inspection.hooked.readings import HookedReadings
    from model.inspection.readings import Readings
    from model.translator.translator import Translator

CACHE_BYTES, LARGEST_BYTES = 64 << 20, 256 << 20
"""Most that the decodings of recent runs may take, and one by itself; as much again for searches."""


class TranslatorLoader:
    """Loads models; called in the worker's thread only.

    Args:
        threads: processor threads for torch, of which the first load asks; None leaves one core to the
            window.
    """

    def __init__(self, threads: ThreadCount | None = None) -> None:
        self._threads = ThreadCount(spare_cores()) if threads is None else threads
        self._prepared = False

    def __call__(self, path: str) -> Generator[tuple[int, int], None, TranslatorSource]:
        """Load the model at `path`, a model's folder or the name of a bundled model; see `LoadModel`.

        Raises:
            HeadscopeError: there is no such model, or it cannot be used.
        """
        if not self._prepared:
            prepare_torch(self._threads.count)
            self._prepared = True
        from model.translator.translator import Translator

        return TranslatorSource((yield from Translator.loading(path)))


class TranslatorSource:
    """See `viewer.engine.source.ModelSource`.

    Keeps what computed recent runs, by their ids: it goes with the model.
    """

    def __init__(self, translator: Translator, cache_bytes: int = CACHE_BYTES) -> None:
        self._translator = translator
        self._info: ModelInfo | None = None
        self._decodings: LruCache[Decoding] = LruCache(cache_bytes, LARGEST_BYTES)
        self._searches: LruCache[SearchRecord] = LruCache(cache_bytes, LARGEST_BYTES)
        self._readings: Readings | HookedReadings | None = None

    def info(self) -> ModelInfo:
        """What the window says of the model."""
        if self._info is None:
            self._info = ModelInfo(**self._translator.describe())
        return self._info

    def split(self, request: SplitText) -> PiecesSplit:
        """The pieces of a text that is being typed."""
        tokenizer = self._translator.model.source_tokenizer
        ids = tokenizer.encode(request.text)
        return PiecesSplit(
            job=request.job,
            text=request.text,
            pieces=tuple(map(tokenizer.piece, ids)),
            tokens=len(tokenizer.source_ids(request.text)),
            limit=self._translator.limit,
            unknown=ids.count(tokenizer.unk_id),
            style=tokenizer.style,
        )

    def decode(self, request: Decode) -> Iterator[TraceGrew | TraceDone | None]:
        """The trace as it grows; one that goes on from a kept decoding computes its new tokens only.

        Raises:
            HeadscopeError: as `Translator.decode`, when the iteration begins or goes on.
        """
        events = self._translator.decode(
            request.text,
            request.config,
            any_script=request.any_script,
            alterations=request.alterations,
            branch_from=self._decodings.get(request.parent),
        )
        for event in events:
            self._keep(request.run, event)
            held = None
            # In rounds no token has a probability after the ones before it.
            if event.done and request.held_ids and not event.rounds:
                held = yield from self._held(request, event.decoding)
            considered = tuple(map(self._considered, event.hypotheses))
            if event.done:
                n_best = event.n_best
                # Of a search or of rounds it is one of several, which have no such room.
                trace = event.trace if event.decoding is None else _to_be_kept(event.trace)
                yield TraceDone(request.job, trace, None, n_best, considered, held)
            else:
                yield TraceGrew(request.job, event.trace, considered)

    def hypothesis(self, request: TraceHypothesis) -> Iterator[TraceDone | None]:
        """The trace that the search itself recorded.

        If the search is no longer kept, the tokens are read again as a prefix that leaves room for no more;
        the trace's `decoding` then says just that.
        """
        recorded = self._recorded(request)
        if recorded is not None:
            yield TraceDone(request.job, recorded)
            return
        config = _reading(request.tokens, request.config.candidates)
        for event in self._translator.decode(
            request.text, config, any_script=True, alterations=request.alterations
        ):
            yield TraceDone(request.job, event.trace) if event.done else None

    def answer(self, request: Ask) -> Iterator[object]:
        """See `model.inspection.answering.answer`."""
        from model.inspection.answering import answer, readings_of

        model = self._translator.model
        if self._readings is None:
            self._readings = readings_of(model)
        return answer(model, request.question, request.reading, self._readings)

    def _recorded(self, request: TraceHypothesis) -> Trace | None:
        """The trace in the kept search, unless that is another now: an altered run's goes at every change."""
        search = self._searches.get(request.search)
        if search is None or request.hypothesis >= len(search.hypotheses):
            return None
        trace = search.trace_of(request.hypothesis)
        asked = (request.text, request.tokens, all_to_json(request.alterations))
        shown = (input_text(trace), tuple(produced_ids(trace)), tuple(trace.alterations))
        return trace if shown == asked else None

    def _held(self, request: Decode, decoding: Decoding | None) -> Generator[None, None, Floats]:
        """What the changed model gives to each token of the untouched translation.

        Tokens that the changed model chose as well are not computed again.
        """
        events = self._translator.decode(
            request.text,
            _reading(request.held_ids, request.config.candidates),
            any_script=True,
            alterations=request.alterations,
            branch_from=decoding,
        )
        for event in events:
            if event.done:
                return event.trace.step_logprob.copy()
            yield None
        raise AssertionError("a reading ends")

    def _keep(self, run: str, event: DecodeEvent) -> None:
        if not run:
            return
        trace = event.trace
        source, rows = len(trace.src_ids), trace.steps
        if event.decoding is not None:
            shape = event.decoding.network.attention_shape
            width = int(self.info().architecture.get("d_model", 0))
            self._decodings.put(run, event.decoding, decoding_bytes(shape, width, source, rows))
        if event.search is not None:
            shape = self._translator.model.transformer.attention_shape
            beams = int(trace.decoding["beam_size"])
            size = search_bytes(shape, source, given_steps(trace), rows, beams)
            self._searches.put(run, event.search, size)

    def _considered(self, hypothesis: Hypothesis) -> Considered:
        piece = self._translator.model.target_tokenizer.piece(hypothesis.token)
        return Considered(**{**asdict(hypothesis), "fate": str(hypothesis.fate)}, piece=piece)


def _to_be_kept(trace: Trace) -> Trace:
    """The trace without the room for further tokens in which it was decoded: often several times it."""
    if not isinstance(trace.patterns, ArrayPatterns):
        return trace
    return replace(trace, patterns=trace.patterns.apart())


def _reading(tokens: tuple[int, ...], candidates: int) -> DecodeConfig:
    """Reads the tokens one by one, and stops."""
    return DecodeConfig(candidates=candidates, prefix_ids=tokens, max_length=max(1, len(tokens)))
