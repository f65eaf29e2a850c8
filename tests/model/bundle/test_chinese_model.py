"""The bundled model from Chinese to English, on sentences of a classroom that it was never trained on.

`classroom_zh.tsv` was written before the training began. Its columns: the sentence, what it means, what the
model made of it, and whether a person who read that called it right.
"""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from model.decoding.decode_config import DecodeConfig
from model.translator.translation import translate_batch
from model.translator.translator import Translator

RIGHT_AT_LEAST = 54


@pytest.fixture(scope="module")
def translator() -> Translator:
    return Translator.load("zh-en")


@pytest.fixture(scope="module")
def classroom() -> list[list[str]]:
    text = Path(__file__).with_name("classroom_zh.tsv").read_text(encoding="utf-8")
    return list(csv.reader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE))


def test_it_says_what_was_read_and_called_right(translator: Translator, classroom: list[list[str]]) -> None:
    """Another processor may round another way: two sentences may come out otherwise, right or wrong."""
    assert len(classroom) == 60
    found = [one.text for one in translate_batch(translator, [row[0] for row in classroom], DecodeConfig())]
    said = [row[2] for row in classroom]
    right = [row[3] == "right" for row in classroom]
    assert sum(right) >= RIGHT_AT_LEAST
    assert sum(text == other for text, other in zip(found, said)) >= len(classroom) - 2
    assert sum(good and text == other for good, text, other in zip(right, found, said)) >= RIGHT_AT_LEAST - 2


def test_sentences_of_a_lecture_come_out_right(translator: Translator) -> None:
    wanted = {
        "北京是中国的首都": "Beijing is the capital of China.",
        "你打我": "You hit me.",
        "我打你": "I hit you.",
        "小明把苹果给了小红": "Xiaoming gave the apple to Xiaohong.",
        "二加二等于四": "Two plus two equals four.",
    }
    found = [one.text for one in translate_batch(translator, list(wanted), DecodeConfig())]
    assert [text.rstrip(".") for text in found] == [text.rstrip(".") for text in wanted.values()]


def test_traditional_characters_are_read_as_simplified_ones(translator: Translator) -> None:
    """By the rules in its own pieces: nothing is spelled in bytes."""
    pairs = [
        ("北京是中國的首都。", "北京是中国的首都。"),
        ("學生們正在學習機器翻譯，對嗎？", "学生们正在学习机器翻译，对吗？"),
        ("臺灣的圖書館裡有很多書", "台湾的图书馆里有很多书"),
        ("請打開窗戶!", "请打开窗户！"),
    ]
    tokenizer = translator.model.source_tokenizer
    for traditional, simplified in pairs:
        ids = tokenizer.encode(traditional)
        assert ids == tokenizer.encode(simplified)
        assert not any(map(tokenizer.is_byte, ids))
