"""Distributed training: several processes started by `torchrun`, and how they speak to one another.

Rank 0 is the run: it alone reads and writes files, evaluates and decides. The others follow it
(`model.training.follow`): they wait for its orders and take their share of each step. So an order is the only
thing that must be agreed on, and evaluating, pausing or a full disk on rank 0 means a longer wait elsewhere.

Orders are JSON, state is plain tensors: nothing is unpickled. Orders have a group of their own, whose waits
may last; gradients have the default one, where a silent peer is an error within the hour.
"""

from __future__ import annotations

import contextlib
import inspect
import json
import os
import re
from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from model.config import Device
from model.errors import HeadscopeError
from model.network.precision import pick_device, present_devices

if TYPE_CHECKING:
    from torch.distributed import ProcessGroup

LONGEST_STEP = timedelta(minutes=30)
LONGEST_WAIT = timedelta(days=30)


class Ranks:
    """The processes of a run as one of them sees them; alone, every method does nothing and costs nothing.

    Attributes:
        rank: this process's number; 0 is the one that writes.
        world: how many there are.
        local_rank: this process's number on its machine.
        astray: touch with the others is lost; the process should end by `os._exit`, see `joined`.
    """

    def __init__(self, rank: int = 0, world: int = 1, local_rank: int = 0) -> None:
        self.rank = rank
        self.world = world
        self.local_rank = local_rank
        self.astray = False
        self._orders: ProcessGroup | None = None
        # Kept to the end of the process: see `joined`.
        self._kept: list[object] = []

    @property
    def is_writer(self) -> bool:
        """Whether this process reads and writes the run's folder."""
        return self.rank == 0

    def pick_device(self, wanted: Device) -> torch.device:
        """As `precision.pick_device`; Apple's GPU has no collective operations and serves one alone."""
        if self.world > 1 and wanted == "mps":
            raise HeadscopeError(
                "config_value", field="device", value=wanted, wanted="cpu or auto for several processes"
            )
        if self.world > 1 and wanted == "auto" and "cuda" not in present_devices():
            wanted = "cpu"
        device = pick_device(wanted, self.local_rank)
        if self.world > 1 and device.type == "cuda":
            # Else what names no device would open a context on the first one in every process.
            torch.cuda.set_device(device)
        return device

    # orders: from rank 0 to all others

    def order(self, message: dict[str, Any]) -> None:
        """Rank 0: tell the others what is done next; `HeadscopeError` when one of them is gone."""
        if self.world > 1:
            text = json.dumps(message).encode()
            length = torch.tensor([len(text)])
            self._share([length, torch.frombuffer(bytearray(text), dtype=torch.uint8)], self._orders)

    def next_order(self) -> dict[str, Any]:
        """The others: wait for what `order` tells; `HeadscopeError` when rank 0 is gone."""
        length = torch.zeros(1, dtype=torch.int64)
        self._share([length], self._orders)
        text = torch.empty(int(length), dtype=torch.uint8)
        self._share([text], self._orders)
        message: dict[str, Any] = json.loads(bytes(text.tolist()))
        return message

    def broadcast(self, tensors: Sequence[Tensor]) -> None:
        """Give every rank the values that rank 0's tensors have; in place, shapes and types alike."""
        if self.world > 1:
            self._share(tensors, None)

    def _share(self, tensors: Sequence[Tensor], group: ProcessGroup | None) -> None:
        with self._together():
            for tensor in tensors:
                torch.distributed.broadcast(tensor.detach(), src=0, group=group)

    @contextlib.contextmanager
    def _together(self) -> Iterator[None]:
        """Around what all ranks do at once: one that leaves it by an exception has lost touch with them."""
        self.astray = True
        with _lost_connections():
            yield
        self.astray = False

    # a step

    @contextlib.contextmanager
    def step(self) -> Iterator[None]:
        """Around a step; rank 0 orders it from the others."""
        if self.world == 1:
            yield
            return
        if self.is_writer:
            self.order({"order": "step"})
        with self._together():
            yield

    def mean(self, tensor: Tensor) -> Tensor:
        """The mean over all ranks, in place."""
        if self.world > 1:
            torch.distributed.all_reduce(tensor)
            tensor /= self.world
        return tensor

    def apart(self, module: nn.Module, wanted: bool) -> contextlib.AbstractContextManager[object]:
        """While inside, and if wanted, gradients add up on each rank by itself.

        Args:
            module: what `data_parallel` returned.
        """
        if not wanted or self.world == 1:
            return contextlib.nullcontext()
        from torch.nn.parallel import DistributedDataParallel

        assert isinstance(module, DistributedDataParallel)
        return module.no_sync()

    def data_parallel(self, module: nn.Module) -> nn.Module:
        """`module` such that a backward pass ends with the mean of all ranks' gradients on each of them."""
        if self.world == 1:
            return module
        from torch.nn.parallel import DistributedDataParallel

        # Buffers are tables that all compute alike. From torch 2.13 on the option has another name.
        known = inspect.signature(DistributedDataParallel).parameters
        name = "forward_sync_buffers" if "forward_sync_buffers" in known else "broadcast_buffers"
        options: dict[str, Any] = {name: False}
        with self._together():
            parallel = DistributedDataParallel(module, **options)
        self._kept.append(parallel)
        return parallel

    def close(self) -> None:
        """Rank 0: tell the others that the run has ended, if they can hear.

        Those it lost touch with wait for the rest of something else: the closed connection will tell them.
        """
        if self.is_writer and not self.astray:
            with contextlib.suppress(HeadscopeError):
                self.order({"order": "end"})


