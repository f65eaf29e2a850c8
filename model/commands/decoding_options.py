"""Arguments that `translate` and `trace` share: which model, and how to decode."""

from __future__ import annotations

import argparse
from typing import Any

from model.alteration_text import parse_ablation
from model.alterations import Alteration, BlockToken, ChangePositions
from model.bundled import DEFAULT_MODEL
from model.commands.console import positive, thread_count
from model.decode_config import DecodeConfig
from model.errors import HeadscopeError

_OF_MODE = {
    "beam": ("beam_size", "length_penalty", "n_best"),
    "sample": ("temperature", "top_k", "top_p", "seed"),
    "forced": ("target",),
}
_FLAGS = {
    "beam_size": "--beam",
    "n_best": "--n-best",
    "temperature": "--temperature",
    "top_k": "--top-k",
    "top_p": "--top-p",
    "target": "--target",
}


def add_decoding_arguments(to: argparse.ArgumentParser) -> None:
    """Arguments of the model and of `DecodeConfig`; those not given are None."""
    to.add_argument(
        "--model", default=DEFAULT_MODEL, metavar="M", help="folder or bundled name (default en-fr)"
    )
    to.add_argument(
        "--mode", choices=["greedy", "beam", "sample"], help="default: as the options imply, or greedy"
    )
    to.add_argument("--beam", type=int, dest="beam_size", metavar="N", help="hypotheses kept (default 5)")
    to.add_argument("--length-penalty", type=float, metavar="A", help="rank by score / tokens**A (default 1)")
    to.add_argument("--temperature", type=float, metavar="X", help="of sampling (default 1)")
    to.add_argument("--top-k", type=int, metavar="N", help="sample among the N most probable (default: all)")
    to.add_argument(
        "--top-p", type=float, metavar="X", help="sample among the fewest that reach X (default 1)"
    )
    to.add_argument("--seed", type=int, metavar="N", help="of sampling (default: a new one each time)")
    to.add_argument("--candidates", type=int, metavar="K", help="most probable tokens a step (default 10)")
    to.add_argument("--max-length", type=int, metavar="N", help="most tokens produced, the end included")
    to.add_argument("--target", metavar="TEXT", help="force this translation instead of decoding freely")
    to.add_argument(
        "--prefix",
        default="",
        metavar="TEXT",
        help="begin the translation so, then go on freely (not with --target)",
    )
    add_alteration_arguments(to)
    to.add_argument("--threads", type=thread_count, metavar="N", help="processor threads to use")
    to.add_argument(
        "--any-script", action="store_true", help="read text even in a script that the model was not made for"
    )


def add_alteration_arguments(to: argparse.ArgumentParser) -> None:
    """Arguments that change the model's computation; what they say is `alterations_of`."""
    group = to.add_argument_group("changes of the model's computation (everything counts from 1)")
    group.add_argument(
        "--ablate",
        action="append",
        default=[],
        metavar="KIND:LAYER[:HEAD][=FACTOR]",
        help="switch off a head, such as cross:2:3, or all heads of a layer, or scale what they put out by "
        "FACTOR (KIND: encoder_self, decoder_self or cross); may be given several times",
    )
    group.add_argument(
        "--block-token",
        type=positive,
        action="append",
        default=[],
        metavar="I",
        help="let nobody look at the source's piece I; may be given several times",
    )
    group.add_argument(
        "--no-positions", action="store_true", help="add no positions to the tokens, on either side"
    )


def alterations_of(given: argparse.Namespace, parser: argparse.ArgumentParser) -> tuple[Alteration, ...]:
    """The changes asked for; ends with usage and status 2 where they make no sense together."""
    try:
        scales = [parse_ablation(text) for text in given.ablate]
    except HeadscopeError as error:
        parser.error(str(error))
    places = [(scale.kind, scale.layer, scale.head) for scale in scales]
    for place, text in zip(places, given.ablate):
        if places.count(place) > 1:
            parser.error(f"--ablate {text}: say once what is to become of it")
        if place[2] is not None and (*place[:2], None) in places:
            parser.error(f"--ablate {text}: the whole layer is named as well; name one of the two")
    if len(set(given.block_token)) < len(given.block_token):
        parser.error("--block-token: name each piece once")
    blocked = [BlockToken(token - 1) for token in given.block_token]
    return (*scales, *blocked, *([ChangePositions()] if given.no_positions else []))


def decode_config(given: argparse.Namespace, parser: argparse.ArgumentParser) -> DecodeConfig:
    """The settings asked for; ends with usage and status 2 where they contradict each other."""
    names = [name for group in _OF_MODE.values() for name in group] + ["candidates", "max_length", "prefix"]
    if given.prefix and given.target is not None:
        parser.error("--prefix, --target: a whole translation cannot be forced and gone on from at once")
    values: dict[str, Any] = {n: getattr(given, n) for n in names if getattr(given, n, None) is not None}
    # A length penalty also ranks what was not found by a beam; a seed harms nobody.
    telling = {
        mode: [name for name in group if name in values and name not in ("length_penalty", "seed")]
        for mode, group in _OF_MODE.items()
    }
    implied = [mode for mode, group in telling.items() if group]
    wanted = {*implied, *([given.mode] if given.mode else [])}
    if len(wanted) > 1:
        flags = [_FLAGS[name] for group in telling.values() for name in group]
        modes = " and ".join(sorted(wanted))
        parser.error(f"{', '.join(flags)}: the modes {modes} do not go together")
    try:
        return DecodeConfig(mode=wanted.pop() if wanted else "greedy", **values)
    except HeadscopeError as error:
        parser.error(str(error))


def use_threads(count: int | None) -> None:
    """Let torch compute with `count` threads; leave it alone for None."""
    if count is not None:
        import torch

        torch.set_num_threads(count)
