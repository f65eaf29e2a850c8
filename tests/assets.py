"""Small real things that several test packages share: sentences, a tokenizer, a bundle."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import Tensor

    from model.network.transformer import Transformer
    from model.tokens.tokenizer import Tokenizer

PAIRS = [
    ("I like green tea.", "J'aime le thé vert."),
    ("She has a little dog.", "Elle a un petit chien."),
    ("The little girl gave her brother a red apple.", "La petite fille a donné une pomme rouge à son frère."),
    ("We are going home.", "Nous rentrons à la maison."),
    ("He reads a book every day.", "Il lit un livre chaque jour."),
    ("The house is big and old.", "La maison est grande et vieille."),
    ("My brother drinks cold water.", "Mon frère boit de l'eau froide."),
    ("Do you speak French?", "Parlez-vous français ?"),
    ("The cat sleeps on the chair.", "Le chat dort sur la chaise."),
    ("It is raining today.", "Il pleut aujourd'hui."),
    ("They gave me a letter.", "Ils m'ont donné une lettre."),
    ("Where is the station?", "Où est la gare ?"),
    ("I do not know his name.", "Je ne connais pas son nom."),
    ("The red car is very fast.", "La voiture rouge est très rapide."),
    ("She sings every morning.", "Elle chante chaque matin."),
    ("Our school is near the river.", "Notre école est près de la rivière."),
    ("You must eat the soup.", "Tu dois manger la soupe."),
    ("He lost his key yesterday.", "Il a perdu sa clé hier."),
    ("The children play in the garden.", "Les enfants jouent dans le jardin."),
    ("This bread is not good.", "Ce pain n'est pas bon."),
]

SENTENCE = "The little girl gave her brother a red apple."

PAD, UNK, START, END = 0, 1, 2, 3


def tiny_tokenizer_bytes(*, vocab_size: int = 400, byte_fallback: bool = True) -> bytes:
    """A SentencePiece model learned from `PAIRS`, both languages together."""
    from model.tokens.tokenizer import train_tokenizer

    return train_tokenizer(
        (text for pair in PAIRS for text in pair),
        vocab_size=vocab_size,
        dummy_prefix=True,
        byte_fallback=byte_fallback,
        character_coverage=1.0,
    )


def write_tiny_bundle(
    folder: Path,
    *,
    seed: int = 0,
    train_steps: int = 80,
    byte_fallback: bool = True,
    languages: tuple[str, str] = ("en", "fr"),
    **architecture: object,
) -> Path:
    """Write a bundle into the new `folder` and return it.

    2 encoder and 3 decoder layers of 4 heads, d_model 32, at most 128 positions unless `architecture`
    says otherwise. It knows `PAIRS` by heart after its 80 steps (a second); with 0 its weights are random.
    """
    import torch

    from model.bundle.bundle import BundleConfig, Showcase, SpecialIds, write_bundle
    from model.config import Architecture
    from model.network.transformer import Transformer
    from model.tokens.tokenizer import SentencePieceTokenizer
    from model.trace.trace import AttentionKind

    spm = tiny_tokenizer_bytes(byte_fallback=byte_fallback, vocab_size=400 if byte_fallback else 144)
    tokenizer = SentencePieceTokenizer.from_bytes(spm)
    values: dict[str, object] = {
        "source_vocab": tokenizer.vocab_size,
        "target_vocab": tokenizer.vocab_size,
        "d_model": 32,
        "n_heads": 4,
        "encoder_layers": 2,
        "decoder_layers": 3,
        "d_ff": 64,
        "dropout": 0.0,
        "max_positions": 128,
        **architecture,
    }
    shape = Architecture.from_json(values)
    transformer = Transformer(shape, torch.Generator().manual_seed(seed))
    if train_steps:
        _learn_by_heart(transformer, tokenizer, train_steps)
    last = min(1, shape.decoder_layers - 1)
    showcase = Showcase(AttentionKind.CROSS, last, min(2, shape.n_heads - 1))
    config = BundleConfig("tiny", languages, shape, SpecialIds(PAD, UNK, START, END), showcase)
    card = b"# tiny\n\nA model that knows twenty sentences, made for a test.\n"
    write_bundle(folder, config, transformer, spm, spm, half=False, extra_files={"README.md": card})
    return folder


def _learn_by_heart(transformer: Transformer, tokenizer: Tokenizer, steps: int) -> None:
    import torch
    import torch.nn.functional as F

    source = _padded([[*tokenizer.encode(text), END] for text, _ in PAIRS])
    target = _padded([[START, *tokenizer.encode(text), END] for _, text in PAIRS])
    optimizer = torch.optim.Adam(transformer.parameters(), lr=4e-3)
    for _ in range(steps):
        hidden = transformer(source, target[:, :-1], source_mask=source != PAD)
        logits = transformer.project(hidden).flatten(0, 1)
        loss = F.cross_entropy(logits, target[:, 1:].flatten(), ignore_index=PAD)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def _padded(rows: list[list[int]]) -> Tensor:
    import torch

    longest = max(map(len, rows))
    return torch.tensor([row + [PAD] * (longest - len(row)) for row in rows])
