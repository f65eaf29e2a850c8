"""Tokenizer loading: from a staged folder, by a class that `transformers` itself ships."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from model import limits
from model.errors import HeadscopeError, is_out_of_memory
from model.files.files import shown
from model.files.safe_folder import clean, has_file, json_object
from model.folder.model_folder import ModelFolder
from model.foreign.tokens.rust_calls import is_panic, without_panic_reports
from model.foreign.tokens.staging import TOKENIZER_CONFIG

_TRIED = "The little girl, aged 7, reads."


def load_tokenizer(found: ModelFolder, config: Any, stage: Path) -> Any:
    """The tokenizer.

    Args:
        config: the model's, as `transformers` read it.
        stage: see `model.foreign.tokens.staging.staged`.

    Raises:
        HeadscopeError: `foreign_tokenizer_class`: no one knows the class; `foreign_tokenizer`: the files do
            not make one.
    """
    from transformers import AutoTokenizer

    _check_class(found, config, stage)
    try:
        with without_panic_reports():
            tokenizer = AutoTokenizer.from_pretrained(stage, local_files_only=True, trust_remote_code=False)
            tokenizer(_TRIED)  # files that make no tokenizer may show only now
    except BaseException as error:
        if is_out_of_memory(error) or not (is_panic(error) or isinstance(error, Exception)):
            raise
        reason = clean(" ".join(str(error).replace(str(stage), "its folder").split())) or type(error).__name__
        raise HeadscopeError("foreign_tokenizer", path=shown(found.path), reason=reason) from error
    return tokenizer


def _check_class(found: ModelFolder, config: Any, stage: Path) -> None:
    """Refuse a class that is not one of `transformers`' own tokenizers."""
    from transformers import PreTrainedTokenizerBase
    from transformers.models.auto.tokenization_auto import tokenizer_class_from_name

    settings = (
        json_object(stage, TOKENIZER_CONFIG, limit=2 * limits.TOKENIZER_SETTINGS)
        if has_file(stage, TOKENIZER_CONFIG)
        else {}
    )
    name = settings.get("tokenizer_class") or getattr(config, "tokenizer_class", None)
    if name is None:
        return
    known = None
    if isinstance(name, str) and name.isidentifier() and "Tokeniz" in name:
        known = tokenizer_class_from_name(name)
    if not (
        isinstance(known, type)
        and known.__module__.startswith("transformers.")
        and issubclass(known, PreTrainedTokenizerBase)
    ):
        raise HeadscopeError("foreign_tokenizer_class", path=shown(found.path), name=clean(str(name)) or "''")
