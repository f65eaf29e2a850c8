"""The architecture one can click: figure 1 of the paper, of the model in hand."""
