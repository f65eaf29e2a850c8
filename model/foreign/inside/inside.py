"""`Inside`: a model of `transformers` whose computation can be looked into and changed, found and tried.

Shapes: S source tokens, T target tokens, d width of the residual stream, e a head's width.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor, nn

from model.errors import is_out_of_memory
from model.folder.families import Family
from model.foreign.inside.anatomy import Anatomy, Part, Stack, anatomy_of
from model.foreign.inside.quiet import quiet
from model.foreign.inside.tapping import Exchange, Sight, Watch, mixed, tapped
from model.network.attention import AttentionSite, Tap
from model.trace.trace import AttentionKind

_SAME = 1e-6


class Inside:
    """The modules of a loaded model by what they do.

    Args:
        network: in evaluation mode, with eager attention.

    Attributes:
        anatomy: the row of the registry that it is built by.
        sites: which attention each module computes.
    """

    def __init__(self, network: Any, anatomy: Anatomy) -> None:
        self.network = network
        self.anatomy = anatomy
        self._base = getattr(network, network.base_model_prefix or "", network)
        self.sites: dict[nn.Module, AttentionSite] = dict(self._found_sites())

    def layers(self, kind: AttentionKind) -> Sequence[nn.Module]:
        """The layers of the stack that a kind of attention is part of; none where there is no such stack."""
        stack = self.anatomy.stack(kind)
        return () if stack is None else list(self._base.get_submodule(stack.layers))

    def stack(self, kind: AttentionKind) -> Stack:
        """How the layers of a kind are built."""
        found = self.anatomy.stack(kind)
        assert found is not None
        return found

    def part(self, site: AttentionSite) -> Part:
        """The sub-layer of an attention."""
        return next(part for part in self.stack(site.kind).parts if part.name == _name(site.kind))

    def module(self, site: AttentionSite, path: str) -> nn.Module:
        """A module of the layer, by its path from there."""
        return self.layers(site.kind)[site.layer].get_submodule(path)

    def at(self, path: str) -> nn.Module | None:
        """A module by its path from the model without what is on top; None where there is none."""
        try:
            return self._base.get_submodule(path) if path else None
        except AttributeError:
            return None

    def output_matrix(self, site: AttentionSite) -> Tensor:
        """W_O of an attention, [d, H e]; GPT-2 keeps it turned over."""
        return matrix_of(self.module(site, self.part(site).last))

    def output_bias(self, site: AttentionSite) -> Tensor | None:
        """Its bias [d], if it has one."""
        bias: Tensor | None = getattr(self.module(site, self.part(site).last), "bias", None)
        return bias

    @contextmanager
    def watched(self, watch: Watch, exchange: Exchange | None = None) -> Iterator[None]:
        """Inside, every attention shows `watch` what it computes; see `model.foreign.inside.tapping`."""
        with tapped(self.network, self.sites, watch, exchange):
            yield

    @contextmanager
    def tapped(self, tap: Tap | None) -> Iterator[None]:
        """The same for a tap, which sees patterns alone."""
        if tap is None:
            yield
            return
        with self.watched(lambda sight: tap(sight.site, sight.pattern)):
            yield

    def run(self, source: Tensor, target: Tensor, hidden: Tensor | None = None, **more: Any) -> Any:
        """Everything in one pass without a cache, as `transformers` returns it.

        Args:
            source, target: ids [b, S] and [b, T]; the one that the model does not read is not looked at.
            hidden: bool [1, S or T], False for tokens of the source, or of a prompt, that nobody may look
                at.
            more: further arguments of the model.
        """
        read = target if self.anatomy.family is Family.DECODER_ONLY else source
        mask = torch.ones_like(read)
        if hidden is not None:
            mask[:, : hidden.shape[1]] = hidden.long()
        given: dict[str, Any] = {"input_ids": read, "attention_mask": mask}
        if self.anatomy.family is Family.ENCODER_DECODER:
            given["decoder_input_ids"] = target
        if self.anatomy.family is not Family.ENCODER_ONLY:
            given["use_cache"] = False
        with quiet():
            return self.network(**given, **more, return_dict=True)

    def _found_sites(self) -> Iterator[tuple[nn.Module, AttentionSite]]:
        for kind in AttentionKind:
            stack = self.anatomy.stack(kind)
            parts = () if stack is None else stack.parts
            for part in (part for part in parts if part.name == _name(kind)):
                for index, layer in enumerate(self.layers(kind)):
                    for path in (part.writes, part.norm, part.last):
                        layer.get_submodule(path)  # AttributeError where it is built otherwise
                    yield layer.get_submodule(part.attention), AttentionSite(kind, index)


def inside_of(network: Any, family: Family, sample: tuple[Sequence[int], Sequence[int]]) -> Inside | None:
    """The model, opened; None where nobody has described its modules, or they do not do what was described.

    Args:
        sample: a few ids to read and a few to write, to try it on.
    """
    anatomy = anatomy_of(str(network.config.model_type), family)
    if anatomy is None:
        return None
    try:
        found = Inside(network, anatomy)
        return found if _is_so(found, sample) else None
    except Exception as error:  # whatever another version of `transformers` raises: it is not opened
        if is_out_of_memory(error):
            raise
        return None


@torch.inference_mode()
def _is_so(inside: Inside, sample: tuple[Sequence[int], Sequence[int]]) -> bool:
    """Whether watching changes nothing, and heads give on their pattern times their values."""
    source, target = (torch.tensor([list(ids)], device=inside.network.device) for ids in sample)
    before = inside.run(source, target)
    seen: list[AttentionSite] = []
    given: list[Tensor] = []
    divided: list[float] = []

    def watch(sight: Sight) -> Tensor:
        seen.append(sight.site)
        divided.append(sight.scaling)
        given.append(mixed(sight.pattern, sight.values))
        return sight.pattern  # multiplied by the values again

    with inside.watched(watch):
        after = inside.run(source, target)
    every = sorted(inside.sites.values()) == sorted(seen)
    widths = [one.shape[-1] for one in given]
    wanted = [1.0 if inside.anatomy.scores == "plain" else width**-0.5 for width in widths]
    every = every and all(abs(a - b) < _SAME for a, b in zip(divided, wanted, strict=True))
    return every and torch.equal(before[0], after[0]) and _are_multiplied(inside, source, target, given)


def _are_multiplied(inside: Inside, source: Tensor, target: Tensor, given: list[Tensor]) -> bool:
    """Whether W_O gets just what the heads of each attention give on."""
    entered: list[Tensor] = []

    def keep(_: nn.Module, arguments: tuple[Tensor, ...]) -> None:
        entered.append(arguments[0])

    last = [inside.module(site, inside.part(site).last) for site in inside.sites.values()]
    hooks = [module.register_forward_pre_hook(keep) for module in last]
    try:
        inside.run(source, target)
    finally:
        for hook in hooks:
            hook.remove()
    return len(entered) == len(given) and all(
        torch.equal(own.flatten(2), wanted) for own, wanted in zip(given, entered, strict=True)
    )


def matrix_of(module: nn.Module) -> Tensor:
    """The matrix of a linear module, [out, in]; that of `Conv1D` of `transformers` is kept turned over."""
    weight = module.get_parameter("weight")
    return weight if isinstance(module, nn.Linear) else weight.t()


def _name(kind: AttentionKind) -> str:
    return "cross" if kind is AttentionKind.CROSS else "self_attention"
