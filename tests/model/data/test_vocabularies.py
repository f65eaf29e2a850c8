from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
import sentencepiece

from model.data import vocabularies as vocabularies_module
from model.data.pair_list import PairList, PairStore
from model.data.pairs.pair_files import Pair
from model.data.vocabularies import learn_vocabularies
from model.errors import HeadscopeError
from model.tokens.tokenizer import SentencePieceTokenizer, train_tokenizer
from model.train_options import TrainOptions

PAIRS = [("the red house", "红色的房子"), ("an old tree", "一棵老树")] * 5


def learned(
    pairs: list[Pair], **options: Any
) -> tuple[SentencePieceTokenizer, SentencePieceTokenizer, list[tuple[int, int]]]:
    given = {"vocab_size": 300, "coverage": 1.0, **options}
    work: Generator[tuple[int, int], None, Any] = learn_vocabularies(
        PairList(PairStore(pairs)), TrainOptions(name="x", **given)
    )
    seen = []
    while True:
        try:
            seen.append(next(work))
        except StopIteration as end:
            return *end.value, seen


@pytest.fixture(params=["here", "elsewhere"])
def place(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Where vocabularies are learned: in this process, or in one of its own."""
    if request.param == "elsewhere":
        monkeypatch.setattr(vocabularies_module, "SMALL", 0)
    return str(request.param)


@pytest.mark.usefixtures("place")
def test_shared_and_separate() -> None:
    shared = learned(PAIRS)
    assert shared[0] is shared[1]
    source, target, _ = learned(PAIRS, shared_vocab=False, languages=("en", "zh"))
    assert source.pieces("the")[0].startswith("▁")  # a space in front, so a word is itself anywhere
    assert not target.pieces("红色")[0].startswith("▁")  # Chinese has none
    for tokenizer in (*shared[:2], source, target):
        assert (tokenizer.pad_id, tokenizer.unk_id, tokenizer.start_id, tokenizer.end_id) == (0, 1, 2, 3)


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize("kind", ["unigram", "bpe", "word"])
def test_the_same_bytes_as_learned_in_one_go(kind: str) -> None:
    pairs = [*PAIRS, ("a\tb\nc", "d\re"), ("x" * 2500, "y" * 1200), ("\u2585q", " z ")]
    options = {"vocab_type": kind, "byte_fallback": kind != "word", "vocab_size": 320}
    source, target, _ = learned(pairs, shared_vocab=False, **options)
    for side, tokenizer in enumerate((source, target)):
        expected = train_tokenizer(
            [pair[side] for pair in pairs], vocab_size=320, model_type=kind, dummy_prefix=True,  # type: ignore[arg-type]
            byte_fallback=kind != "word", character_coverage=1.0,
        )  # fmt: skip
        assert tokenizer.serialized() == expected
    both, _, _ = learned(pairs, **options)
    expected = train_tokenizer(
        [text for pair in pairs for text in pair], vocab_size=320, model_type=kind, dummy_prefix=True,  # type: ignore[arg-type]
        byte_fallback=kind != "word", character_coverage=1.0,
    )  # fmt: skip
    assert both.serialized() == expected


@pytest.mark.usefixtures("place")
def test_too_few_pieces() -> None:
    with pytest.raises(HeadscopeError) as error:
        learned(PAIRS, vocab_size=20)
    assert error.value.code == "tokenizer_vocab_too_small"
    with pytest.raises(HeadscopeError) as error:
        learned([("\t", "\n")])
    assert error.value.code == "tokenizer_no_text"


# existing models


def model_file(path: Path, **changes: Any) -> str:
    """A SentencePiece model made by the library itself."""
    settings = {"pad_id": 0, "unk_id": 1, "bos_id": 2, "eos_id": 3, **changes}
    with path.open("wb") as file:
        sentencepiece.SentencePieceTrainer.Train(
            sentence_iterator=iter(["the red house", "an old tree"]), model_writer=file, vocab_size=30,
            hard_vocab_limit=False, minloglevel=3, **settings,
        )  # fmt: skip
    return str(path)


def test_existing_models(tmp_path: Path) -> None:
    one, two = model_file(tmp_path / "1.spm"), model_file(tmp_path / "2.spm", model_type="char")
    source, target, seen = learned(PAIRS, vocab_files=(one,))
    assert source is target
    assert source.serialized() == Path(one).read_bytes()
    source, target, _ = learned(PAIRS, vocab_files=(one, two), shared_vocab=False)
    assert [source.serialized(), target.serialized()] == [Path(one).read_bytes(), Path(two).read_bytes()]
    source, target, _ = learned(PAIRS, vocab_files=(one, one), shared_vocab=False)
    assert source is target
    assert seen == []


@pytest.mark.parametrize(("missing", "name"), [("pad_id", "pad"), ("bos_id", "bos"), ("eos_id", "eos")])
def test_existing_models_that_lack_a_piece(tmp_path: Path, missing: str, name: str) -> None:
    path = model_file(tmp_path / "1.spm", **{missing: -1})
    with pytest.raises(HeadscopeError, match=f"has no {name} piece") as error:
        learned(PAIRS, vocab_files=(path,))
    assert error.value.code == "tokenizer_special"


def test_existing_models_that_disagree_or_are_damaged(tmp_path: Path) -> None:
    one = model_file(tmp_path / "1.spm")
    other = model_file(tmp_path / "2.spm", pad_id=3, eos_id=0)
    with pytest.raises(HeadscopeError) as error:
        learned(PAIRS, vocab_files=(one, other), shared_vocab=False)
    assert error.value.code == "tokenizer_special_differ"
    Path(other).write_bytes(Path(one).read_bytes()[:200])
    with pytest.raises(HeadscopeError) as error:
        learned(PAIRS, vocab_files=(other,))
    assert error.value.code == "tokenizer_invalid"
    with pytest.raises(HeadscopeError) as error:
        learned(PAIRS, vocab_files=(str(tmp_path / "none.spm"),))
    assert error.value.code == "tokenizer_missing"
