"""Model: the Transformer, its tokenizer, its decoding and training, and the files they live in.

A library without Qt: it runs on a machine that has no screen and no PySide6.
"""

import os

# torch's OpenMP threads spin while they wait for each other. Beside any other busy process (a training run, a
# browser) that turned a token of 11 ms into one of 450; asleep at once, they wake too late for the many short
# products of a decoding step. So: spin for some microseconds, then sleep. It counts only before torch
# is loaded.
if "OMP_WAIT_POLICY" not in os.environ:
    os.environ.setdefault("GOMP_SPINCOUNT", "1000")
