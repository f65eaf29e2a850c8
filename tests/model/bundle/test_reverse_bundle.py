"""The bundled model `reverse`, computed by `torch.nn` from its files: of `model/` only the task's pairs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import sentencepiece
import torch
from safetensors.torch import load_file
from torch import Tensor

import resources
from model.data.tasks import reverse_pairs
from tests.model.small import PlainTransformer

FOLDER = Path(resources.__file__).parent / "models" / "reverse"
START, END = 2, 3


@pytest.fixture(scope="module")
def words() -> sentencepiece.SentencePieceProcessor:
    return sentencepiece.SentencePieceProcessor(model_file=str(FOLDER / "source.spm"))


@pytest.fixture(scope="module")
def plain() -> PlainTransformer:
    config = json.loads((FOLDER / "config.json").read_text("utf-8"))
    tensors = {name: tensor.float() for name, tensor in load_file(FOLDER / "model.safetensors").items()}
    return PlainTransformer(config["architecture"], tensors)


@pytest.fixture(scope="module")
def unseen() -> list[tuple[str, str]]:
    """A hundred sequences of 3 to 12 words that were neither trained on nor held out."""
    start = json.loads((FOLDER / "training_log.jsonl").read_text("utf-8").split("\n")[0])
    seen = set(reverse_pairs(start["options"]["task_size"], start["options"]["train"]["seed"]))
    fresh = [pair for pair in reverse_pairs(200, 20_250_101) if pair not in seen]
    return fresh[:100]


@torch.no_grad()
def forced(plain: PlainTransformer, source: list[int], target: list[int]) -> tuple[list[int], Tensor]:
    """The best token of each row with `target` as the rows before, and the cross patterns [head, row, key].

    Greedy decoding produces `target` exactly when these best tokens are `target` and the end.
    """
    memory = plain.encode(torch.tensor([source]))
    hidden = plain.decode(torch.tensor([[START, *target]]), memory)
    return plain.project(hidden)[0].argmax(-1).tolist(), plain.patterns["cross", 0][0]


def test_reverses_and_shows_it(
    plain: PlainTransformer, words: sentencepiece.SentencePieceProcessor, unseen: list[tuple[str, str]]
) -> None:
    """Row t predicts word n-1-t. Its mass within one step of that word, on words alone: keys n-2-t to n-t.

    The end token, key n, is no word and does not count, although it lies one step from the first row's
    word. Nor does the last row, which predicts the end and so has no word to look at.
    """
    assert len(unseen) == 100
    right, near, exact = 0, torch.zeros(2), torch.zeros(2)
    for text, wanted in unseen:
        ids, target = words.encode(text), words.encode(wanted)
        n = len(text.split())
        assert len(ids) == n
        best, pattern = forced(plain, [*ids, END], target)
        right += best == [*target, END]
        assert pattern.shape == (2, n + 1, n + 1)
        for row in range(n):
            word = n - 1 - row
            near += pattern[:, row, max(0, word - 1) : min(n, word + 2)].sum(-1) / n / 100
            exact += pattern[:, row, word] / n / 100
    assert right >= 98
    assert float(near.max()) > 0.95  # 0.8 is asked for
    assert float(exact.max()) > 0.9


def test_each_word_is_one_token_in_both_directions(words: sentencepiece.SentencePieceProcessor) -> None:
    pieces = [words.id_to_piece(number) for number in range(words.get_piece_size())]
    assert pieces[:4] == ["<pad>", "<unk>", "<s>", "</s>"]
    assert len(pieces) == 28
    assert all(piece.startswith("▁") and piece[1:].isalpha() for piece in pieces[4:])
    assert (FOLDER / "target.spm").read_bytes() == (FOLDER / "source.spm").read_bytes()


def test_folder_is_small_and_complete() -> None:
    names = {path.name for path in FOLDER.iterdir()}
    assert names == {
        "README.md",
        "README.zh.md",
        "config.json",
        "example.trace",
        "model.safetensors",
        "source.spm",
        "target.spm",
        "training_log.jsonl",
    }
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < 250_000
    config = json.loads((FOLDER / "config.json").read_text("utf-8"))
    shape = config["architecture"]
    assert (shape["encoder_layers"], shape["decoder_layers"], shape["n_heads"]) == (1, 1, 2)
    assert config["showcase"]["kind"] == "cross"
    start = json.loads((FOLDER / "training_log.jsonl").read_text("utf-8").split("\n")[0])
    assert start["command"] in (FOLDER / "README.md").read_text("utf-8")
