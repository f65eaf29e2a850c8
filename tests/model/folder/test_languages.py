from __future__ import annotations

import pytest

from model.errors import HeadscopeError
from model.folder.languages import check_readable, is_readable, language_name, scripts_in

OTHERS = [("en-fr", "en"), ("zh-en", "zh"), ("reverse", "und")]


@pytest.mark.parametrize(
    ("text", "language", "readable"),
    [
        ("The cat sleeps.", "en", True),
        ("Café, naïve, Ærø", "en", True),
        ("Ｆｕｌｌ ｗｉｄｔｈ", "en", True),
        ("我喜欢绿茶。", "en", False),
        ("Привет, мир", "en", False),
        ("Γειά σου", "en", False),
        ("안녕하세요", "en", False),
        ("नमस्ते", "en", False),
        ("ひらがな", "en", False),
        ("مرحبا", "en", False),
        ("The word 中文 means Chinese.", "en", True),
        ("我叫 John", "en", True),
        ("我的名字是 John", "en", False),
        ("我喜欢绿茶。", "zh", True),
        ("我喜欢绿茶。", "zh-Hans", True),
        ("我喜欢绿茶。", "cmn", True),
        ("我喜欢 Python programming", "zh", True),
        ("I like green tea.", "zh", False),
        ("I like 茶 very much indeed.", "zh", False),
        ("12:30 - 3.5 %!?", "en", True),
        ("12:30 - 3.5 %!?", "zh", True),
        ("😀 👍🏽", "zh", True),
        ("…", "en", True),
        ("Привет", "ru", True),
        ("Привет", "und", True),
        ("我", "und", True),
        ("我", "tlh", True),
    ],
)
def test_readable(text: str, language: str, readable: bool) -> None:
    assert is_readable(text, language) is readable


def test_words_are_counted_where_there_are_words_and_letters_where_not() -> None:
    assert scripts_in("two words 三个字 да!") == {"Latin": 2, "Cjk": 3, "Cyrillic": 1}
    assert scripts_in("e\u0301te\u0301 1990s") == {"Latin": 2}


@pytest.mark.parametrize(
    ("text", "language", "code", "offer"),
    [
        ("我喜欢茶", "en", "language_unread", "zh-en"),
        ("I like tea", "zh", "language_unread", "en-fr"),
        ("Привет мир", "en", "script_unread", None),
        ("Привет мир", "zh", "script_unread", None),
    ],
)
def test_the_refusal_offers_a_model_that_can(text: str, language: str, code: str, offer: str | None) -> None:
    with pytest.raises(HeadscopeError) as caught:
        check_readable(text, model="mine", language=language, others=OTHERS)
    assert caught.value.code == code
    assert caught.value.values.get("offer") == offer
    assert caught.value.values["model"] == "mine"
    sentence = str(caught.value)
    assert language_name(language) in sentence
    assert ("the model zh-en" in sentence) == (offer == "zh-en")


def test_nothing_is_offered_that_is_not_there() -> None:
    with pytest.raises(HeadscopeError) as caught:
        check_readable("我喜欢茶", model="mine", language="en", others=[])
    assert str(caught.value) == (
        "the model mine reads English, and this text is written in Chinese characters; "
        "write in English, or choose another model"
    )


def test_names() -> None:
    assert language_name("fr") == "French"
    assert language_name("zh_CN") == "Chinese"
    assert language_name("xx") == "xx"
