"""All benchmarks, each in a process of its own, in one table: `python -m tests.benchmarks`."""

from __future__ import annotations

import json
import subprocess
import sys

from tests.benchmarks.tools.measure import Row, arguments, machine, report, say
from tests.benchmarks.tools.worker import ROOT

NAMES = (
    "decode",
    "many_sentences",
    "importance",
    "patching",
    "training",
    "training_loss",
    "memory",
    "corpus",
    "estimate",
    "switch",
    "contribution_graph",
    "first_picture",
    "long_inputs",
    "big_trace",
    "start",
    "loading",
    "lateness",
    "waits",
    "long_waits",
)


def main() -> int:
    """Run and print; 1 if one of them failed."""
    parser = arguments(__doc__)
    parser.add_argument(
        "--only", nargs="+", choices=NAMES, default=NAMES, metavar="NAME", help=", ".join(NAMES)
    )
    parser.add_argument("--joeynmt-python", metavar="PATH", help="interpreter that has JoeyNMT")
    parser.add_argument("--model", help="for the start: a bundle's folder or a bundled name")
    options = parser.parse_args()
    joeynmt = ["--joeynmt-python", options.joeynmt_python] if options.joeynmt_python else []
    more = {
        "training": joeynmt,
        "training_loss": joeynmt,
        "start": ["--model", options.model] if options.model else [],
    }
    facts = machine()
    rows: list[Row] = []
    failed = False
    for name in options.only:
        command = [sys.executable, "-m", f"tests.benchmarks.{name}", "--json", *more.get(name, [])]
        result = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
        if result.returncode:
            say(f"{name} ended with status {result.returncode}")
            failed = True
        else:
            rows += [Row.from_json(row) for row in json.loads(result.stdout)["rows"]]
    report(rows, as_json=options.json, facts=facts)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
