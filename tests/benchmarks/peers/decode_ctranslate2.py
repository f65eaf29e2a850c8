"""CTranslate2's side of the decoding benchmark, in a process of its own.

Beside it in one process, once it has run with two threads, every other side takes half as long again.
"""

from __future__ import annotations

import argparse

import torch

from tests.benchmarks.peers.decode_peers import CTranslate2Side, marian
from tests.benchmarks.tools.worker import serve


def main() -> None:
    """Decode once for each order."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("words", "source-tokens", "new-tokens", "threads"):
        parser.add_argument(f"--{name}", type=int, required=True)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    model = marian(options.words)
    side = CTranslate2Side(model, options.words, options.source_tokens, options.new_tokens, options.threads)
    serve({"words": options.words}, lambda _: {"ms": side()})


if __name__ == "__main__":
    main()
