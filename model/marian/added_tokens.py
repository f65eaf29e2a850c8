"""Added tokens: specials, and strings kept whole, beside the vocabulary of a Marian folder.

Read as `transformers` reads them: `tokenizer_config.json` alone where it numbers its tokens
(`added_tokens_decoder`), else with `special_tokens_map.json`, `added_tokens.json` and `tokenizer.json`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from model import limits
from model.files.safe_folder import has_file, invalid, json_object

TOKENIZER_CONFIG = "tokenizer_config.json"

_NAMED = ("bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token")
_DEFAULTS = {"unk_token": "<unk>", "eos_token": "</s>", "pad_token": "<pad>"}
_MOST = 10_000
_LONGEST = 1_000


@dataclass(frozen=True)
class AddedToken:
    """A string that is kept whole wherever it stands in a text.

    Attributes:
        lstrip, rstrip: it takes the blanks before or after it along.
        single_word: not where it is joined to other characters.
    """

    content: str
    lstrip: bool = False
    rstrip: bool = False
    single_word: bool = False


@dataclass(frozen=True)
class FolderTokens:
    """The tokens beside the vocabulary.

    Attributes:
        settings: `tokenizer_config.json`.
        specials: by what they are for, such as `eos_token`; further ones by themselves.
        numbered: those that bring their own id, and alone may take blanks along.
        whole: whether they are looked for in texts at all.
    """

    settings: Mapping[str, Any]
    specials: Mapping[str, str]
    numbered: Mapping[int, AddedToken]
    whole: bool

    def ids(self, vocab: Mapping[str, int], vocab_size: int) -> dict[str, int]:
        """The id of each: its own, else the vocabulary's, else the next free one.

        Those outside the model's table of `vocab_size` rows are left out.
        """
        ids = {token.content: token_id for token_id, token in self.numbered.items()}
        following = len(vocab.keys() | ids.keys())
        for content in self.specials.values():
            if content not in ids:
                known = content in vocab
                ids[content] = vocab[content] if known else following
                following += not known
        return {content: token_id for content, token_id in ids.items() if 0 <= token_id < vocab_size}


class Splitter:
    """Cuts added tokens out of a text; the longest counts where several begin."""

    def __init__(self, tokens: FolderTokens, known: Mapping[str, int]) -> None:
        every = (*map(AddedToken, tokens.specials.values()), *tokens.numbered.values())
        whole = every if tokens.whole else ()
        self._tokens = {token.content: token for token in whole if token.content in known}
        longest_first = sorted(self._tokens, key=len, reverse=True)
        self._pattern = re.compile("(" + "|".join(map(re.escape, longest_first)) + ")")

    def split(self, text: str) -> list[tuple[str, bool]]:
        """The text in parts, each with whether it is an added token."""
        if not self._tokens:
            return [(text, False)]
        parts = [part for part in self._pattern.split(text) if part]
        for place, part in enumerate(parts):
            if part in self._tokens:
                self._settle(parts, place, self._tokens[part])
        return [(part, part in self._tokens) for part in parts if part]

    def _settle(self, parts: list[str], place: int, token: AddedToken) -> None:
        """What the token takes of its neighbours, or whether it goes back into one of them."""
        left = parts[place - 1] if place else ""
        right = parts[place + 1] if place + 1 < len(parts) else ""
        if token.rstrip and right:
            parts[place + 1] = right.lstrip()
        if token.lstrip and left:
            parts[place - 1] = left.rstrip()
        if not token.single_word:
            return
        if left and left[-1] != " ":
            parts[place - 1] += token.content
            parts[place] = ""
        elif right and right[0] != " ":
            parts[place + 1] = token.content + parts[place + 1]
            parts[place] = ""


def read_tokens(folder: Path) -> FolderTokens:
    """The tokens beside the vocabulary of the model in `folder`; none of the files need be there.

    Raises:
        HeadscopeError: one of them is damaged, or absurdly large.
    """
    settings = _object(folder, TOKENIZER_CONFIG)
    names = dict(settings)
    numbered: dict[int, AddedToken] = {}
    if isinstance(settings.get("added_tokens_decoder"), dict):
        for key, value in settings["added_tokens_decoder"].items():
            if key.isascii() and key.isdigit() and len(key) < 18:
                _add(numbered, int(key), value)
    else:
        names |= _object(folder, "special_tokens_map.json")
        for content, token_id in _object(folder, "added_tokens.json").items():
            _add(numbered, token_id, content)
        listed = _object(folder, "tokenizer.json", limits.ADDED_TOKENS).get("added_tokens")
        for value in listed if isinstance(listed, list) else []:
            _add(numbered, value.get("id") if isinstance(value, dict) else None, value)
    specials = dict(_specials(names))
    contents = [*specials.values(), *(token.content for token in numbered.values())]
    if len(contents) > _MOST or any(len(content) > _LONGEST for content in contents):
        raise invalid(
            folder / TOKENIZER_CONFIG, f"more than {_MOST} tokens are added to it, or one is endless"
        )
    whole = not settings.get("split_special_tokens")
    return FolderTokens(settings, specials, numbered, whole)


def _specials(names: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The named ones in `transformers`' order, then those that only this model has."""
    extra = names.get("extra_special_tokens") or names.get("additional_special_tokens") or []
    own = {**names, **(extra if isinstance(extra, dict) else {})}
    further = [name for name in own if name.endswith("_token") and name not in _NAMED]
    for name in (*_NAMED, *further):
        content = _content(own.get(name)) or _DEFAULTS.get(name, "")
        if content:
            yield name, content
    for value in extra if isinstance(extra, list) else []:
        content = _content(value)
        if content:
            yield content, content


def _content(value: Any) -> str:
    """A token's text, from JSON that is a string or an object; empty for anything else."""
    text = value.get("content") if isinstance(value, dict) else value
    return text if isinstance(text, str) else ""


def _add(numbered: dict[int, AddedToken], token_id: Any, value: Any) -> None:
    content = _content(value)
    if content and type(token_id) is int:
        flags = value if isinstance(value, dict) else {}
        names = ("lstrip", "rstrip", "single_word")
        numbered[token_id] = AddedToken(content, **{name: bool(flags.get(name)) for name in names})


def _object(folder: Path, name: str, largest: int = limits.SETTINGS) -> dict[str, Any]:
    """The JSON object in a small file; empty if there is no such file."""
    return json_object(folder, name, limit=largest) if has_file(folder, name) else {}
