"""Numerals: numbers as a person reads them beside a picture."""

from __future__ import annotations

import math


def format_weight(value: float) -> str:
    """A weight for reading: three decimals, and two figures where those would say nothing."""
    if value == 0:
        return "0"
    return f"{value:.3f}" if abs(value) >= 0.001 else f"{value:.1e}"


def format_number(value: float) -> str:
    """A number that may be negative, as `format_weight`, with a true minus sign."""
    return format_weight(value) if value >= 0 else f"−{format_weight(-value)}"


def signed(value: float) -> str:
    """Four decimals with their sign, a true minus; 0 has none."""
    text = f"{value:+.4f}".replace("-", "−")
    return text[1:] if text[1:] == "0.0000" else text


def significant(value: float) -> str:
    """Four figures; whole numbers with their thousands from 1,000 on."""
    if abs(value) >= 1000:
        return f"{value:,.0f}".replace("-", "−")
    return f"{value:.4g}".replace("-", "−")


def tiny(value: float) -> str:
    """Three figures, or two of what is nearly nothing."""
    if abs(value) >= 0.001:
        return significant(float(f"{value:.3g}"))
    return "0" if value == 0 else f"{value:.1e}".replace("e-0", "e-").replace("-", "−")


def plain_number(value: float) -> str:
    """Three decimals and a true minus sign; a dash for what is no number."""
    value = float(value)
    return f"{value:,.3f}".replace("-", "−") if math.isfinite(value) else "–"
