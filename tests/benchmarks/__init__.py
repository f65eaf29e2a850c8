"""What Headscope costs beside other programs: run `python -m tests.benchmarks`, or one of its modules.

Each row is a ratio of two sides measured by turns in one run on the machine at hand, or a time against the
limit a person feels. A program that is not installed is reported as not measured. `pip install
headscope[bench]` brings the peers. Nothing here is collected by pytest.
"""