@contextlib.contextmanager
def joined() -> Iterator[Ranks]:
    """The ranks that the environment names (RANK, WORLD_SIZE, ...: torchrun sets them), or this one alone.

    On leaving, rank 0 tells the others to end, and the process group is destroyed however it went. Where
    touch was lost, that leaves threads of torch behind: its groups wait for them when they are freed, with
    Python's lock held, which those threads may want. So nothing is freed, and the process should end at once.

    Raises:
        HeadscopeError: the environment makes no sense, or the processes do not find one another.
    """
    world = _number("WORLD_SIZE", 1)
    if world < 2:
        yield Ranks()
        return
    ranks = Ranks(_number("RANK", 0), world, _number("LOCAL_RANK", 0))
    if not torch.distributed.is_available():
        raise HeadscopeError("ranks_unavailable")
    import torch.distributed as dist

    nccl = torch.cuda.is_available() and dist.is_nccl_available()
    try:
        dist.init_process_group("cpu:gloo,cuda:nccl" if nccl else "gloo", timeout=LONGEST_STEP)
        ranks._orders = dist.new_group(backend="gloo", timeout=LONGEST_WAIT)
        ranks._kept = [dist.group.WORLD]
    except (RuntimeError, ValueError) as error:
        raise HeadscopeError("ranks_start", reason=_reason(error)) from None
    try:
        yield ranks
    finally:
        ranks.close()
        dist.destroy_process_group()


@contextlib.contextmanager
def _lost_connections() -> Iterator[None]:
    """Turns what a lost connection raises into a `HeadscopeError`."""
    try:
        yield
    except RuntimeError as error:
        # gloo's errors have no type of their own, but the name of a source file.
        if isinstance(error, torch.distributed.DistError) or "gloo" in str(error):
            raise HeadscopeError("ranks_lost", reason=_reason(error)) from None
        raise


def _reason(error: Exception) -> str:
    """The first sentence of a message, without the place in the source that gloo puts before it."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return re.sub(r"^\[[^]]*\]\s*", "", lines[0]).partition(". ")[0].rstrip(".")


def _number(name: str, default: int) -> int:
    text = os.environ.get(name, str(default))
    if not text.isdecimal():
        raise HeadscopeError("ranks_environment", name=name, value=text)
    return int(text)
