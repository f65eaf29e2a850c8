"""Opening paths: what a file or folder is, and a recorded decoding as a run. No torch."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from model.errors import HeadscopeError
from model.folder.bundle_config import CONFIG, BundleConfig
from model.folder.model_folder import ModelFolder, inspect_folder
from model.trace.trace_file import open_trace
from model.trace.trace_sequence import PROBE, TraceSequence, is_sequence
from viewer.document.document import Run
from viewer.document.files.session_file import SESSION, is_session, open_session
from viewer.document.run_source import RunSource
from viewer.document.selection import Selection
from viewer.document.text.token_text import read_ahead
from viewer.document.time_lapse import last_whole
from viewer.resources import example_trace

_OF_MODELS = (".safetensors", ".bin", ".spm", ".model")
_OF_OTHERS = (".gguf", ".ggml", ".h5", ".msgpack", ".onnx", ".ckpt", ".pt", ".pth")
"""Weights that are refused with a sentence of their own, by whoever looks at the folder."""
_OF_TEXTS = (".txt", ".tsv", ".csv", ".tab", ".gz", ".xz", ".bz2", ".zip")
_NAMED_BY_MODELS = (
    "generation_config.json", "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json",
    "added_tokens.json", "vocab.json", "vocab.txt", "merges.txt", "model.safetensors.index.json",
    "pytorch_model.bin.index.json",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Found:
    """What was read of a path, to be shown.

    Attributes:
        kind: one of `kind_of`.
        content: a `ModelFolder`, `SavedSession`, `TraceSequence` or `Run`, by the kind.
    """

    place: Path
    kind: str
    content: Any


def meant(path: Path) -> Path:
    """What a path means: the session, where it is the file in it that names its traces."""
    return path.parent if path.name == SESSION and is_session(path.parent) else path


def kind_of(path: Path) -> str:
    """`model`, `session`, `sequence` or `trace`; a file that is nothing else is taken for a trace.

    A model is meant by its folder, whoever's it is, and by any of the files of which it is made.

    Raises:
        HeadscopeError: there is nothing at `path`.
    """
    if path.is_dir():
        if is_session(path):
            return "session"
        return "sequence" if not (path / CONFIG).exists() and is_sequence(path) else "model"
    if not path.exists():
        raise HeadscopeError("file_missing", path=str(path))
    return "model" if _is_of_model(path) else "trace"


def _is_of_model(path: Path) -> bool:
    """Whether a file is one of those that make a model."""
    if path.name == CONFIG:
        return True
    suffix = path.suffix.lower()
    known = suffix in _OF_MODELS or path.name in _NAMED_BY_MODELS
    return suffix in _OF_OTHERS or (known and (path.parent / CONFIG).is_file())


def read_place(place: Path) -> Found:
    """All that is to be read of a path before it can be shown; of a model, what is told of it. In any thread.

    Raises:
        HeadscopeError: there is nothing, or it cannot be read.
    """
    kind = kind_of(place)
    if kind == "model":
        return Found(place, kind, model_folder(place))
    if kind == "session":
        return Found(place, kind, open_session(place))
    if kind == "sequence":
        sequence = TraceSequence.open(place)
        last_whole(sequence)  # which it keeps for whoever shows it
        return Found(place, kind, sequence)
    run = recorded_run(place, RunSource.FILE)
    read_ahead(run.trace)
    return Found(place, kind, run)


def is_text(path: Path) -> bool:
    """Whether a file holds sentences or pairs, and is none of a model's."""
    return path.is_file() and path.suffix.lower() in _OF_TEXTS and not _is_of_model(path)


def is_of_pairs(path: Path) -> bool:
    """Whether a file may hold sentence pairs, whatever it is called: it is no trace and none of a model's."""
    return path.suffix.lower() not in (".trace", ".npz") and not _is_of_model(path)


def model_folder(path: Path) -> ModelFolder:
    """The model named by its folder or by one of its files.

    Raises:
        HeadscopeError: there is none, or its config.json cannot be read or makes no sense.
    """
    return inspect_folder(path)


def sequence_of(bundle: Path) -> Path | None:
    """The time-lapse of a bundle's own training; None when none was kept."""
    folder = bundle / PROBE
    return folder if is_sequence(folder) else None


def recorded_run(path: Path, source: RunSource) -> Run:
    """A trace file as a run; `source` is `RECORDED` for a bundle's example, else `FILE`.

    Raises:
        HeadscopeError: it cannot be read, or is no trace.
    """
    trace, facts = open_trace(path), {"source": source, "path": str(path)}
    return Run(f"{source}-{path}", trace, provenance=facts, alterations=trace.alterations)


def example_of(bundle: Path) -> tuple[Run, Selection] | None:
    """A bundle's recorded example, mid-sentence on its showcase head; None when it has none.

    Raises:
        HeadscopeError: the bundle's config.json or the example is damaged.
    """
    path = example_trace(bundle)
    if path is None:
        return None
    run = recorded_run(path, RunSource.RECORDED)
    return run, Selection.opening(showcase_of(inspect_folder(bundle)), run.trace)


def showcase_of(config: BundleConfig | ModelFolder) -> dict[str, object] | None:
    """A model's telling head as `Selection.opening` takes it."""
    head = config.showcase
    return None if head is None else {"kind": str(head.kind), "layer": head.layer, "head": head.head}
