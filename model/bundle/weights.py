"""Weights between torch and safetensors files: names, types, checks."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode

from model.config import Architecture
from model.errors import HeadscopeError
from model.files.tensor_file import TensorFile, TensorSource
from model.folder.bundle_config import check_shapes, is_trained
from model.network.products.choices import known
from model.network.products.room import Room
from model.network.transformer import Transformer

TORCH_TYPES = {
    "BOOL": torch.bool,
    "U8": torch.uint8,
    "I8": torch.int8,
    "I16": torch.int16,
    "I32": torch.int32,
    "I64": torch.int64,
    "F16": torch.float16,
    "BF16": torch.bfloat16,
    "F32": torch.float32,
    "F64": torch.float64,
}
_NAMES = {dtype: name for name, dtype in TORCH_TYPES.items()}
_HALF_LIMIT = 65520.0  # from here on float16 rounds to infinity
_HERE = "the model in memory"


def weights_of(transformer: Transformer) -> dict[str, Tensor]:
    """The live tensors of a bundle by their names, tied ones under the first name; clone to keep them."""
    return {name: tensor.detach() for name, tensor in transformer.stored()}


@torch.no_grad()
def load_weights(transformer: Transformer, tensors: Mapping[str, Tensor]) -> None:
    """Copy `tensors` (any floating type) into the transformer's own weights.

    Raises:
        HeadscopeError: a tensor is missing, unknown, misshapen or not finite; then nothing is changed.
    """
    own = weights_of(transformer)
    check_shapes(
        transformer.architecture, {name: tuple(tensor.shape) for name, tensor in tensors.items()}, _HERE
    )
    check_finite(tensors, _HERE)
    for name, parameter in own.items():
        parameter.copy_(tensors[name])


def check_finite(tensors: Mapping[str, Tensor], path: str) -> None:
    """Raise `HeadscopeError` naming the first tensor that holds NaN or infinity."""
    for name, tensor in tensors.items():
        if not math.isfinite(_largest(tensor)):
            raise HeadscopeError("weights_not_finite", name=name, path=path)


def blank_transformer(
    architecture: Architecture, *, for_decoding: bool = False, halves: bool = False
) -> Transformer:
    """A Transformer in evaluation mode whose weights are yet to be loaded (they hold anything).

    Args:
        for_decoding: the matrices that decoding reads are laid out as it reads them fastest, where that is
            known; see `Transformer.lay_out_for_decoding`, which then has nothing to move.
        halves: what is to be loaded are float16's numbers.
    """
    # Drawing random weights only to overwrite them takes longer than reading a model.
    with _NoDraw():
        transformer = Transformer(architecture)
    if for_decoding:
        matrices = transformer.decoding_matrices()
        room = Room(matrix.shape for matrix in matrices)
        for matrix in matrices:
            shape = matrix.shape[0], matrix.shape[1]
            choice = known(shape, halves)
            if choice is not None:
                matrix.data = room.empty(shape, choice.layout)
    return transformer.requires_grad_(False).eval()


def sources(tensors: Mapping[str, Tensor], *, half: bool = False) -> dict[str, TensorSource]:
    """Tensors ready to be written, float32 or (half) float16; statistics of norms are always float32.

    Raises:
        HeadscopeError: a number is not finite, or beyond float16's range when `half`.
    """
    check_finite(tensors, _HERE)
    halved = {name for name in tensors if half and is_trained(name)}
    for name in tensors:
        if name in halved and _largest(tensors[name]) >= _HALF_LIMIT:
            raise HeadscopeError("weights_half", name=name)
    return {
        name: source(tensor, torch.float16 if name in halved else torch.float32)
        for name, tensor in tensors.items()
    }


def source(tensor: Tensor, dtype: torch.dtype) -> TensorSource:
    """One tensor ready to be written as `dtype`; converted only when its turn has come."""

    def chunks() -> Iterator[memoryview]:
        flat = tensor.detach().to("cpu", dtype).contiguous().reshape(-1)
        if flat.numel():
            yield flat.view(torch.uint8).numpy().data

    return TensorSource(_NAMES[dtype], tuple(tensor.shape), chunks)


def read_tensor(file: TensorFile, name: str) -> Tensor:
    """A copy of one tensor in its own type."""
    info = file.tensors[name]
    flat = torch.empty(math.prod(info.shape), dtype=TORCH_TYPES[info.dtype])
    if flat.numel():
        file.buffer.fill(info.start, flat.view(torch.uint8).numpy())
    return flat.reshape(info.shape)


def _largest(tensor: Tensor) -> float:
    """The largest magnitude; NaN if there is one. One pass, where `isfinite` makes two and a copy."""
    if tensor.numel() == 0:
        return 0.0
    low, high = tensor.detach().aminmax()
    return float(torch.maximum(-low, high))


class _NoDraw(TorchFunctionMode):
    """Skips the drawing of initial weights."""

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        kwargs = kwargs or {}
        drawing = getattr(func, "__module__", None) == "torch.nn.init"
        if drawing or getattr(func, "__name__", None) in ("normal_", "uniform_"):
            return kwargs["tensor"] if "tensor" in kwargs else args[0]
        return func(*args, **kwargs)
