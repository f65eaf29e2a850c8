"""Staging: a folder of our own for `transformers` to read, with the harmless files and no weights.

`transformers` never sees the model's own folder. What it gets is listed here by name, is capped before it is
parsed, and has lost every entry that names code, files or other places.
"""

from __future__ import annotations

import base64
import binascii
import contextlib
import json
import math
import os
import re
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from model import limits
from model.errors import HeadscopeError
from model.files.files import read_bytes, shown
from model.files.safe_folder import has_file, invalid, json_object, safe_file
from model.files.tensor_file import well_formed
from model.folder.bundle_config import CONFIG
from model.folder.model_folder import ModelFolder
from model.foreign.tokens.tokenizer_json import MOST_ADDED, sanitised
from model.tokens.tokenizer_file import parse_tokenizer_file

GENERATION_CONFIG = "generation_config.json"
TOKENIZER_CONFIG = "tokenizer_config.json"
TOKENIZER = "tokenizer.json"

_SPECIALS, _ADDED = "special_tokens_map.json", "added_tokens.json"
_JSON_VOCABULARIES = (
    TOKENIZER,
    "vocab.json",
    "target_vocab.json",
    "vocab-src.json",
    "vocab-tgt.json",
    _ADDED,
)
_TEXT_VOCABULARIES = ("vocab.txt", "merges.txt", "bpe.codes", "dict.txt", "prophetnet.tokenizer")
_BESIDE = {"merges.txt", _ADDED}  # no vocabulary by themselves
_SPM_ENDINGS = (".model", ".spm")
_MOST_SPM_FILES = 8
_NO_VOCABULARY = ("ByT5Tokenizer", "CanineTokenizer", "PerceiverTokenizer")
"""Tokenizers that spell everything in bytes or characters and need no file."""

# Entries that would make `transformers` read, fetch or run something, or compute otherwise than it should.
_DENIED = re.compile(
    r"""auto_map|custom_\w+|trust_remote_code|_?name_or_path|\w*_(?:file|files|path|dir|url|repo|repo_id)
    |_?attn_implementation\w*|_?experts_implementation\w*|transformers_weights|kernel_config|fusion_config
    |distributed_config|\w*_plan|gguf\w*|_?adapter_(?:name|kwargs|model)\w*|peft\w*|backbone\w*|use_pretrained_backbone|use_timm_backbone
    |torchscript|return_dict|use_return_dict|output_attentions|output_hidden_states|torch_dtype|dtype|use_cache
    |chat_template|processor_class|init_inputs|sp_model_kwargs|\w*_object|vocab|merges|backend|from_slow|use_fast
    |fast_tokenizer_files|subfolder|revision|token|proxies|mirror|is_local|local_files_only|source_spm|target_spm
    |_commit_hash|_from_\w+|_configuration_file|pretrained_model_name_or_path|(?:mecab|sudachi|jumanpp)_kwargs
    |__\w+__""",
    re.VERBOSE,
)
# Entries of tokenizer_config.json that may hold more than one value.
_COMPOSITE = ("added_tokens_decoder", "extra_special_tokens", "additional_special_tokens", "never_split")
# Entries that say how many tokens a class is to make up, such as T5's sentinels.
_MADE = re.compile(r"extra_ids|offset|num_\w+")
_MOST_MADE = 1 << 12
_QUANTIZED = ("quantization_config", "compression_config", "quantization")

_LAYERS = re.compile(r"\w*(?:layer|depth|block|stage)\w*")
_COUNTS = re.compile(r"\w*(?:head|expert|label|choice|group)\w*")
_REALS = re.compile(r"\w*(?:theta|base|scal|factor|eps|value|alpha|beta|bias|temperature|coef|penalty)\w*")
_MOST_LAYERS = 1024
_MOST_COUNTED = 1 << 16
_LARGEST_SIZE = 1 << 31
_LARGEST_REAL = 1 << 53
_DEEPEST = 24


@contextlib.contextmanager
def staged(found: ModelFolder) -> Iterator[Path]:
    """A private folder with what `transformers` needs besides the weights; gone when the block ends.

    Raises:
        HeadscopeError: a file is missing, absurd, of an unknown kind or hostile.
    """
    config = checked_config(found)
    with tempfile.TemporaryDirectory(prefix="headscope-", ignore_cleanup_errors=True) as made:
        stage = Path(made)
        _write(stage, CONFIG, config)
        if has_file(found.path, GENERATION_CONFIG):
            rules = json_object(found.path, GENERATION_CONFIG)
            _check_numbers(found.path / GENERATION_CONFIG, rules)
            _write(stage, GENERATION_CONFIG, without_denied(rules))
        _stage_tokenizer(found.path, config, stage)
        yield stage


def checked_config(found: ModelFolder) -> dict[str, Any]:
    """`config.json` without what could do harm.

    Raises:
        HeadscopeError: `foreign_quantized`; `config_value`, `bundle_invalid`: a number is absurd.
    """
    path = found.path / CONFIG
    for key in _QUANTIZED:
        if found.values.get(key):
            raise HeadscopeError("foreign_quantized", path=shown(found.path))
    _check_numbers(path, found.values)
    return without_denied(found.values)


def without_denied(values: Mapping[str, Any]) -> dict[str, Any]:
    """An object and those in it, without the entries that name code, files or other places."""

    def harmless(value: Any) -> Any:
        if isinstance(value, dict):
            return without_denied(value)
        return [harmless(item) for item in value] if isinstance(value, list) else value

    return {key: harmless(value) for key, value in values.items() if not _DENIED.fullmatch(key)}


