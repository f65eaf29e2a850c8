"""The layer walk: a position on its way through both stacks."""
