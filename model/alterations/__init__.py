"""Alterations: what a user changes in a model's computation.

One file a change (its check, its words, its arguments, its JSON, what it does) and one row each in
`registry`; `altering` carries out what they do while the model runs, and is the only file that needs torch.
"""
