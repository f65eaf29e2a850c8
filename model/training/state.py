"""Training state, `training_state.safetensors`: all that a run needs to go on, complete in itself."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from torch import Tensor

from model.bundle.weights import TORCH_TYPES, read_tensor, source
from model.errors import HeadscopeError
from model.files.files import StrPath, replacing
from model.files.tensor_file import TensorFile, write_tensors
from model.training.progress.progress import TRAINING_STATE

_FORMAT = {"format": "headscope-training-state", "version": "1"}


def save_training_state(folder: StrPath, tensors: Mapping[str, Tensor], metadata: Mapping[str, str]) -> None:
    """Replace the folder's training state in one step.

    Args:
        tensors: any names, shapes and (real) types; kept bit for bit.
        metadata: any strings, except under the names `format` and `version`.

    Raises:
        HeadscopeError: the file cannot be written; the old one stays.
        ValueError: `metadata` uses one of our names.
    """
    if not _FORMAT.keys().isdisjoint(metadata):
        raise ValueError("the names format and version are taken")
    kept = {name: source(tensor, tensor.dtype) for name, tensor in tensors.items()}
    with replacing(Path(folder) / TRAINING_STATE) as temporary:
        write_tensors(temporary, kept, {**metadata, **_FORMAT})


def load_training_state(folder: StrPath) -> tuple[dict[str, Tensor], dict[str, str]]:
    """Tensors and metadata as they were saved.

    Raises:
        HeadscopeError: there is no training state, or it is damaged.
    """
    file = TensorFile(Path(folder) / TRAINING_STATE)
    metadata = dict(file.metadata)
    for key, wanted in _FORMAT.items():
        if metadata.pop(key, None) != wanted:
            raise HeadscopeError("training_state_invalid", path=file.path, reason=f"its {key} is unknown")
    for name, info in file.tensors.items():
        if info.dtype not in TORCH_TYPES:
            reason = f"tensor {name!r} has the unknown type {info.dtype}"
            raise HeadscopeError("training_state_invalid", path=file.path, reason=reason)
    return {name: read_tensor(file, name) for name in file.tensors}, metadata
