"""Data fields: what is read, how it is cut into pieces, and what the result is called."""

from __future__ import annotations

from model.train_options import MOST
from model.training.fields.field import Field

DATA = (
    Field(
        "task", "data", "Task",
        "A task whose sentence pairs are generated, so that training works without any file.",
        choices=(
            ("copy", "Copy the words"),
            ("reverse", "Reverse the words"),
            ("sort", "Sort the words"),
            ("either", "Forward or backward"),
            ("trees", "Write a tree in brackets"),
            ("grammar", "English to French grammar"),
            ("names", "English to French with names"),
            ("notes", "Short sentences, as in lecture notes"),
            ("relations", "Two relations at once"),
        ),
        kind="choice",
    ),
    Field(
        "task_size", "data", "Pairs",
        "How many sentence pairs the task makes; more of them teach the rule rather than the examples.",
        least=1, most=MOST["task_size"], step=1000,
    ),
    Field(
        "pairs", "data", "Files",
        "Text files with a sentence, a tab and its translation on each line (or CSV), plain or as .gz, .xz, "
        ".bz2 or .zip.",
        kind="files",
    ),
    Field(
        "parallel", "data", "Two files",
        "Two text files whose lines are each other's translations, line by line.",
        kind="files",
    ),
    Field(
        "columns", "data", "Columns",
        "Which columns hold the sentence and its translation: numbers from 1, or the names in a CSV's first "
        "line.",
        kind="texts",
    ),
    Field(
        "languages", "data", "Languages",
        "Codes of the two languages, such as en and fr: the one read, then the one written.",
        kind="texts",
    ),
    Field(
        "swap", "data", "Translate the other way",
        "Reads the second column and writes the first.",
        kind="flag",
    ),
    Field(
        "encoding", "data", "Encoding",
        "The character encoding of the files, such as utf-8 or gb18030; auto detects it.",
        kind="text", advanced=True,
    ),
    Field(
        "split", "data", "Held out",
        "How pairs are set aside to measure progress; test sentences never occur in training.",
        choices=(
            ("holdout", "Some pairs, drawn by the seed"),
            ("tatoeba-hash", "By hash: 1 % dev, 1 % test"),
        ),
        kind="choice", advanced=True,
    ),
    Field(
        "max_characters", "data", "Longest sentence",
        "Pairs with a longer side are left out.",
        step=10, unit="characters", zero="any length", advanced=True,
    ),
    Field(
        "max_ratio", "data", "Most uneven pair",
        "Pairs whose longer side has more than this many times the characters of the shorter are left out, "
        "as they are seldom translations.",
        kind="number", most=1000, step=0.5, decimals=1, zero="any ratio", advanced=True,
    ),
    Field(
        "max_tokens", "data", "Longest in tokens",
        "Pairs with more tokens on a side are left out, as memory grows with the longest sentence.",
        place="train", least=1, step=16, unit="tokens", advanced=True,
    ),
    Field(
        "drop_duplicates", "data", "Use repeated pairs once",
        "A pair that occurs several times is used only once.",
        kind="flag", advanced=True,
    ),
)  # fmt: skip

VOCABULARY = (
    Field(
        "vocab_type", "vocabulary", "Pieces",
        "How text is split: into likely pieces (unigram), frequently merged pairs of letters (BPE), "
        "or whole words.",
        choices=(("unigram", "Unigram"), ("bpe", "BPE"), ("word", "Whole words")),
        kind="choice",
    ),
    Field(
        "vocab_size", "vocabulary", "Size",
        "How many different pieces the model knows; few pieces split words finely, many need more "
        "text to learn from.",
        least=1, most=MOST["vocab_size"], step=500, unit="pieces",
    ),
    Field(
        "shared_vocab", "vocabulary", "One for both languages",
        "Both languages share their pieces, which suits related languages and lets embeddings be tied.",
        kind="flag",
    ),
    Field(
        "coverage", "vocabulary", "Coverage",
        "The share of all characters that get a piece of their own; the rarest beyond it do not (0.9995 "
        "suits Chinese).",
        kind="number", least=0.9, most=1, step=0.0005, decimals=4, advanced=True,
    ),
    Field(
        "byte_fallback", "vocabulary", "Spell rare characters as bytes",
        "A character without a piece is written as its bytes instead of one unknown token, so that nothing "
        "is lost.",
        kind="flag", advanced=True,
    ),
    Field(
        "bpe_dropout", "vocabulary", "BPE dropout",
        "The share of BPE merges skipped at random in training, so that a word is seen split in many "
        "ways (0.1 helps small corpora).",
        kind="number", place="train", most=0.95, step=0.05, decimals=2, zero="off", advanced=True,
    ),
    Field(
        "vocab_files", "vocabulary", "Existing pieces",
        "SentencePiece .spm files to use instead of learning new ones: one for both languages, or two.",
        kind="files", advanced=True,
    ),
)  # fmt: skip

OUT = Field(
    "out", "result", "Folder",
    "A new folder for the model; the run is saved there too.",
    kind="text",
)  # fmt: skip

RESULT = (
    Field(
        "name", "result", "Name",
        "What the model is called in menus and figures.",
        kind="text",
    ),
    Field(
        "half", "result", "Half-size file",
        "Stores the weights with 16 bits each instead of 32: half the file size, with no visible "
        "difference.",
        kind="flag", advanced=True,
    ),
)  # fmt: skip
