"""Two sentences beside each other: against a plain Transformer read from the files, and hand-worked words."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from model.errors import HeadscopeError
from model.inspection.answering import answer
from model.questions.two_sentences import Common, TwoReadings, TwoSentences, common_words
from model.translator.translator import Translator
from tests.model.inspection.conftest import Made
from tests.model.network.plain_transformer import PlainTransformer

TEXTS = ("the red dog", "a dog ran over the red apple")


def read(made: Made, texts: tuple[str, str] = TEXTS, sha256: str = "") -> TwoReadings:
    found = list(answer(made.bundle, TwoSentences(sha256, texts), None))
    assert all(each is None for each in found[:-1])
    assert isinstance(found[-1], TwoReadings)
    return found[-1]


def way(plain: PlainTransformer, ids: list[int]) -> list[Any]:
    """Embedding, sum with the position, and each layer's output, by the oracle."""
    table = plain.w["source_embedding.weight"]
    scale = plain.a["d_model"] ** 0.5 if plain.a["scale_embedding"] else 1.0
    x = plain.embed(table, ids)
    found = [table[torch.tensor(ids)] * scale, x]
    for layer in range(plain.a["encoder_layers"]):
        x = plain.encoder_layer(f"encoder.layers.{layer}.", x)
        found.append(x)
    return [vectors.double().numpy() for vectors in found]


def test_cosines_are_those_of_a_plain_transformer(made: Made) -> None:
    plain, tokenizer = PlainTransformer(made.folder), made.bundle.source_tokenizer
    ids = [[*tokenizer.encode(text), tokenizer.end_id] for text in TEXTS]
    found = read(made)
    assert found.stages == ("embedding", "sum", "1", "2")
    assert [len(tokens) for tokens in found.tokens] == [len(each) for each in ids]
    for stage, (one, two) in enumerate(zip(way(plain, ids[0]), way(plain, ids[1]), strict=True)):
        lengths = np.linalg.norm(one, axis=1)[:, None] * np.linalg.norm(two, axis=1)
        np.testing.assert_allclose(found.cosine[stage], one @ two.T / lengths, atol=2e-5)


def test_the_translations_are_the_models_own(made: Made) -> None:
    translator = Translator(made.bundle)
    wanted = tuple(list(translator.decode(text))[-1].trace.tgt_text for text in TEXTS)
    assert read(made).translations == wanted


@pytest.mark.parametrize(
    ("texts", "code"), [(("", "a dog"), "empty_text"), (("a dog " * 40, "a"), "too_long")]
)
def test_a_text_that_cannot_be_read_is_refused(make: Any, texts: tuple[str, str], code: str) -> None:
    with pytest.raises(HeadscopeError) as error:
        read(make(), texts)
    assert error.value.code == code


def test_another_models_question_is_refused(make: Any) -> None:
    with pytest.raises(HeadscopeError) as error:
        read(make(), sha256="ff")
    assert error.value.code == "two_sentences_model"


def test_words_of_both_sentences() -> None:
    first = ("▁The", "▁wat", "ch", "▁is", "▁old", ".", "</s>")
    second = ("▁They", "▁wat", "ch", "▁old", "▁films", ",", "▁old", ".", "</s>")
    assert common_words((first, second)) == (
        Common(("▁wat", "ch"), (1, 1)),
        Common(("▁old",), (4, 3)),
        Common((".",), (5, 7)),
    )


def test_pieces_of_a_script_without_spaces_are_words_alone() -> None:
    assert common_words((("▁我们", "打", "球", "</s>"), ("他", "打", "了", "</s>"))) == (
        Common(("打",), (1, 1)),
    )


def test_what_is_not_known_is_no_word_and_a_byte_is_one() -> None:
    first, second = ("▁a", "<unk>", "▁b", "</s>"), ("▁c", "<unk>", "</s>")
    assert common_words((first, second)) == ()
    first, second = ("<0x41>", "▁b", "</s>"), ("<0x41>", "▁c", "</s>")
    assert common_words((first, second)) == (Common(("<0x41>",), (0, 0)),)
