"""`info`: what a model is and how it was trained, without loading it."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from model.bundle_config import WEIGHTS, check_shapes, count_parameters, read_config
from model.bundled import resolve_model
from model.commands.console import DONE, emit, parser, put
from model.files import StrPath
from model.tensor_file import TensorFile
from model.training.log import read_entries, summary


def describe(folder: StrPath) -> dict[str, Any]:
    """The JSON object of CONTRACTS for the bundle in `folder`.

    Raises:
        HeadscopeError: there is no bundle, or its files cannot be read or do not belong together.
    """
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
        "sha256": hashlib.sha256(weights.buffer).hexdigest(),
        "training": summary(read_entries(folder)),
    }


def run(argv: list[str]) -> int:
    """See `headscope info --help`."""
    arguments = parser("info", "Say what a model is and how it was trained.")
    arguments.add_argument("model", metavar="M", help="bundle folder or bundled name")
    arguments.add_argument("--json", action="store_true", help="one JSON object on stdout")
    given = arguments.parse_args(argv)
    values = describe(resolve_model(given.model))
    if given.json:
        emit(values)
    else:
        put("\n".join(_readable(values)))
    return DONE


def _readable(values: dict[str, Any]) -> list[str]:
    a, training = values["architecture"], values["training"]
    lines = [
        f"{values['name']} ({values['languages'][0]} to {values['languages'][1]})",
        f"  {a['encoder_layers']} encoder and {a['decoder_layers']} decoder layers, {a['n_heads']} heads, "
        f"d_model {a['d_model']}, d_ff {a['d_ff']}, {a['norm'].replace('_', '-')}, "
        f"{a['positions']} positions",
        f"  {values['parameters']:,} parameters, {values['source_vocab']:,} source and "
        f"{values['target_vocab']:,} target pieces",
        f"  SHA-256 {values['sha256']}",
    ]
    if training is None:
        return [*lines, "  nothing is recorded of its training"]
    if training["command"] is not None:
        lines.append(f"  trained by: {training['command']}")
    lines += [f"  data: {name} (SHA-256 {digest})" for name, digest in training["data"].items()]
    if training["minutes"] is not None:
        lines.append(f"  time: {training['minutes']:.1f} minutes")
    best = training["best"]
    if best is not None:
        bleu = "" if best["bleu"] is None else f", BLEU {best['bleu']:.2f}"
        lines.append(f"  best at step {best['step']:,}: held-out loss {best['heldout_loss']:.4f}{bleu}")
    return lines
