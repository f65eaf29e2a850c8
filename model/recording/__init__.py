"""Recording: attention that other programs computed, made into traces. numpy only, never torch."""
