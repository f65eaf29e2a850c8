"""Contribution graph: from one output word back through both stacks."""
