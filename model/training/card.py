"""Model cards, a bundle's `README.md` and `README.zh.md`, written from what the bundle's own files say."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from model import limits
from model.config import Architecture
from model.data.tasks import TASKS
from model.errors import HeadscopeError
from model.files.files import StrPath, read_start, replace_bytes
from model.folder.bundle_config import BundleConfig, count_parameters, norm_and_wiring, read_config
from model.folder.card import CARD, CARD_ZH
from model.folder.languages import language_name
from model.folder.training_log import newest_options, read_entries, summary
from model.training.card_zh import MARK, card_text_zh

USE = (
    "`headscope .` in this folder opens the window on it; `headscope translate --model . TEXT` translates; "
    "`headscope info .` says what it is. The weights carry the names of `torch.nn.Transformer`; "
    "`example.trace` is a recorded decoding."
)
CAUTION = "High attention from one word to another is not by itself an explanation of the output."


def write_card(folder: StrPath) -> None:
    """Write the cards of the bundle in `folder`, in two languages, unless a person made one theirs.

    Raises:
        HeadscopeError: the bundle cannot be read, or the disk refuses.
    """
    if not _may_write(Path(folder) / CARD):
        return
    for name, text in cards(read_config(folder), read_entries(folder)).items():
        if _may_write(Path(folder) / name):
            replace_bytes(Path(folder) / name, text)


def cards(config: BundleConfig, entries: list[dict[str, Any]]) -> dict[str, bytes]:
    """The cards, in English and in Chinese, by the names of their files."""
    return {
        CARD: card_text(config, entries).encode(),
        CARD_ZH: card_text_zh(config, entries).encode(),
    }


def _may_write(path: Path) -> bool:
    """Whether a card is ours, or not there yet."""
    try:
        return MARK.encode() in read_start(path, limits.CARD)
    except HeadscopeError as error:
        if error.code != "file_missing":
            raise
        return True


def card_text(config: BundleConfig, entries: list[dict[str, Any]]) -> str:
    """The card, in Markdown.

    Args:
        entries: of the bundle's training log.
    """
    told = summary(entries)
    options = _options(entries)
    parts = [f"# {config.name}", MARK, _about(config)]
    if told is not None:
        parts += ["## Training", _training(told, options), "## Quality", _quality(told, options)]
    parts += ["## How to use it", USE, "## What it is bad at", _limits(told, options)]
    return "\n\n".join(parts) + "\n"


def _options(entries: list[dict[str, Any]]) -> dict[str, Any]:
    """The options that held last."""
    return newest_options(entries)


def _about(config: BundleConfig) -> str:
    a = config.architecture
    source, target = config.languages
    languages = (
        ""
        if (source, target) == ("und", "und")
        else f" from {language_name(source)} to {language_name(target)}"
    )
    return (
        f"An encoder-decoder Transformer{languages}: {a.encoder_layers} encoder and {a.decoder_layers} "
        f"decoder layers of {a.n_heads} heads{_sharing(a)}, d_model {a.d_model}, d_ff {a.d_ff}, "
        f"{a.norm.replace('_', '-')}{norm_and_wiring(a.to_json())}, {a.positions} positions "
        f"({a.max_positions} at most); "
        f"{'written all at once, in rounds; ' if a.in_rounds else ''}"
        f"{a.source_vocab} source and {a.target_vocab} target pieces; "
        + ("words of the source can be copied; " if a.copying else "")
        + f"{count_parameters(a):,} parameters."
    )


def _sharing(a: Architecture) -> str:
    return "" if a.key_heads == a.n_heads else f" on {a.key_heads} of keys and values"


def _training(told: dict[str, Any], options: dict[str, Any]) -> str:
    lines = ["Command:", "", f"    {told['command']}", ""]
    for each in told["resumed"]:
        lines += [f"Resumed at step {each['step'] or 0:,}:", "", f"    {each['command']}", ""]
    task = TASKS.get(options.get("task", ""))
    if task is not None:
        lines += [f"Data: {options['task_size']:,} pairs made by the program. {task.about}", ""]
    lines += ["SHA-256 of the data:", ""]
    lines += [f"- `{name}`: {digest}" for name, digest in told["data"].items()]
    lines += ["", ", ".join(_amounts(told)) + "."]
    return "\n".join(lines)


def _amounts(told: dict[str, Any]) -> Iterator[str]:
    pairs = told["pairs"]
    if "train" in pairs:
        yield f"{pairs['train']:,} pairs to train on"
    if pairs.get("dev"):
        yield f"{pairs['dev']:,} held out"
    last = told["last_eval"]
    if last is not None:
        yield f"{last['step']:,} steps ({last['epoch']:.1f} passes over the data)"
    if told["minutes"] is not None:
        yield f"{told['minutes']:.1f} minutes"
    versions = told["versions"]
    if versions:
        yield "with " + " ".join(f"{name} {version}" for name, version in versions.items())
    yield f"seed {told['seed']}"


def _quality(told: dict[str, Any], options: dict[str, Any]) -> str:
    best = told["best"]
    if best is None:
        return "Not measured."
    where = "held-out pairs"
    if told["pairs"].get("dev") == 0:
        where = "pairs of the training data (there were too few to hold any out)"
    kind = "the running average of the weights" if best["averaged"] else "the weights"
    text = (
        f"On {where}, at step {best['step']:,}, {kind} reached a loss of {best['heldout_loss']:.3f} nats "
        "per target token"
    )
    if best["bleu"] is None:
        return text + "."
    most = (options.get("train") or {}).get("bleu_sentences")
    amount = f" of at most {most} sentences" if most else ""
    return (
        f"{text} and BLEU {best['bleu']:.1f} (sacreBLEU, greedy, first reference{amount}). These pairs chose "
        "the weights, so the figures are slightly flattering; `headscope evaluate` measures on others."
    )


def _limits(told: dict[str, Any] | None, options: dict[str, Any]) -> str:
    task = TASKS.get(options.get("task", ""))
    if task is not None:
        return f"{task.limits} {CAUTION}"
    seen = "" if told is None else " It knows nothing but the data above, with their slant and their errors."
    return (
        f"It was made to look at attention, not to be relied on for translations.{seen} Expect mistakes with "
        "names, numbers and words that are rare in the data, with sentences longer or of another kind than "
        "those it was trained on, and wherever knowledge from outside the sentence is needed; it may repeat "
        f"itself, leave parts out, and be confident and wrong. {CAUTION}"
    )
