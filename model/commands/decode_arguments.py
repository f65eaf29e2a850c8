"""Decode arguments of `translate` and `trace`: which model, how to decode, and the words for it. No torch."""

from __future__ import annotations

import argparse
from typing import Any

from model.alterations.arguments import add_alteration_arguments
from model.commands.console import thread_count
from model.decoding.decode_config import DecodeConfig
from model.errors import HeadscopeError
from model.folder.bundled import DEFAULT_MODEL

_OF_MODE = {
    "beam": ("beam_size", "length_penalty", "n_best"),
    "sample": ("temperature", "top_k", "top_p", "seed"),
    "forced": ("target",),
    "rounds": ("rounds", "lengths"),
}
_FLAGS = {
    "beam_size": "--beam",
    "n_best": "--n-best",
    "temperature": "--temperature",
    "top_k": "--top-k",
    "top_p": "--top-p",
    "target": "--target",
    "rounds": "--rounds",
    "lengths": "--lengths",
}
_OF_ALL = ("candidates", "max_length", "prefix", "prefix_ids")


def token_ids(text: str) -> tuple[int, ...]:
    """Token ids with commas between."""
    try:
        return tuple(int(number) for number in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a list of token ids such as 5,17,4") from None


def add_decoding_arguments(to: argparse.ArgumentParser) -> None:
    """Arguments of the model and of `DecodeConfig`; those not given are None."""
    to.add_argument(
        "--model", default=DEFAULT_MODEL, metavar="M", help="folder or bundled name (default en-fr)"
    )
    to.add_argument(
        "--mode",
        choices=["greedy", "beam", "sample", "rounds"],
        help="default: what the options imply, else greedy, or rounds if the model writes so",
    )
    to.add_argument("--beam", type=int, dest="beam_size", metavar="N", help="hypotheses kept (default 5)")
    to.add_argument("--length-penalty", type=float, metavar="A", help="rank by score / tokens**A (default 1)")
    to.add_argument("--temperature", type=float, metavar="X", help="sampling temperature (default 1)")
    to.add_argument("--top-k", type=int, metavar="N", help="sample among the N most probable (default: all)")
    to.add_argument(
        "--top-p", type=float, metavar="X", help="sample among the fewest that reach X (default 1)"
    )
    to.add_argument("--seed", type=int, metavar="N", help="sampling seed (default: a new one each time)")
    to.add_argument("--rounds", type=int, metavar="N", help="times that all is written at once (default 4)")
    to.add_argument("--lengths", type=int, metavar="K", help="likeliest lengths tried in rounds (default 1)")
    to.add_argument(
        "--candidates", type=int, metavar="K", help="most probable tokens listed per step (default 10)"
    )
    to.add_argument("--max-length", type=int, metavar="N", help="maximum number of tokens, the end included")
    to.add_argument("--target", metavar="TEXT", help="force this translation instead of decoding freely")
    to.add_argument(
        "--prefix",
        default="",
        metavar="TEXT",
        help="begin the translation with TEXT, then decode freely (not with --target)",
    )
    to.add_argument(
        "--prefix-ids",
        type=token_ids,
        metavar="I,I,…",
        help="begin with the tokens of these ids, as `tgt_out_ids` of traces has them, before --prefix",
    )
    add_alteration_arguments(to)
    to.add_argument("--threads", type=thread_count, metavar="N", help="processor threads to use")
    to.add_argument(
        "--any-script", action="store_true", help="read text even in a script that the model was not made for"
    )


def decode_config(given: argparse.Namespace, parser: argparse.ArgumentParser) -> DecodeConfig:
    """The settings asked for; ends with usage and status 2 where they contradict each other."""
    names = [name for group in _OF_MODE.values() for name in group] + [*_OF_ALL]
    for name in ("prefix", "prefix_ids"):
        if getattr(given, name) and given.target is not None:
            flag = f"--{name.replace('_', '-')}"
            parser.error(f"{flag}, --target: a whole translation cannot be forced and gone on from at once")
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


def arguments_of_config(config: DecodeConfig) -> list[str]:
    """The words that ask for just these settings; nothing for a greedy decoding as it usually is.

    How many hypotheses are told is left out: `translate` alone tells more than the best.
    """
    usual, words = DecodeConfig(), []
    given = config.to_json()
    for name in (*_OF_MODE.get(config.mode, ()), *_OF_ALL):
        value = getattr(config, name)
        if name not in given or name == "n_best" or value is None or value == getattr(usual, name):
            continue
        text = ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
        words.append(f"{_FLAGS.get(name, '--' + name.replace('_', '-'))}={text}")
    named = config.mode in ("beam", "sample", "rounds")
    return [*(["--mode", config.mode] if named else []), *words]
