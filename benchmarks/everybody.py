"""Many ask, and everybody votes at once, at Slack's own rates; the clock jumps, so the figures are the same on every
machine.

Keys, seconds, the median and the worst: ``crowd_proposal_s``, from twenty demands in one channel until there is
something to vote on in the thread of each, where models take no time; ``burst_shown_s``, from a vote until it stands in
the thread; ``burst_thread_right_s`` and ``burst_all_right_s``, from a negotiation's last vote until its thread, and its
direct messages too, are right to the last word. ``burst_edits`` and ``burst_fewest_edits`` count calls;
``burst_throttled``, those that Slack refused for their rate; ``burst_wrong``, what was ever not as it should be.
"""

from collections.abc import Sequence

from rich.console import Console

from benchmarks import burst
from benchmarks.burst import Burst
from benchmarks.cost import Figures


async def measure() -> Figures:
    played = Burst()
    found = await burst.measure(played)
    return {
        "crowd_proposal_s": _middle_and_worst(await burst.proposals(burst.CROWD)),
        "burst_shown_s": _middle_and_worst(found.shown),
        "burst_thread_right_s": _middle_and_worst(found.thread_right),
        "burst_all_right_s": _middle_and_worst(found.all_right),
        "burst_edits": found.calls["chat.update"],
        "burst_fewest_edits": played.fewest_edits,
        "burst_throttled": sum(found.throttled.values()),
        "burst_wrong": len(found.wrong),
    }


def tell(found: Figures, console: Console) -> None:
    played, crowd = Burst(), burst.CROWD
    middle, worst = found["crowd_proposal_s"]
    console.print(
        f"{crowd.negotiations} demands in one channel, {crowd.people} people in each, at Slack's rates: there is a "
        f"proposal in the thread after p50 {middle:.1f} s, at worst {worst:.1f} s"
    )
    shown, thread, everything = (
        f"p50 {middle:.1f} s, at worst {worst:.1f} s"
        for middle, worst in (found[f"burst_{key}_s"] for key in ("shown", "thread_right", "all_right"))
    )
    console.print(
        f"{played.negotiations} negotiations, {played.people} people in each, all voting within {played.seconds} s, at "
        f"Slack's rates: a vote stands in the thread after {shown}; a thread is right to the last word {thread} after "
        f"its last vote, its direct messages {everything}; {found['burst_edits']} edits, where "
        f"{found['burst_fewest_edits']} are the fewest; {found['burst_throttled']} calls were refused for their "
        f"rate, {found['burst_wrong']} things were wrong"
    )


def _middle_and_worst(seconds: Sequence[float]) -> tuple[float, float]:
    ordered = sorted(seconds)
    return ordered[len(ordered) // 2], ordered[-1]
