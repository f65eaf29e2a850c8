"""Heads table: the drawer's metrics, roles and alignment of every head."""
