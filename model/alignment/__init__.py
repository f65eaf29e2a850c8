"""Word alignment: gold links, alignments read off cross-attention, and how well they agree. No torch."""
