"""`meta_model`: whether a configuration and weights belong together, before memory is taken.

The model is built on torch's `meta` device first, where numbers have a shape and no place. Whatever in its
`config.json` is absurd shows there: the files of weights have to vouch for the sizes.
"""

from __future__ import annotations

import contextlib
import math
import os
import threading
from collections.abc import Iterator
from typing import Any

import torch
from torch import nn
from torch.nn.modules import module as registration

from model.bundle.stored_tensors import StoredTensor
from model.errors import HeadscopeError
from model.files.files import amount, shown
from model.folder.families import MASKED_WORDS, Family, class_name, not_text
from model.folder.modalities import is_known_to_take_images_or_audio
from model.folder.model_folder import ModelFolder
from model.foreign.classes import SORTS_TEXTS

# What a model may have that its files need not hold: sinusoids, a pooler, what is drawn from the others.
_BESIDES = 1 << 24
# Tables that are made apart before they are tied to one: T5's shared one, its stacks' and its output's.
_MOST_TIED = 4
_MOST_BUFFERED = 1 << 30  # bytes of masks and tables that are worked out, not stored
_MOST_PIECES = 200_000
_FLOAT = 4


class _TooLarge(BaseException):
    """The model is larger than its weights; no `Exception`, so that no `except` of the packages hides it."""


def meta_model(
    found: ModelFolder, family: Family, config: Any, tensors: dict[str, StoredTensor]
) -> nn.Module:
    """The model without its numbers.

    Args:
        config: as `transformers` read it.
        tensors: what the files of weights hold.

    Raises:
        HeadscopeError: `foreign_sizes`: it is larger than its weights; `foreign_memory`: than this machine;
            `foreign_senses`, `foreign_kind`: `transformers` has no model of such a type that is fed text.
    """
    made_by = _class_for(found, family)
    if type(config) not in made_by._model_mapping:
        raise not_text(found, senses=is_known_to_take_images_or_audio(str(config.model_type)))
    held = sum(math.prod(tensor.shape) for tensor in tensors.values())
    try:
        with _counting(_MOST_TIED * held + _BESIDES), torch.device("meta"):
            model: nn.Module = made_by.from_config(
                config, trust_remote_code=False, attn_implementation="eager", dtype=torch.float32
            )
    except _TooLarge:
        raise HeadscopeError("foreign_sizes", path=shown(found.path)) from None
    wanted = sum(parameter.numel() for parameter in model.parameters())  # tied ones once
    if wanted > held + _BESIDES:
        raise HeadscopeError("foreign_sizes", path=shown(found.path))
    there = _physical_memory()
    if there and wanted * _FLOAT > there:
        needed = amount(wanted * _FLOAT)
        raise HeadscopeError("foreign_memory", path=shown(found.path), needed=needed, there=amount(there))
    return model


def _class_for(found: ModelFolder, family: Family) -> Any:
    """Which of `transformers`' ways to make a model of a configuration."""
    import transformers

    if family is Family.ENCODER_DECODER:
        return transformers.AutoModelForSeq2SeqLM
    if family is Family.DECODER_ONLY:
        return transformers.AutoModelForCausalLM
    name = class_name(found.values)
    if name.endswith("EncoderModel"):
        return transformers.AutoModelForTextEncoding
    if name.endswith(SORTS_TEXTS):
        return transformers.AutoModelForSequenceClassification
    return transformers.AutoModelForMaskedLM if name.endswith(MASKED_WORDS) else transformers.AutoModel


@contextlib.contextmanager
def _counting(most: int) -> Iterator[None]:
    """Stop the building of a model in this thread that has more than `most` numbers, or endless parts.

    A tensor counts once, however often and wherever it is put: tying puts one in the place of others.
    """
    thread = threading.get_ident()
    seen = {"numbers": 0, "pieces": 0, "buffered": 0}
    counted: dict[int, torch.Tensor] = {}  # kept, so that no other gets the same id

    def once(value: torch.Tensor | None) -> torch.Tensor | None:
        if value is None or id(value) in counted:
            return None
        counted[id(value)] = value
        return value

    def count(what: str, amount: int, limit: int) -> None:
        if threading.get_ident() != thread:
            return
        seen[what] += amount
        seen["pieces"] += 1
        if seen[what] > limit or seen["pieces"] > _MOST_PIECES:
            raise _TooLarge

    def parameter(_module: nn.Module, _name: str, value: torch.Tensor | None) -> None:
        new = once(value) if threading.get_ident() == thread else None
        count("numbers", 0 if new is None else new.numel(), most)

    def buffer(_module: nn.Module, _name: str, value: torch.Tensor | None) -> None:
        new = once(value) if threading.get_ident() == thread else None
        count("buffered", 0 if new is None else new.nbytes, _MOST_BUFFERED)

    def part(_module: nn.Module, _name: str, _value: nn.Module | None) -> None:
        count("numbers", 0, most)

    hooks = (
        registration.register_module_parameter_registration_hook(parameter),
        registration.register_module_buffer_registration_hook(buffer),
        registration.register_module_module_registration_hook(part),
    )
    try:
        yield
    finally:
        for hook in hooks:
            hook.remove()


def _physical_memory() -> int:
    """Bytes of memory in this machine; 0 where it is not said."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return 0
