"""Attention that other programs computed, made into traces. numpy only; torch is never imported here."""
