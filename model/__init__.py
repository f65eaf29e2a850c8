"""Model: the Transformer, its tokenizer, its decoding and training, and the files they live in.

A library without Qt: it runs on a machine that has no screen and no PySide6.
"""

import os
import sys

# torch's OpenMP threads spin while they wait for each other, and sleep after some turns. Those that sleep at
# once wake too late for the many short products of a decoding step; those that spin for milliseconds take the
# processor from the thread that they wait for, beside any other busy process (a token of 9 ms took 80). So:
# long enough for the gaps between the products of a step, a tenth to a quarter of a millisecond (a turn takes
# 24 ns on an AMD EPYC, some 50 on an Intel Xeon), and no longer. It counts only before torch is loaded. See
# `model.network.products.pace` for what is left.
if "OMP_WAIT_POLICY" not in os.environ:
    os.environ.setdefault("GOMP_SPINCOUNT", "5000")

# numpy's library of products has threads of its own, which would spin beside torch's: one is enough for what
# numpy multiplies here. It counts only before numpy is loaded. See `model.network.products.ways`.
if "numpy" not in sys.modules:
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
