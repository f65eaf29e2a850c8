"""`Loader`: `transformers` at work on a model's folder, in a thread that can be told to stop."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from model.bundle.stored_tensors import StoredTensor, blocks
from model.bundle.weights import TORCH_TYPES, check_finite
from model.errors import HeadscopeError, is_out_of_memory
from model.files.files import shown
from model.files.safe_folder import clean
from model.folder.families import Family
from model.folder.model_folder import ModelFolder
from model.foreign.hub_settings import quietly_offline, require_transformers
from model.foreign.meta_model import meta_model
from model.foreign.tokens.staging import GENERATION_CONFIG, staged
from model.foreign.tokens.tokenizer_loading import load_tokenizer
from model.foreign.weight_files import FLOATS, WeightFiles

# What no attention weight depends on, should the files lack it.
_UNSEEN = ("pooler.", "position_ids", "token_type_ids")


class _Left(BaseException):
    """The work is wanted no more; not an `Exception`, so that no `except` of the packages hides it."""


class Loader(threading.Thread):
    """Makes a model and its tokenizer of a folder; a thread because `transformers` cannot be interrupted.

    Attributes:
        copied: bytes of tensors that have become part of the model.
    """

    def __init__(self, found: ModelFolder, family: Family, weights: WeightFiles) -> None:
        super().__init__(name="headscope-loading", daemon=True)
        self.copied = 0
        self._found = found
        self._family = family
        self._weights = weights
        self._left = threading.Event()
        self._lock = threading.Lock()
        self._made: tuple[Any, Any] | None = None
        self._problem: BaseException | None = None

    def run(self) -> None:
        """Load, and keep what came of it."""
        try:
            require_transformers(self._found.path)
            with quietly_offline(), staged(self._found) as stage:
                self._made = self._load(stage)
        except BaseException as error:  # a panic in Rust is no Exception either
            self._problem = self._problem or error

    def leave(self) -> None:
        """Stop at the next tensor, and wait until then."""
        self._left.set()
        self.join()

    def result(self) -> tuple[Any, Any]:
        """The model (evaluation mode, float32, no gradients) and its tokenizer.

        Raises:
            HeadscopeError: whatever was wrong.
        """
        if self._made is not None:
            return self._made
        error = self._problem
        if isinstance(error, HeadscopeError):
            raise error
        assert error is not None
        if is_out_of_memory(error):
            raise HeadscopeError("out_of_memory") from None
        raise failed(self._found, error) from error

    def read(self, tensor: StoredTensor) -> Tensor:
        """A tensor out of its file, as float32 unless it holds whole numbers."""
        dtype = torch.float32 if tensor.dtype in FLOATS else TORCH_TYPES[tensor.dtype]
        target = torch.empty(tensor.shape, dtype=dtype)
        whole = target if tensor.shape else target.view(1)
        parts = blocks(tensor) if tensor.shape else [(0, 1)]
        with self._lock:  # tensors of one file share the memory through which they are read
            for first, last in parts:
                self._go_on()
                block = tensor.rows(first, last)
                self._check(tensor, block)
                whole[first:last].copy_(block)
                self.copied += block.nbytes
        return target

    def _go_on(self) -> None:
        if self._left.is_set():
            raise _Left

    def _check(self, tensor: StoredTensor, block: Tensor) -> None:
        try:
            check_finite({tensor.name: block}, tensor.path)
        except HeadscopeError as error:
            self._problem = error
            raise _Left from None

    def _load(self, stage: Path) -> tuple[Any, Any]:
        from transformers import AutoConfig

        self._go_on()
        config = AutoConfig.from_pretrained(stage, local_files_only=True, trust_remote_code=False)
        tokenizer = load_tokenizer(self._found, config, stage)
        self._go_on()
        blank = meta_model(self._found, self._family, config, self._weights.tensors)
        slices = {name: _Slice(self, tensor) for name, tensor in self._weights.tensors.items()}
        network, info = type(blank).from_pretrained(  # type: ignore[attr-defined]
            None,
            config=config,
            state_dict=slices,
            dtype=torch.float32,
            attn_implementation="eager",
            local_files_only=True,
            output_loading_info=True,
            ignore_mismatched_sizes=True,  # they are reported, and refused below
        )
        network = self._complete(network, info)
        _give_rules(network, stage)
        return network.requires_grad_(False).eval(), tokenizer

    def _complete(self, network: Any, info: dict[str, Any]) -> Any:
        """The network if all of it came out of the files; an encoder without what its file lacks above it."""
        path = shown(self._weights.files[0])
        for name, found, wanted in sorted(info["mismatched_keys"], key=str):
            raise HeadscopeError(
                "weights_shape", name=name, path=path, found=str(list(found)), wanted=str(list(wanted))
            )
        missing = sorted(name for name in _unread(info) if not _is_known(network, name))
        base = network.base_model_prefix
        reads = self._family is Family.ENCODER_ONLY and base and hasattr(network, base)
        if missing and not (reads and not any(name.startswith(f"{base}.") for name in missing)):
            raise HeadscopeError("foreign_missing", path=path, name=missing[0], count=len(missing))
        return network.base_model if missing else network


class _Slice:
    """A tensor that is read when `transformers` has a place for it."""

    def __init__(self, loader: Loader, tensor: StoredTensor) -> None:
        self._loader = loader
        self._tensor = tensor

    def __getitem__(self, place: Any) -> Tensor:
        return self._loader.read(self._tensor)[place]


def failed(found: ModelFolder, error: BaseException, code: str = "foreign_failed") -> HeadscopeError:
    """The sentence for what the packages answered, whatever it was."""
    reason = clean(" ".join(str(error).split())) or type(error).__name__
    return HeadscopeError(code, path=shown(found.path), reason=reason)


def _unread(info: dict[str, Any]) -> Iterable[str]:
    """Names of weights that did not come out of the files."""
    return [*info["missing_keys"], *info.get("conversion_errors", {})]


def _is_known(network: Any, name: str) -> bool:
    """Whether a weight that is in no file matters to no picture, or follows from a formula."""
    if any(part in name for part in _UNSEEN):
        return True
    return "Sinusoidal" in type(network.get_submodule(name.rpartition(".")[0])).__name__


def _give_rules(network: Any, stage: Path) -> None:
    """Give the network what its files say of producing tokens: older ones say it in config.json."""
    if not network.can_generate():
        return
    from transformers import GenerationConfig

    own = (stage / GENERATION_CONFIG).exists()
    more = {} if own else {"config_file_name": "config.json", "_from_model_config": True}
    network.generation_config = GenerationConfig.from_pretrained(stage, local_files_only=True, **more)
