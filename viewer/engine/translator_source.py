"""Our own Transformer as a source of traces. Torch is imported when the first model is loaded, not before."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING

from viewer.engine.source import Decoded
from viewer.engine.threads import prepare_torch, spare_cores
from viewer.state.exploring import Considered
from viewer.state.messages import Decode, ModelInfo, PiecesSplit, SplitText

if TYPE_CHECKING:
    from model.decoding import Hypothesis
    from model.translator import Translator


class TranslatorLoader:
    """Loads bundles; called in the worker's thread only.

    Args:
        threads: processor threads for torch; None leaves one core to the window.
    """

    def __init__(self, threads: int | None = None) -> None:
        self._threads = spare_cores() if threads is None else threads
        self._prepared = False

    def __call__(self, path: str) -> TranslatorSource:
        """Load the model at `path`, a bundle's folder or the name of a bundled model.

        Raises:
            HeadscopeError: there is no such model, or it cannot be used.
        """
        if not self._prepared:
            prepare_torch(self._threads)
            self._prepared = True
        from model.translator import Translator

        return TranslatorSource(Translator.load(path))


class TranslatorSource:
    """See `viewer.engine.source.ModelSource`."""

    def __init__(self, translator: Translator) -> None:
        self._translator = translator

    def info(self) -> ModelInfo:
        """What the window says of the model."""
        return ModelInfo(**self._translator.describe())

    def split(self, request: SplitText) -> PiecesSplit:
        """The pieces of a text that is being typed."""
        tokenizer = self._translator.bundle.source_tokenizer
        ids = tokenizer.encode(request.text)
        return PiecesSplit(
            job=request.job,
            text=request.text,
            pieces=tuple(map(tokenizer.piece, ids)),
            tokens=len(ids) + 1,
            limit=self._translator.limit,
            unknown=ids.count(tokenizer.unk_id),
        )

    def decode(self, request: Decode) -> Iterator[Decoded]:
        """The trace as it grows.

        Raises:
            HeadscopeError: as `model.translator.Translator.decode`, when the iteration begins or goes on.
        """
        for event in self._translator.decode(request.text, request.config, any_script=request.any_script):
            considered = tuple(map(self._considered, event.hypotheses))
            yield Decoded(event.trace, considered, event.n_best)

    def _considered(self, hypothesis: Hypothesis) -> Considered:
        piece = self._translator.bundle.target_tokenizer.piece(hypothesis.token)
        return Considered(**{**asdict(hypothesis), "fate": str(hypothesis.fate)}, piece=piece)
