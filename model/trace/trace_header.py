"""Trace header: tokens and provenance, between a file's strings and a `Trace`'s fields."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from model.errors import HeadscopeError
from model.files.tensor_file import parse_json, well_formed
from model.trace.trace import Trace
from model.trace.trace_check import PROBABILITIES, SIDE_IDS, invalid, not_recorded
from model.version import VERSION

FORMAT = "headscope-trace"
FORMAT_VERSION = 1

SOURCE_KEYS = ("src_text", "src_tokens")
READING_KEYS = ("src_candidate_tokens",)
"""Of models of masked words besides."""
CLASS_KEYS = ("class_names",)
"""Of models that sort texts besides."""
TARGET_KEYS = ("tgt_text", "tgt_in_tokens", "tgt_out_tokens", "candidate_tokens")
COMMON_KEYS = (
    "model_name",
    "model_sha256",
    "decoding",
    "alterations",
    "numbers",
    "compute_dtype",
    "seed",
    "created_by",
)
_OWN_KEYS = ("format", "version", "finished", "not_recorded")
_KNOWN = {*_OWN_KEYS, *SOURCE_KEYS, *READING_KEYS, *CLASS_KEYS, *TARGET_KEYS, *COMMON_KEYS}


def header_of(trace: Trace, *, source: bool, target: bool) -> dict[str, str]:
    """Every entry of the header; `not_recorded` only where a recording made elsewhere lacks something.

    Args:
        source, target: whether the model has a source side and a target side.

    Raises:
        TypeError, ValueError: `decoding` or `alterations` are no JSON.
    """
    values: dict[str, Any] = {
        "format": FORMAT,
        "version": str(FORMAT_VERSION),
        "model_name": trace.model_name,
        "model_sha256": trace.model_sha256,
        "decoding": dict(trace.decoding),
        "alterations": list(trace.alterations),
        "numbers": trace.numbers,
        "compute_dtype": trace.compute_dtype,
        "seed": "" if trace.seed is None else str(trace.seed),
        # A trace that is opened and saved again was still made by whoever computed its numbers.
        "created_by": trace.created_by or f"headscope {VERSION}",
        "finished": "true" if trace.finished else "false",
    }
    if source:
        values |= {key: getattr(trace, key) for key in SOURCE_KEYS}
        if trace.src_candidate_ids is not None:
            values |= {key: getattr(trace, key) for key in READING_KEYS}
        if trace.class_logits is not None:
            values |= {key: getattr(trace, key) for key in CLASS_KEYS}
    if target:
        values |= {key: getattr(trace, key) for key in TARGET_KEYS}
    if absent := not_recorded(trace):
        values["not_recorded"] = absent
    extra = {key: value for key, value in trace.extra.items() if key not in _KNOWN}
    return extra | {
        key: value if isinstance(value, str) else _to_json(value) for key, value in values.items()
    }


def check_format(metadata: Mapping[str, str], path: str) -> None:
    """Raise `HeadscopeError` unless the file is a trace of a version that we can read."""
    version = metadata.get("version", "")
    if metadata.get("format") != FORMAT or not (
        version.isascii() and version.isdigit() and len(version) < 10
    ):
        raise HeadscopeError("trace_format", path=path)
    if int(version) > FORMAT_VERSION:
        raise HeadscopeError("trace_newer", path=path, version=version)


def fields_of(metadata: Mapping[str, str], path: str, *, source: bool, target: bool) -> dict[str, Any]:
    """The header's part of `Trace`'s fields, by name.

    Raises:
        HeadscopeError: `trace_invalid`: an entry is missing or of the wrong kind.
    """
    wanted = (*COMMON_KEYS, *(SOURCE_KEYS if source else ()), *(TARGET_KEYS if target else ()))
    for key in wanted:
        if key not in metadata:
            raise invalid(path, f"it lacks {key}")
    texts = ("src_text", "tgt_text", "model_name", "model_sha256", "numbers", "compute_dtype", "created_by")
    fields: dict[str, Any] = {key: metadata.get(key, "") for key in texts}
    for key in ("src_tokens", "tgt_in_tokens", "tgt_out_tokens", *CLASS_KEYS):
        fields[key] = _tokens(parse_json(metadata.get(key, "[]")), key, path)
    for key in ("candidate_tokens", *READING_KEYS):
        rows = parse_json(metadata.get(key, "[]"))
        if not isinstance(rows, list):
            raise invalid(path, f"its {key} are no list")
        fields[key] = tuple(_tokens(row, key, path) for row in rows)
    decoding, alterations = parse_json(metadata["decoding"]), parse_json(metadata["alterations"])
    if not isinstance(decoding, dict) or not isinstance(alterations, list):
        raise invalid(path, "its decoding or alterations cannot be read")
    fields |= {"decoding": decoding, "alterations": tuple(alterations), "seed": _seed(metadata["seed"], path)}
    finished = metadata.get("finished", "true")
    if finished not in ("true", "false"):
        raise invalid(path, "its entry finished is neither true nor false")
    fields["finished"] = finished == "true"
    fields["extra"] = {key: value for key, value in metadata.items() if key not in _KNOWN}
    return fields


def absent_of(metadata: Mapping[str, str], path: str) -> tuple[str, ...]:
    """The names of the arrays that nobody recorded; raises as `fields_of`."""
    names = _tokens(parse_json(metadata.get("not_recorded", "[]")), "not_recorded", path)
    return tuple(name for name in names if name in (*SIDE_IDS, *PROBABILITIES))


def _tokens(value: Any, key: str, path: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(token, str) for token in value):
        raise invalid(path, f"its {key} are no list of strings")
    return tuple(map(well_formed, value))


def _seed(text: str, path: str) -> int | None:
    if text in ("", "null"):
        return None
    value = parse_json(text)
    if type(value) is not int:
        raise invalid(path, "its seed is no integer")
    return value


def _to_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
