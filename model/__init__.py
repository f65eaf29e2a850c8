"""The Transformer, its tokenizer, its decoding and training, and the files they live in.

A library without Qt: it runs on a machine that has no screen and no PySide6.
"""
