"""Map: one heatmap, the numbers it can show, and gold links over it."""
