"""`Bundle`: the folder that holds a Transformer, its tokenizers and what it is called."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from torch import Tensor

from model import limits
from model.alterations.outline import Outline
from model.bundle.stored_tensors import (
    Loaded,
    LoadProgress,
    StoredFile,
    check_types,
    copy_steps,
    hash_steps,
    shapes_of,
    size_of,
)
from model.bundle.weights import blank_transformer, load_weights, sources, weights_of
from model.errors import HeadscopeError
from model.files.files import (
    StrPath,
    building_folder,
    read_bytes,
    replace_bytes,
    replacing,
    shown,
    write_chunks,
)
from model.files.safe_folder import check_links
from model.files.tensor_file import TensorFile, write_tensors
from model.folder.bundle_config import (
    CONFIG,
    SOURCE_SPM,
    TARGET_SPM,
    WEIGHTS,
    BundleConfig,
    Showcase,
    SpecialIds,
    check_shapes,
    read_config,
)
from model.folder.decoding_rules import NO_RULES, DecodingRules
from model.network.transformer import Transformer
from model.tokens.tokenizer import SentencePieceTokenizer, Tokenizer
from model.work import result_of

__all__ = [
    "Bundle",
    "BundleConfig",
    "Showcase",
    "SpecialIds",
    "bundle_steps",
    "load_bundle",
    "load_weights",
    "read_config",
    "replace_config",
    "replace_weights",
    "weights_of",
    "write_bundle",
]

_STORED_TYPES = ("F32", "F16")


@dataclass(frozen=True, eq=False)
class Bundle:
    """A bundle in memory.

    Attributes:
        transformer: in evaluation mode, float32, no gradients.
        target_tokenizer: the same object as `source_tokenizer` when the vocabulary is shared.
        sha256: of the bytes of the file of weights, in hexadecimal.
        rules: what narrows the choice of tokens.
        model_type: whose folder it came from, `headscope` or `marian`.
    """

    folder: Path
    config: BundleConfig
    transformer: Transformer
    source_tokenizer: Tokenizer
    target_tokenizer: Tokenizer
    sha256: str
    rules: DecodingRules = NO_RULES
    model_type: str = "headscope"
    verified: ClassVar[bool] = True

    @property
    def name(self) -> str:
        """What people call it."""
        return self.config.name

    @property
    def languages(self) -> tuple[str, str]:
        """Of source and target."""
        return self.config.languages

    @property
    def outline(self) -> Outline:
        """What there is to be changed in its computation."""
        return Outline.of(self.config.architecture)

    @property
    def source_limit(self) -> int:
        """Most tokens that it can read, the end token included."""
        return self.config.architecture.max_positions

    @property
    def target_limit(self) -> int:
        """Most tokens that it can produce, the end token included."""
        return self.config.architecture.max_positions


def load_bundle(folder: StrPath) -> Bundle:
    """Read and check everything needed to run the model in `folder`.

    Raises:
        HeadscopeError: a file is missing, damaged, or does not belong to the others.
    """
    return result_of(bundle_steps(folder, for_decoding=False))


def bundle_steps(folder: StrPath, *, for_decoding: bool) -> Generator[Loaded, None, Bundle]:
    """The same, to be left at every yield.

    Args:
        for_decoding: see `model.bundle.weights.blank_transformer`.
    """
    folder = Path(folder)
    check_links(folder)
    config = read_config(folder)
    source, target = _load_tokenizers(folder)
    _check_tokenizer(folder / SOURCE_SPM, source, config.special, config.architecture.source_vocab)
    _check_tokenizer(folder / TARGET_SPM, target, config.special, config.architecture.target_vocab)
    if config.architecture.copying and source is not target:
        raise HeadscopeError("config_copying")
    yield 0, 0
    file = TensorFile(folder / WEIGHTS)
    stored = StoredFile(file).tensors
    # Before anything is allocated: the sizes in config.json are vouched for by the file's own.
    check_shapes(config.architecture, shapes_of(stored), file.path)
    check_types(stored.values(), _STORED_TYPES)
    progress = LoadProgress(sum(map(size_of, stored.values())), len(file.buffer))
    yield progress.add(0)
    halves = any(tensor.dtype == "F16" for tensor in stored.values())
    transformer = blank_transformer(config.architecture, for_decoding=for_decoding, halves=halves)
    own = transformer.stored()
    yield from copy_steps(((stored[name], tensor) for name, tensor in own), progress)
    sha256 = yield from hash_steps(file.buffer.pieces(), progress)
    return Bundle(folder, config, transformer, source, target, sha256)


def write_bundle(
    folder: StrPath,
    config: BundleConfig,
    weights: Transformer | Mapping[str, Tensor],
    source_spm: bytes,
    target_spm: bytes,
    *,
    half: bool,
    extra_files: Mapping[str, bytes] | None = None,
    fill: Callable[[Path], None] | None = None,
) -> None:
    """Write a new bundle; the folder appears complete or not at all.

    Args:
        weights: a Transformer, or tensors named as by `weights_of`.
        half: store float16 instead of float32.
        extra_files: further files by name, such as `README.md`.
        fill: writes more into the folder it is given, before the folder gets its name.

    Raises:
        HeadscopeError: `folder` exists already, the weights are not those of the architecture, are not
            finite or too large for `half`, or the disk refuses.
    """
    tensors = _tensors(weights)
    shapes = {name: tuple(tensor.shape) for name, tensor in tensors.items()}
    check_shapes(config.architecture, shapes, shown(folder))
    ready = sources(tensors, half=half)
    files = {
        **(extra_files or {}),
        CONFIG: config.serialized(),
        SOURCE_SPM: source_spm,
        TARGET_SPM: target_spm,
    }
    with building_folder(folder) as building:
        for name, data in files.items():
            write_chunks(building / name, [data])
        write_tensors(building / WEIGHTS, ready, {})
        if fill is not None:
            fill(building)


def replace_weights(folder: StrPath, weights: Transformer | Mapping[str, Tensor], *, half: bool) -> None:
    """Replace a bundle's weights in one step; the other files stay.

    Raises:
        HeadscopeError: as for `write_bundle`; the old weights stay.
    """
    tensors = _tensors(weights)
    shapes = {name: tuple(tensor.shape) for name, tensor in tensors.items()}
    check_shapes(read_config(folder).architecture, shapes, shown(folder))
    ready = sources(tensors, half=half)
    with replacing(Path(folder) / WEIGHTS) as temporary:
        write_tensors(temporary, ready, {})


def replace_config(folder: StrPath, config: BundleConfig) -> None:
    """Replace a bundle's `config.json` in one step (a new name or showcase)."""
    replace_bytes(Path(folder) / CONFIG, config.serialized())


def _tensors(weights: Transformer | Mapping[str, Tensor]) -> Mapping[str, Tensor]:
    return weights_of(weights) if isinstance(weights, Transformer) else weights


def _load_tokenizers(folder: Path) -> tuple[SentencePieceTokenizer, SentencePieceTokenizer]:
    source = SentencePieceTokenizer.load(folder / SOURCE_SPM)
    data = read_bytes(folder / TARGET_SPM, limit=limits.PIECES)
    if data == source.serialized():
        return source, source
    return source, SentencePieceTokenizer.from_bytes(data, shown(folder / TARGET_SPM))


def _check_tokenizer(path: Path, tokenizer: SentencePieceTokenizer, special: SpecialIds, vocab: int) -> None:
    if tokenizer.vocab_size != vocab:
        raise HeadscopeError("bundle_vocab", path=shown(path), found=tokenizer.vocab_size, wanted=vocab)
    for name in ("pad", "unk", "start", "end"):
        found, wanted = getattr(tokenizer, f"{name}_id"), getattr(special, name)
        if found != wanted:
            raise HeadscopeError("bundle_special", path=shown(path), name=name, found=found, wanted=wanted)
