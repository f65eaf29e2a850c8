"""tree_of: the most probable next tokens of the open model, and what it would write after each of them."""

from __future__ import annotations

from collections.abc import Generator

import numpy as np
import torch
from torch import Tensor

from model.decoding.candidates import ranked
from model.errors import HeadscopeError
from model.inspection.asked import Asked
from model.inspection.reading import Reader
from model.lessons.search import TreeOf
from model.lessons.search_tree import TokenTree


def tree_of(question: TreeOf, asked: Asked) -> Generator[TokenTree | None, None, None]:
    """Expand level by level, all nodes of a level in one batch; yields None between levels.

    Raises:
        HeadscopeError: it is no model of ours, nothing was translated, or the model has no positions for so
            many tokens.
    """
    readings = asked.readings
    reader = readings.reader(asked.reading)
    reader.require_steps()
    prefix = list(reader.out_ids[: question.step])
    reader.transformer.positions.check_length(len(prefix) + question.depth)
    memory = reader.memory((yield from readings.source(reader)).output)
    growing = _Growing(reader, memory, prefix, question.branches)
    for _ in range(question.depth):
        growing.grow()
        yield None
    yield growing.tree()


class _Growing:
    """A tree that is grown one level at a time; the decoder's state is forked for each node that goes on."""

    @torch.inference_mode()
    def __init__(self, reader: Reader, memory: Tensor, prefix: list[int], branches: int) -> None:
        self._reader, self._branches = reader, branches
        self._tokenizer = reader.bundle.target_tokenizer
        network, altering = reader.transformer, reader.altering
        self._state = network.start_cache(memory[None], memory_mask=altering.source_mask)
        given = [self._tokenizer.start_id, *prefix]
        logprobs = self._read([given])
        self._next = logprobs[:, -1]
        own = [float(logprobs[0, row, token]) for row, token in enumerate(prefix)]
        self._before, self._before_score = len(prefix), sum(own)
        self._ids, self._parents, self._logprobs = [given[-1]], [-1], [0.0]
        self._live = [0]

    def _read(self, tokens: list[list[int]]) -> Tensor:
        """Log probabilities [b, n, vocab] after each of n target inputs of b hypotheses."""
        reader = self._reader
        network, altering = reader.transformer, reader.altering
        ids = torch.tensor(tokens, device=network.device)
        hidden = network.decode_step(
            ids,
            self._state,
            position_ids=altering.target_positions(self._state.length, ids.shape[1]),
            tap=altering.tap if altering else None,
        )
        logprobs = network.project(hidden).float().log_softmax(-1)
        if not bool(logprobs.max(-1).values.isfinite().all()):
            raise HeadscopeError("model_overflow")
        return logprobs

    @torch.inference_mode()
    def grow(self) -> None:
        """Read the newest level, if it is not the root, and add the next."""
        if not self._live:
            return
        if self._live != [0]:
            self._next = self._read([[self._ids[node]] for node in self._live])[:, -1]
        best = ranked(self._next, min(self._branches, self._next.shape[-1]))
        rows, added = [], []
        for row, (parent, tokens) in enumerate(zip(self._live, best.tolist(), strict=True)):
            for token in tokens:
                if token != self._tokenizer.end_id:
                    rows.append(row)
                    added.append(len(self._ids))
                self._ids.append(token)
                self._parents.append(parent)
                self._logprobs.append(float(self._next[row, token]))
        if rows:
            self._state.select(torch.tensor(rows, device=self._next.device))
        self._live = added

    def tree(self) -> TokenTree:
        """What has grown."""
        ends = np.array(self._ids) == self._tokenizer.end_id
        ends[0] = False
        return TokenTree(
            tuple(map(self._tokenizer.piece, self._ids)),
            np.array(self._parents),
            np.array(self._logprobs),
            ends,
            self._before,
            self._before_score,
            pieces=True,
        )