def tokenizer_class_of(settings: Mapping[str, Any], config: Mapping[str, Any]) -> str | None:
    """The class that the folder's files name for its tokenizer; None if they name none."""
    named = settings.get("tokenizer_class") or config.get("tokenizer_class")
    return None if named is None else str(named)


def _check_numbers(path: Path, value: Any, key: str = "", depth: int = 0) -> None:
    """Refuse numbers that no model has: of some, Python makes objects before torch could be asked."""
    if depth > _DEEPEST:
        raise invalid(path, "it is nested too deeply")
    if isinstance(value, dict):
        for name, item in value.items():
            _check_numbers(path, item, name, depth + 1)
    elif isinstance(value, list):
        for item in value:
            _check_numbers(path, item, key, depth + 1)
    elif isinstance(value, float):
        if not math.isfinite(value):
            raise invalid(path, f"{key[:40]!r} is no number")
    elif type(value) is int and abs(value) > _most(key):
        wanted = f"at most {_most(key)}"
        raise HeadscopeError("config_value", field=well_formed(key)[:40], value=f"{value:.3g}", wanted=wanted)


def _most(key: str) -> int:
    if _REALS.fullmatch(key):
        return _LARGEST_REAL
    if _LAYERS.fullmatch(key) and not key.endswith(("_dim", "_size", "_ids")):
        return _MOST_LAYERS
    return _MOST_COUNTED if _COUNTS.fullmatch(key) and not key.endswith("_dim") else _LARGEST_SIZE


def _stage_tokenizer(folder: Path, config: Mapping[str, Any], stage: Path) -> None:
    settings: dict[str, Any] = {}
    if has_file(folder, TOKENIZER_CONFIG):
        settings = json_object(folder, TOKENIZER_CONFIG, limit=limits.TOKENIZER_SETTINGS)
        settings = {k: v for k, v in without_denied(settings).items() if _is_setting(k, v)}
        _check_counts(folder / TOKENIZER_CONFIG, settings)
        _write(stage, TOKENIZER_CONFIG, settings)
    if has_file(folder, _SPECIALS):
        specials = without_denied(json_object(folder, _SPECIALS))
        _check_counts(folder / _SPECIALS, specials)
        _write(stage, _SPECIALS, specials)
    there = [name for name in (*_JSON_VOCABULARIES, *_TEXT_VOCABULARIES) if has_file(folder, name)]
    for name in there:
        values = json_object(folder, name, limit=limits.VOCABULARY) if name in _JSON_VOCABULARIES else {}
        if name == _ADDED and len(values) > MOST_ADDED:
            raise invalid(folder / name, f"it adds more than {MOST_ADDED} tokens")
        if name == TOKENIZER and values != (safe := sanitised(folder / name, values)):
            _write(stage, name, safe)
        else:
            (stage / name).write_bytes(_small(folder, name))
    pieces = _stage_pieces(folder, stage)
    if not pieces and not set(there) - _BESIDE and tokenizer_class_of(settings, config) not in _NO_VOCABULARY:
        raise HeadscopeError("foreign_no_tokenizer", path=shown(folder))


def _check_counts(path: Path, settings: Mapping[str, Any]) -> None:
    """Refuse settings by which a tokenizer would make endlessly many tokens."""
    for key, value in settings.items():
        if type(value) is int and _MADE.fullmatch(key) and abs(value) > _MOST_MADE:
            wanted = f"at most {_MOST_MADE}"
            raise HeadscopeError("config_value", field=key[:40], value=f"{value:.3g}", wanted=wanted)
        if isinstance(value, dict | list) and len(value) > MOST_ADDED:
            raise invalid(path, f"it adds more than {MOST_ADDED} tokens")


def _is_setting(key: str, value: Any) -> bool:
    """Whether an entry is a plain value or a token: nothing else of a tokenizer is told by its settings."""
    if isinstance(value, dict):
        return key in _COMPOSITE or isinstance(value.get("content"), str)
    return not isinstance(value, list) or key in _COMPOSITE


def _stage_pieces(folder: Path, stage: Path) -> list[str]:
    """Put the SentencePiece files there; garbage is refused before a library in C++ sees it."""
    names = sorted(name for name in os.listdir(folder) if name.endswith(_SPM_ENDINGS))
    for name in names[:_MOST_SPM_FILES]:
        data = _small(folder, name)
        try:
            parse_tokenizer_file(data)
        except ValueError as error:
            if has_file(folder, TOKENIZER):
                continue  # which holds all that is needed
            if not _is_ranks(data):
                raise HeadscopeError(
                    "tokenizer_invalid", path=shown(folder / name), reason=str(error)
                ) from None
        (stage / name).write_bytes(data)
    return names


def _is_ranks(data: bytes) -> bool:
    """Whether a file lists pieces in base64 with their ranks, as tiktoken's do."""
    first, _, rank = data.partition(b"\n")[0].partition(b" ")
    try:
        return rank.strip().isdigit() and bool(base64.b64decode(first, validate=True))
    except binascii.Error:
        return False


def _small(folder: Path, name: str) -> bytes:
    return read_bytes(safe_file(folder, name), limit=limits.VOCABULARY)


def _write(stage: Path, name: str, values: Mapping[str, Any]) -> None:
    try:
        text = json.dumps(values, allow_nan=False)  # in ASCII: a lone surrogate stays one
    except ValueError:
        raise invalid(name, "it holds a number that is none") from None
    (stage / name).write_text(text, encoding="ascii")
