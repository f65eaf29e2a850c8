"""Integration: Headscope among the programs of a Linux desktop."""
