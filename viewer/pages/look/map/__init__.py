"""Map pane: its header, and a head as map, flow or words."""
