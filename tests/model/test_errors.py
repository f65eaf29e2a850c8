from __future__ import annotations

import pickle
import string

import pytest

from model.errors import MESSAGES, HeadscopeError


def test_every_sentence_can_be_said() -> None:
    said = {}
    for code, sentence in MESSAGES.items():
        fields = [name for _, name, _, _ in string.Formatter().parse(sentence) if name is not None]
        said[code] = str(HeadscopeError(code, **dict.fromkeys(fields, "this")))

    assert len(said) > 200
    assert {code: text for code, text in said.items() if text != " ".join(text.split())} == {}
    # The command line and the window put it into their own frame.
    assert {code: text for code, text in said.items() if text.endswith(".")} == {}


def test_carries_its_values() -> None:
    error = HeadscopeError("too_long", tokens=12, limit=8)
    assert (error.code, error.values) == ("too_long", {"tokens": 12, "limit": 8})
    assert "12 tokens" in str(error)
    assert "at most 8" in str(error)


def test_unknown_codes_are_our_mistake() -> None:
    with pytest.raises(KeyError, match="no_such_code"):
        HeadscopeError("no_such_code")
    with pytest.raises(KeyError):
        HeadscopeError("too_long", tokens=3)


def test_travels_between_processes() -> None:
    error = pickle.loads(pickle.dumps(HeadscopeError("too_long", tokens=12, limit=8)))
    assert (error.code, error.values, str(error)) == (
        "too_long",
        {"tokens": 12, "limit": 8},
        str(HeadscopeError("too_long", tokens=12, limit=8)),
    )
