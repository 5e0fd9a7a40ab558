"""Where two positions stand, slot by slot, as data: what both decide, choose, date, give to somebody and count.

In later rounds both argue about one plan, so that a task has one id, and a name means the same thing on both sides. Two
blind drafts have ids and names of their own: there only equal names are the same thing, until the Host has said which
slots of one are which of the other. What one side alone names contradicts nothing.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, Final, Literal, NamedTuple

from engine.deliberation.answers import Plan, Position, SlotPair
from engine.deliberation.events import Analysis, Difference
from engine.deliberation.rounds.plans import (
    changed,
    differing,
    plain,
    plan_of,
    pressing_changes,
    previous_output,
    unexplained_by,
)
from engine.deliberation.state import Deliberation, Output
from engine.deliberation.terms import DEBATERS, Agent
from engine.facts.quoting import folded
from engine.kernel.message import Message

# ── where a position stands ───────────────────────────────────────────────────────────────────────────────────────────


SlotName = Literal["decision", "choice", "date", "owner", "quantity"]
MOST_DIFFERENCES: Final = 24
_PREFIXES: Final[Mapping[str, str]] = {Agent.PLANNER: "p", Agent.CRITIC: "c"}


class Slot(NamedTuple):
    slot_id: str
    """Such as ``p3``: one of the Planner's."""
    kind: SlotName
    name: str
    value: str
    """An id, an ISO date, a number, or, of a choice, its words."""
    shared: str = ""
    """The id of a task that means the same on both sides; empty where only the name tells what it is."""


class Standing(NamedTuple):
    """How two positions stand to each other."""

    differences: tuple[Difference, ...]
    same: int
    """Slots in which both say the same."""
    is_open: bool
    """Whether both sides have slots of one kind of which nobody has said yet whether they are the same thing."""
    planner: tuple[Slot, ...]
    critic: tuple[Slot, ...]

    @property
    def is_agreed(self) -> bool:
        return not self.differences and not self.is_open

    @property
    def share(self) -> float:
        """Of the slots that could be compared, those that are the same."""
        compared = self.same + len(self.differences)
        return self.same / compared if compared else 1.0


def standing_of(state: Deliberation) -> Standing | None:
    """Return how the latest positions stand to each other; None as long as one of both has none."""
    planner, critic = (state.last_output(each) for each in DEBATERS)
    if planner is None or critic is None:
        return None
    own = frozenset(each.task_id for each in state.brief.tasks)
    made = plan_of(state, Agent.PLANNER)
    plan = made.plan if made else None
    sides = (slots_of(planner, own, state.options, plan), slots_of(critic, own, state.options, plan))
    is_of_one_plan = critic.plan is None
    is_laid_out = state.current.is_laid_out and _were_laid_out(state, planner, critic)
    differences, same, left = _compared(*sides, state.current.pairs if is_laid_out else ())
    if is_of_one_plan:
        differences += _of_changes(plan, critic)
    is_known = is_of_one_plan or is_laid_out
    if is_known and "choice" in left:  # each has one, and it is not the other's
        chosen = Difference(slot="choice", about="", planner=planner.position.choice, critic=critic.position.choice)
        differences.append(chosen)
    return Standing(tuple(differences[:MOST_DIFFERENCES]), same, bool(left) and not is_known, *sides)


def _were_laid_out(state: Deliberation, *outputs: Output) -> bool:
    """Whether the Host was shown just these outputs."""
    return all(each.round == state.current.number for each in outputs)


# ── the slots of one position ─────────────────────────────────────────────────────────────────────────────────────


def slots_of(
    output: Output, shared: Collection[str], options: Sequence[str], argued: Plan | None = None
) -> tuple[Slot, ...]:
    """
    Args:
        shared: ids of tasks that both were given.
        options: what there is to choose from; a choice among these is a name that nobody has to map.
        argued: the plan that it is about, where it has none of its own. A name that is the id of a task stands for its
            title.
    """
    prefix, plan = _PREFIXES[output.agent], output.plan or argued
    titles = {each.task_id: each.title for each in plan.tasks} if plan else {}
    found = _slots(output.position, output.plan, shared, options)
    return tuple(
        each._replace(slot_id=f"{prefix}{number}", name=titles.get(each.name, each.name))
        for number, each in enumerate(found, 1)
    )


def _slots(held: Position, plan: Plan | None, shared: Collection[str], options: Sequence[str]) -> Iterator[Slot]:
    yield Slot("", "decision", "", held.decision, "decision")
    if held.choice:
        yield Slot("", "choice", "", held.choice, "choice" if held.choice in options else "")
    tasks = plan.tasks if plan else ()
    ids = {each.task_id: each.task_id if each.task_id in shared else "" for each in tasks}
    if held.dates:
        yield from (Slot("", "date", each.name, each.day, _id(each.name, shared)) for each in held.dates if each.day)
    else:
        yield from (Slot("", "date", each.title, each.deadline, ids[each.task_id]) for each in tasks if each.deadline)
    if held.owners:
        owned = (each for each in held.owners if each.person_id)
        yield from (Slot("", "owner", each.name, each.person_id, _id(each.name, shared)) for each in owned)
    else:
        yield from (Slot("", "owner", each.title, each.owner, ids[each.task_id]) for each in tasks if each.owner)
    for each in held.quantities:
        yield Slot("", "quantity", each.name, f"{each.number:g}", _id(each.name, shared))


def _id(name: str, shared: Collection[str]) -> str:
    return name if name in shared else ""


# ── two positions ─────────────────────────────────────────────────────────────────────────────────────────────────


