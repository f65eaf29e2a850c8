"""Limits of reading: the most bytes and values of everything that is read as a whole. No torch.

Nobody vouches for a file that was downloaded, or that another program left behind. `files.read_bytes`
looks at its size before it reads anything, and takes no file without one of these. What is read piece by
piece (weights, patterns, sentence pairs) has no limit of its own.
"""

from __future__ import annotations

_MIB = 1 << 20

SETTINGS = _MIB
"""`config.json`, `generation_config.json` and other small JSON of a model's folder."""
TOKENIZER_SETTINGS = 8 * _MIB
"""`tokenizer_config.json`, which may list every token that was added."""
PIECES = 16 * _MIB
"""A SentencePiece file of a bundle or a Marian model; the largest known has 5 MB."""
VOCABULARY = 64 * _MIB
"""Any other vocabulary: `tokenizer.json`, `vocab.json`, `vocab.txt`, `merges.txt`, `.model`."""
ADDED_TOKENS = 32 * _MIB
"""A `tokenizer.json` of which only the added tokens are wanted."""
WEIGHT_INDEX = 32 * _MIB
"""The list of the tensors of a model in several files."""
CARD = _MIB
"""A model card; of a longer one the beginning is shown."""
GOLD = 64 * _MIB
"""A file of word alignments."""
SESSION = 32 * _MIB
"""`session.json`: 200 runs, each with a wide beam search, take about as much; 1,000 plain ones 0.2 MB."""
HEADER = 100_000_000
"""The header of a trace or of weights, safetensors' own limit; and the strings of a NumPy archive."""
LOG_LINE = _MIB
"""A line of `training_log.jsonl`; a longer one is passed over."""
LOG_PART = 8 * _MIB
"""Of a log larger than twice this only its beginning and its end count; one of a day's training has 1 MB."""

VALUES = 6_000_000
"""Values in a JSON text; each takes some hundred bytes in memory at most."""
SESSION_VALUES = 3_000_000
LOG_VALUES = 1_000_000
DEEPEST = 64
"""Lists and objects in one another, in any JSON."""
LONGEST_NUMBER = 100
"""Digits of a whole number in any JSON."""
RUNS = 2000
"""Runs of a session that are opened; a window keeps 200, and what is bookmarked besides."""
