"""The goals of what is measured, beside each figure: a table behind all others, of whatever was measured."""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from rich.console import Console
from rich.table import Table

from benchmarks.cost import Figures
from tests.held_loop import LONGEST


class Goal(NamedTuple):
    what: str
    most: float
    figure: Callable[[Figures], Any]
    """
    Raises:
        KeyError: it was not measured.
    """


GOALS: Final = (
    Goal("Calls of 3 to 8 s: seconds to proposal 1", 20, lambda it: it["proposal_s"]),
    Goal("the same to a plan of three rounds", 54, lambda it: it["plan_s"]),
    Goal("Deliberation of five rounds: calls in a row", 11, lambda it: it["argued_calls_in_a_row"]),
    Goal(
        "Twenty demands in a channel at Slack's rates: seconds to the last proposal",
        20,
        lambda it: it["crowd_proposal_s"][1],
    ),
    Goal("Engine, 200 at once: yardsticks", 4, lambda it: it["cpu_ms_200"] / it["yardstick_ms_200"]),
    Goal("the same with calls of 1 s +- 50%", 1.3, lambda it: it["staggered_ratio_200"]),
    Goal("Wall by critical path, 1 at once", 1.05, lambda it: it["ratio"]["1"]),
    Goal("the same, 20 at once", 1.15, lambda it: it["ratio"]["20"]),
    Goal("the same, 200 at once", 3, lambda it: it["ratio"]["200"]),
    Goal("KiB written, 200 at once", 75, lambda it: it["written_kib_200"]),
    Goal("Bot, 50 at once: ms of CPU", 30, lambda it: it["bot_cpu_ms_50"]),
    Goal("the same with calls of 1 s +- 50%", 100, lambda it: it["bot_staggered_cpu_ms_50"]),
    Goal("Click to ack, 200 running: p99 in ms", 60, lambda it: it["click_p99_ms_200"]),
    Goal("Event loop, any part: ms in one callback", 1000 * LONGEST, lambda it: max(it["held"].values())),
)


def tell(found: Mapping[str, Any], console: Console) -> None:
    table = Table("", "found", "goal", "", title="What was measured, beside its goal")
    for goal in GOALS:
        try:
            figure = goal.figure(dict(found))
        except KeyError:
            continue
        table.add_row(goal.what, f"{figure:.4g}", f"at most {goal.most:g}", "" if figure <= goal.most else "missed")
    console.print(table)
