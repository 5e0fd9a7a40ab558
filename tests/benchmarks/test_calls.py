"""What a negotiation costs does not creep up: as many calls of Python as now, give or take a tenth.

A count does not depend on the machine, as milliseconds do. Whoever needs more of them raises the bound, and says why.
"""

from cProfile import Profile
from pathlib import Path
from pstats import Stats

from benchmarks import engine

CALLS: int = 34_500
"""Of one negotiation of 46 answers, at ten at once; most of them are the interpreter's own. Some 2,500 are for turns on
the event loop, by which whoever clicks waits half as long. Some 5,000 are for what code compares since it reads no
words: each person's limits with the demand, with every version and with their twin's answers one by one, each quote
with what it is said to come from, and each condition and wish with the data of the plan. Some 2,500 are for looking
whether an answer holds a secret, or names somebody or something that there is not."""


async def test_a_negotiation_makes_no_more_calls_than_it_did(tmp_path: Path) -> None:
    async with engine.engine(tmp_path / "towow.db") as runtime:
        await engine.negotiate(runtime, range(3))  # loads what is loaded once
        profile = Profile()
        profile.enable()
        await engine.negotiate(runtime, range(3, 13))
        profile.disable()
        await engine.check(runtime, range(13))

    assert Stats(profile).total_calls / 10 <= CALLS  # type: ignore[attr-defined]
