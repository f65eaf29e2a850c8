"""A bias as CSV: a line a head and offset, then a line a query and key of the head that is looked at."""

from __future__ import annotations

from viewer.figures.bias.spec import BiasSpec
from viewer.figures.table import Rows, number


def bias_rows(spec: BiasSpec) -> Rows:
    """Header and lines."""
    yield "what", "head", "offset", "bucket", "query", "key", "value"
    for head, values in enumerate(spec.bias):
        for offset, bucket, value in zip(spec.offsets, spec.buckets, values, strict=True):
            yield "offset", head, int(offset), int(bucket), "", "", number(value)
    for query, row in enumerate(spec.square):
        for key, value in enumerate(row):
            if not spec.masked[query, key]:
                bucket = int(spec.buckets[spec.column_of(key - query)])
                yield "cell", spec.head, key - query, bucket, query, key, number(value)
