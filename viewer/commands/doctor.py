"""`doctor`: what is here to run on, in one text that can be sent to somebody who helps."""

from __future__ import annotations

from model.commands.console import DONE, FAILED, emit, parser, put
from viewer.commands.headless import start_qt


def run(argv: list[str]) -> int:
    """See `headscope doctor --help`."""
    arguments = parser(
        "doctor",
        "Tell versions, processor, memory, Qt, fonts, extras and what the last run logged, and what to do "
        "about what is missing (exit status 1). Nothing in it is of your texts or models.",
    )
    arguments.add_argument("--json", action="store_true", help="one JSON object")
    given = arguments.parse_args(argv)
    application = start_qt()
    from viewer.diagnosis.facts import facts_here, report, to_json

    facts = facts_here(load=True)
    if given.json:
        emit(to_json(facts))
    else:
        put(report(facts).rstrip("\n"))
    del application
    return FAILED if any(fact.advice for fact in facts) else DONE
