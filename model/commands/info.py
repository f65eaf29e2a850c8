"""`info`: what a model is and how it was trained; a bundle need not be loaded for it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from model.commands.console import DONE, emit, one_line, parser, put
from model.config import Architecture
from model.files.files import StrPath
from model.files.tensor_file import NUMPY_TYPES, TensorFile
from model.folder.bundle_config import (
    FORMAT,
    WEIGHTS,
    check_shapes,
    count_parameters,
    norm_and_wiring,
    read_config,
)
from model.folder.bundled import resolve_model
from model.folder.model_folder import FolderKind, inspect_folder
from model.folder.training_log import read_entries, summary
from model.positions.position_facts import (
    NoPositions,
    PositionFacts,
    is_stored,
    position_name,
    stored_table,
)

_MOST_NAMES = 10
NO_LANGUAGE = "und"
"""Of models that do not say what they read and write."""


def describe(folder: StrPath) -> dict[str, Any]:
    """The JSON object that `info --json` prints for the model in `folder`.

    Raises:
        HeadscopeError: there is no model, or its files cannot be read or do not belong together.
    """
    if inspect_folder(folder).kind is FolderKind.BUNDLE:
        return _of_bundle(folder)
    from model.translator.translator import Translator

    told = Translator.load(Path(folder).absolute()).describe()
    architecture = told["architecture"]
    return {
        "name": told["name"],
        "languages": list(told["languages"]),
        "architecture": architecture,
        "parameters": told["parameters"],
        "source_vocab": architecture["source_vocab"],
        "target_vocab": architecture["target_vocab"],
        "sha256": told["sha256"],
        "training": None,
        **_positions(told["position_facts"]),
        "model_type": told["model_type"],
        "family": told["family"],
        "verified": told["verified"],
    }


def _of_bundle(folder: StrPath) -> dict[str, Any]:
    config = read_config(folder)
    architecture = config.architecture
    weights = TensorFile(Path(folder) / WEIGHTS)
    check_shapes(architecture, {name: t.shape for name, t in weights.tensors.items()}, weights.path)
    return {
        "name": config.name,
        "languages": list(config.languages),
        "architecture": architecture.to_json(),
        "parameters": count_parameters(architecture),
        "source_vocab": architecture.source_vocab,
        "target_vocab": architecture.target_vocab,
        "sha256": _sha256(weights),
        "training": summary(read_entries(folder)),
        **_own_positions(architecture, weights),
        "model_type": FORMAT,
        "family": "encoder_decoder",
        "verified": True,
    }


def _own_positions(architecture: Architecture, weights: TensorFile) -> dict[str, Any]:
    """What a bundle's positions are; a learned table may hold the sinusoids that others compute."""
    if architecture.positions != "learned":
        return {"positions": architecture.positions, "positions_stored": False}
    name = "positions.weight"
    if weights.tensors[name].dtype not in NUMPY_TYPES:  # such a bundle is refused when it is loaded
        return _positions((NoPositions(),))
    rows = np.asarray(weights.array(name), np.float32).reshape(-1, architecture.d_model)
    return _positions((stored_table(rows),))


def _positions(facts: Sequence[PositionFacts]) -> dict[str, Any]:
    return {"positions": position_name(facts), "positions_stored": is_stored(facts)}


def _sha256(weights: TensorFile) -> str:
    digest = hashlib.sha256()
    for piece in weights.buffer.pieces():
        digest.update(piece)
    return digest.hexdigest()


def run(argv: list[str]) -> int:
    """See `headscope info --help`."""
    arguments = parser("info", "Show what a model is and how it was trained.")
    arguments.add_argument("model", metavar="M", help="folder or bundled name")
    arguments.add_argument("--json", action="store_true", help="one JSON object on stdout")
    given = arguments.parse_args(argv)
    values = describe(resolve_model(given.model))
    if given.json:
        emit(values)
    else:
        put("\n".join(map(one_line, _readable(values))))
    return DONE


def _readable(values: dict[str, Any]) -> list[str]:
    training = values["training"]
    lines = [
        _title(values),
        f"  {_shape(values['architecture'])}, {_counted(values)}",
        f"  {values['parameters']:,} parameters, {values['source_vocab']:,} source and "
        f"{values['target_vocab']:,} target pieces",
        f"  SHA-256 {values['sha256']}",
    ]
    architecture = values["architecture"]
    if architecture.get("classes"):
        names = architecture["classes"]
        more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
        lines.append(f"  sorts texts into: {', '.join(names[:_MOST_NAMES])}{more}")
    if architecture.get("unshown_head"):
        lines.append(f"  its answer ({architecture['unshown_head']}) is not shown, every attention head is")
    if not values["verified"]:
        lines.append(f"  not verified: no test compares our pictures of a {values['model_type']} model")
    if training is None:
        ours = values["model_type"] == FORMAT
        return [*lines, "  nothing is recorded of its training"] if ours else lines
    if training["command"] is not None:
        lines.append(f"  trained by: {training['command']}")
    lines += [
        f"  resumed at step {each['step'] or 0:,} by: {each['command']}" for each in training["resumed"]
    ]
    lines += [f"  data: {name} (SHA-256 {digest})" for name, digest in training["data"].items()]
    if training["minutes"] is not None:
        lines.append(f"  time: {training['minutes']:.1f} minutes")
    best = training["best"]
    if best is not None:
        bleu = "" if best["bleu"] is None else f", BLEU {best['bleu']:.2f}"
        lines.append(f"  best at step {best['step']:,}: held-out loss {best['heldout_loss']:.4f}{bleu}")
    return lines


def _title(values: dict[str, Any]) -> str:
    source, target = values["languages"]
    said = [] if source == target == NO_LANGUAGE else [f"{source} to {target}"]
    if values["model_type"] != FORMAT:
        said.append(values["model_type"])
    return f"{values['name']} ({', '.join(said)})" if said else str(values["name"])


def _counted(values: dict[str, Any]) -> str:
    """How positions are told."""
    name = f"{values['positions']} positions"
    return f"{name}, stored as a table" if values["positions_stored"] else name


def _shape(a: dict[str, Any]) -> str:
    """Sizes and kinds, as far as they are known."""
    stacks = [f"{a[f'{name}_layers']} {name}" for name in ("encoder", "decoder") if a[f"{name}_layers"]]
    parts = [f"{' and '.join(stacks)} layers", f"{a['n_heads']} heads"]
    if "decoder_heads" in a:
        parts[-1] += f" (decoder {a['decoder_heads']})"
    if "kv_heads" in a:
        parts[-1] += f" on {a['kv_heads']} of keys and values"
    parts += [f"{name} {a[name]}" for name in ("d_model", "d_ff") if name in a]
    if "decoder_d_ff" in a:
        parts[-1] += f" (decoder {a['decoder_d_ff']})"
    parts += [a["norm"].replace("_", "-") + norm_and_wiring(a)] if "norm" in a else []
    parts += ["copies words"] if a.get("copying") else []
    parts += ["written all at once, in rounds"] if a.get("generation") == "all_at_once" else []
    return ", ".join(parts)