def _compared(
    planner: Sequence[Slot], critic: Sequence[Slot], pairs: Sequence[SlotPair]
) -> tuple[list[Difference], int, frozenset[SlotName]]:
    """Return the differences, how many slots are the same, and of which kinds both sides have slots left."""
    named = {each.slot_id: each for each in critic}
    mapped = {each.planner: each.critic for each in pairs}
    left = dict(named)
    unmatched: list[Slot] = []
    differences, same = [], 0
    for mine in planner:
        theirs = left.get(mapped.get(mine.slot_id, ""))
        is_mapped = theirs is not None and theirs.kind == mine.kind
        if not is_mapped:
            theirs = next((each for each in left.values() if _is_same_thing(mine, each)), None)
        if theirs is None:
            unmatched.append(mine)
            continue
        del left[theirs.slot_id]
        if _is_same_value(mine, theirs) or (mine.kind == "choice" and is_mapped):
            same += 1
        else:
            differences.append(Difference(slot=mine.kind, about=mine.name, planner=mine.value, critic=theirs.value))
    kinds = {each.kind for each in unmatched}
    return differences, same, frozenset(each.kind for each in left.values() if each.kind in kinds)


def _is_same_thing(one: Slot, other: Slot) -> bool:
    if one.kind != other.kind:
        return False
    if one.kind == "choice" and _is_same_value(one, other):
        return True
    if one.shared or other.shared:
        return one.shared == other.shared
    return one.kind != "choice" and folded(one.name) == folded(other.name)


def _is_same_value(one: Slot, other: Slot) -> bool:
    """Whether both say the same. A choice is said in words: how they are punctuated is no difference."""
    same = plain if one.kind == "choice" else folded
    return same(one.value) == same(other.value)


def _of_changes(plan: Plan | None, critic: Output) -> list[Difference]:
    """What the Critic would have otherwise in the plan that both argue about; what hardly matters to it counts for
    nothing."""
    if plan is None:
        return []
    would_be = changed(plan, pressing_changes(critic))
    titles = {each.task_id: each.title for made in (would_be, plan) for each in made.tasks}
    return [
        Difference(slot=each.slot, about=titles[each.task_id], planner=each.before, critic=each.after)
        for each in differing(plan, would_be)
    ]


# ── one position, from round to round ─────────────────────────────────────────────────────────────────────────────


def kept_share(state: Deliberation, agent: Agent) -> float:
    """The share of its slots that an agent has left as they were before this round; 1 where it named none before."""
    before, now = previous_output(state, agent), state.current.outputs.get(agent)
    if before is None or now is None:
        return 1.0
    own = frozenset(each.task_id for plan in (before.plan, now.plan) if plan for each in plan.tasks)
    were, are = (
        {(each.kind, each.shared or folded(each.name)): each.value for each in slots_of(said, own, state.options)}
        for said in (before, now)
    )
    every = {*were, *are}
    return sum(were.get(each) == are.get(each) for each in every) / len(every) if every else 1.0


# ── two positions ─────────────────────────────────────────────────────────────────────────────────────────────────────
# Compares two positions in the rules, slot by slot: whether they agree, and in what they differ.


def analysed(state: Deliberation, level: float | None, **measured: Any) -> tuple[Analysis, tuple[Difference, ...]]:
    """Return the analysis of a round and in what the positions differ.

    Args:
        level: how near the texts are in meaning; None where nothing could tell, so that the share of equal slots
            stands for it.
        measured: whatever else of the analysis was measured beside the rules.
    """
    found = standing_of(state)
    assert found is not None, "one of both has taken no position"  # noqa: S101 - only positions are compared
    near = round(found.share if level is None else level, 4)
    analysis = Analysis(
        consensus_level=near,
        matrix=((1.0, near), (near, 1.0)),
        agreed=found.is_agreed,
        unexplained=tuple(each for each in DEBATERS if unexplained_by(state, each)),
        by_keywords=level is None,
        **measured,
    )
    return analysis, found.differences


def by_slots(state: Deliberation) -> tuple[Analysis, tuple[Difference, ...]]:
    """Return the same where nothing beside the rules could compare (`compare` failed for good)."""
    return analysed(state, None)


class Comparison(Message):
    """The result of ``compare_positions``."""

    embeddings: tuple[tuple[float, ...], ...]
    """As long as the encoder makes them."""
    similarity_matrix: tuple[tuple[float, ...], ...]
    mean_similarity: float
    """Over the pairs; 1 where there is only one position."""
    most_different_pair: tuple[int, int] | None
    most_different_similarity: float


def compare(vectors: Sequence[Sequence[float]]) -> Comparison:
    """Compare every position with every other one, by their vectors of length one."""
    matrix = [[1.0] * len(vectors) for _ in vectors]
    pairs = [*combinations(range(len(vectors)), 2)]
    for one, other in pairs:
        matrix[one][other] = matrix[other][one] = similarity(vectors[one], vectors[other])
    apart = min(pairs, key=lambda pair: matrix[pair[0]][pair[1]], default=None)
    return Comparison(
        embeddings=tuple(tuple(float(number) for number in each) for each in vectors),
        similarity_matrix=tuple(tuple(row) for row in matrix),
        mean_similarity=sum(matrix[one][other] for one, other in pairs) / len(pairs) if pairs else 1.0,
        most_different_pair=apart,
        most_different_similarity=matrix[apart[0]][apart[1]] if apart else 1.0,
    )


def similarity(one: Sequence[float], other: Sequence[float]) -> float:
    """The cosine of two vectors of length one, from 0 to 1: what points the other way is not nearer than nothing."""
    return min(1.0, max(0.0, sum(float(a) * float(b) for a, b in zip(one, other, strict=True))))
