"""Peers: what the same work takes other programs, each in a process of its own."""
