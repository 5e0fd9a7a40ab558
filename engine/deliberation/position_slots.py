"""Two positions as slots that can be compared: dates, hours and owners of the tasks that both mean.

In later rounds a task has the same id in both. Two drafts that were made without knowledge of each other may call the
same thing differently, and different things alike: there a task is found again by what it is called.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Final, NamedTuple

from engine.deliberation.answers import Plan, PlanTask, Position
from engine.deliberation.slots import NamedValue, Slots
from engine.deliberation.values import alike
from engine.facts.quoting import letters

CALLED_ALIKE: Final = 0.5
"""The share of the words of two titles from which on they may mean the same task; with the same id, the half of it."""
NOBODY: Final = "nobody"
ABSENT: Final = "-"
"""Stands for the owner of a task that only the other position has: a task more is a difference, and not for nobody."""

STANCES: Final[Mapping[str, str]] = {"go": "yes", "go_with_changes": "conditional", "no_go": "no"}


class Held(NamedTuple):
    """What an agent holds, in one round."""

    position: Position
    plan: Plan | None


class Aligned(NamedTuple):
    """Two positions in which whatever is the same task has the same name."""

    one: Slots
    other: Slots
    titles: Mapping[str, str]
    """Of the tasks, by the name that they have in the slots."""


def aligned(one: Held, other: Held, *, agreed: Collection[str] = (), share_ids: bool = True) -> Aligned:
    """
    Args:
        agreed: ids of tasks that both were given.
        share_ids: whether an id means the same task in both.
    """
    pairs = [*_pairs(_tasks(one), _tasks(other), agreed, share_ids)]
    # A name that is no word is like no other one, so that nothing is taken for the same by its name.
    named = [(f"#{number}", *pair) for number, pair in enumerate(pairs, 1)]
    return Aligned(
        _slots(one, [(name, mine) for name, mine, _ in named]),
        _slots(other, [(name, theirs) for name, _, theirs in named]),
        {name: (mine or theirs).title for name, mine, theirs in named if mine or theirs},  # type: ignore[union-attr]
    )


def _tasks(held: Held) -> tuple[PlanTask, ...]:
    return held.plan.tasks if held.plan else ()


def _pairs(
    mine: tuple[PlanTask, ...], theirs: tuple[PlanTask, ...], agreed: Collection[str], share_ids: bool
) -> Iterator[tuple[PlanTask | None, PlanTask | None]]:
    left = {each.task_id: each for each in theirs}
    for task in mine:
        same = left.get(task.task_id)
        if same is None or not (share_ids or task.task_id in agreed or _likeness(task, same) >= CALLED_ALIKE / 2):
            same = None if share_ids else _called_so(task, left)
        if same is not None:
            del left[same.task_id]
        yield task, same
    yield from ((None, each) for each in left.values())


def _called_so(task: PlanTask, among: Mapping[str, PlanTask]) -> PlanTask | None:
    nearest = max(among.values(), key=lambda each: _likeness(task, each), default=None)
    return nearest if nearest is not None and _likeness(task, nearest) >= CALLED_ALIKE else None


def _likeness(one: PlanTask, other: PlanTask) -> float:
    return 1.0 if letters(one.title) == letters(other.title) else alike(one.title, other.title)


def _slots(held: Held, tasks: list[tuple[str, PlanTask | None]]) -> Slots:
    position = held.position
    stance = STANCES[position.decision]
    there = [(name, task) for name, task in tasks if task is not None]
    deadlines = [NamedValue(name=name, value=f"/{task.deadline}") for name, task in there if task.deadline]
    starts = [NamedValue(name=f"{name}{START}", value=task.starts) for name, task in there if task.starts]
    return Slots(
        conclusion=position.conclusion,
        decision=f"{stance}: {position.choice}" if position.choice else stance,
        dates=(*deadlines, *starts),
        quantities=tuple(
            NamedValue(name=name, value=f"{task.estimated_hours:g}") for name, task in there if task.estimated_hours
        ),
        owners=tuple(
            NamedValue(name=name, value=(task.owner or NOBODY) if task else ABSENT)
            # Without a plan at all, nothing is said of any task.
            for name, task in (tasks if held.plan else ())
        ),
    )


START: Final = ">"
"""Behind the name of a task whose start is meant."""
