"""Canvas: what all painters share. Colours, type, cells, plots, the frame around a picture."""
