"""What benchmarks share: processes, windows without a screen, made-up files, rows of a table."""
