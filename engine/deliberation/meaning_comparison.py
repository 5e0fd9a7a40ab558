"""Compares the latest positions beside the rules, with the encoder of sentences: the computation ``compare``.

What an agent changed without naming an argument does not raise the level: it is compared as it was before, too.
"""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

from msgspec.structs import replace

from engine.deliberation.answers import Plan, PlanTask, SlotChange
from engine.deliberation.commands import RecordComparison
from engine.deliberation.consensus import Likeness, cosine, similarity
from engine.deliberation.events import Analysis, Difference, Score
from engine.deliberation.moves import Change, previous_output, suggested_changes, unexplained_by
from engine.deliberation.plan_changes import changed
from engine.deliberation.plans import position_plan
from engine.deliberation.position_slots import ABSENT, NOBODY, START, Aligned, Held, aligned
from engine.deliberation.state import Deliberation, Output
from engine.deliberation.terms import DEBATERS, Agent, Error
from engine.kernel import Compute, Millis
from engine.llm.encoder import Meaning, meaning
from engine.runtime.computing import Computation

MOVED: Final = 0.05
"""By how much an agent's own changes must lower the agreement to count as moving away."""
MOST_DIFFERENCES: Final = 24


class Vectors:
    """The vectors of some texts, and how many of them had to be computed."""

    def __init__(self, encoder: Meaning, texts: Sequence[str]) -> None:
        """
        Raises:
            NotKnownYet: within `engine.llm.encoder.only_known`.
        """
        said = [*dict.fromkeys(filter(None, (each.strip() for each in texts)))]
        unknown = encoder.unknown(said)
        found = encoder.vectors(said)
        self._of = dict(zip(said, found, strict=True)) if found else {}
        self.computed = unknown if found else 0
        self.dimension = len(found[0]) if found else 0

    def cosine(self, one: str, other: str) -> float | None:
        """Between two texts; None where there is no encoder."""
        mine, theirs = self._of.get(one.strip()), self._of.get(other.strip())
        return cosine(mine, theirs) if mine and theirs else None


def compare(state: Deliberation, effect: Compute, *, command_id: str, at: Millis) -> RecordComparison:
    """
    Raises:
        NotKnownYet: within `engine.llm.encoder.only_known`.
    """
    return compared(state, meaning(), command_id=command_id, at=at)


COMPUTATIONS: Final[Mapping[str, Computation]] = MappingProxyType({"compare": compare})
"""What runs each `Compute` of a deliberation, by the name of its function."""


def compared(state: Deliberation, encoder: Meaning, *, command_id: str, at: Millis) -> RecordComparison:
    number = len(state.rounds)
    outputs = [each for agent in DEBATERS for each in (state.last_output(agent), previous_output(state, agent)) if each]
    vectors = Vectors(encoder, [each.position.conclusion for each in outputs])
    now, level = _level(state, vectors)
    matrix = ((1.0, level), (level, 1.0))
    by_keywords = not vectors.dimension
    analysis = Analysis(
        consensus_level=level,
        matrix=matrix,
        self_similarity=tuple(_self_similarity(state, vectors)),
        slots=tuple(Score(name=each.slot, level=_rounded(each.level)) for each in now.likeness.slots.by_slot),
        moved_away=tuple(each for each in DEBATERS if _has_moved_away(state, each, vectors)),
        unexplained=tuple(each for each in DEBATERS if unexplained_by(state, each)),
        by_keywords=by_keywords,
        dimension=vectors.dimension,
        vectors_computed=vectors.computed,
    )
    error = Error(error="tool_execution_failed", round=number, tool="compare_positions", detail="no_encoder")
    return RecordComparison(
        command_id=command_id,
        at=at,
        round=number,
        analysis=analysis,
        differences=tuple(_differences(state, now))[:MOST_DIFFERENCES],
        error=error if by_keywords else None,
    )


# ── what is compared ──────────────────────────────────────────────────────────────────────────────────────────────


class Compared(NamedTuple):
    one: Held
    other: Held
    aligned: Aligned
    likeness: Likeness


def _compared(state: Deliberation, one: Held, other: Held, vectors: Vectors, *, share_ids: bool = True) -> Compared:
    agreed = {each.task_id for each in state.brief.tasks}
    both = aligned(one, other, agreed=agreed, share_ids=share_ids)
    near = vectors.cosine(one.position.conclusion, other.position.conclusion)
    return Compared(one, other, both, similarity(both.one, both.other, near))


def _level(state: Deliberation, vectors: Vectors) -> tuple[Compared, float]:
    """Return the comparison of both positions as they are, and the level, which no unexplained change raises."""
    planner, critic = _held(state, Agent.PLANNER), _held(state, Agent.CRITIC)
    share_ids = _share_ids(state)
    now = _compared(state, planner, critic, vectors, share_ids=share_ids)
    level = now.likeness.level
    for agent in DEBATERS:
        if changes := unexplained_by(state, agent):
            before = previous_output(state, agent)
            assert before is not None  # noqa: S101 - a change has something before it
            own, other = (planner, critic) if agent is Agent.PLANNER else (critic, planner)
            as_before = _compared(state, _undone(own, before, changes), other, vectors, share_ids=share_ids)
            level = min(level, as_before.likeness.level)
    return now, _rounded(level)


def _held(state: Deliberation, agent: Agent) -> Held:
    output = state.last_output(agent)
    assert output is not None, f"{agent} has taken no position"  # noqa: S101 - only positions are compared
    final = position_plan(state, agent)
    return Held(output.position, final.plan if final else None)


def _share_ids(state: Deliberation) -> bool:
    """Whether the Critic's position is made of the Planner's plan; its own draft has ids of its own."""
    critic = state.last_output(Agent.CRITIC)
    return critic is None or critic.plan is None


def _undone(held: Held, before: Output, changes: Sequence[Change]) -> Held:
    """Return a position with some of its changes taken back."""
    position, plan = held.position, held.plan
    for each in changes:
        match each.slot:
            case "decision":
                position = replace(position, decision=before.position.decision)
            case "choice":
                position = replace(position, choice=before.position.choice)
            case "conclusion":
                position = replace(position, conclusion=before.position.conclusion)
            case "task" if each.before:
                plan = plan and _with_former(plan, before.plan, each.task_id)
            case _:
                undo = SlotChange(slot=each.slot, task_id=each.task_id, value=each.before)
                plan = plan and changed(plan, (undo,))
    return Held(position, plan)


def _with_former(plan: Plan, before: Plan | None, task_id: str) -> Plan:
    """Return a plan with a task that was there before."""
    former = [each for each in (before.tasks if before else ()) if each.task_id == task_id]
    if not plan.phases:
        return plan
    *phases, last = plan.phases
    kept: tuple[PlanTask, ...] = tuple(each for each in last.tasks if each.task_id != task_id)
    return replace(plan, phases=(*phases, replace(last, tasks=(*kept, *former))))


# ── what has become of each position ──────────────────────────────────────────────────────────────────────────────


def _own_changes(state: Deliberation, agent: Agent) -> tuple[Held, Held] | None:
    """Return an agent's position before this round and its position now, without what the other one has changed; None
    where it has not spoken in this round, or not before.

    What the Critic suggests is applied to the same plan both times.
    """
    before, now = previous_output(state, agent), state.current.outputs.get(agent)
    if before is None or now is None:
        return None
    if agent is Agent.PLANNER or now.plan is not None:
        return Held(before.position, before.plan), Held(now.position, now.plan)
    planner = previous_output(state, Agent.PLANNER) or state.last_output(Agent.PLANNER)
    base = planner.plan if planner else None
    was = before.plan or (base and changed(base, suggested_changes(before)))
    return Held(before.position, was), Held(now.position, base and changed(base, suggested_changes(now)))


def _self_similarity(state: Deliberation, vectors: Vectors) -> Iterator[Score]:
    for agent in DEBATERS:
        own = _own_changes(state, agent)
        if own is not None:
            share_ids = agent is Agent.PLANNER or not _was_draft(state, agent)
            likeness = _compared(state, *own, vectors, share_ids=share_ids).likeness
            yield Score(name=agent.value, level=_rounded(likeness.level))


def _was_draft(state: Deliberation, agent: Agent) -> bool:
    before = previous_output(state, agent)
    return agent is Agent.CRITIC and before is not None and before.plan is not None


def _has_moved_away(state: Deliberation, agent: Agent, vectors: Vectors) -> bool:
    """Whether what an agent itself has changed makes it differ more from what the other one held before."""
    other = Agent.CRITIC if agent is Agent.PLANNER else Agent.PLANNER
    own, theirs = _own_changes(state, agent), previous_output(state, other)
    if own is None or theirs is None:
        return False
    held = Held(theirs.position, theirs.plan or _plan_before(state, theirs))
    was_draft = _was_draft(state, Agent.CRITIC)
    before = _compared(state, own[0], held, vectors, share_ids=not was_draft)
    share_ids = not was_draft or agent is Agent.CRITIC  # the Critic is on the Planner's plan by now
    now = _compared(state, own[1], held, vectors, share_ids=share_ids)
    return now.likeness.level < before.likeness.level - MOVED


def _plan_before(state: Deliberation, critic: Output) -> Plan | None:
    """The plan that the Critic's position came to before this round."""
    planner = previous_output(state, Agent.PLANNER)
    return changed(planner.plan, suggested_changes(critic)) if planner and planner.plan else None


# ── in what they differ ───────────────────────────────────────────────────────────────────────────────────────────

_SLOTS: Final[Mapping[str, str]] = {"dates": "deadline", "quantities": "hours", "owners": "owner"}


def _differences(state: Deliberation, now: Compared) -> Iterator[Difference]:
    """In the order of the slots, each in words: titles, names, dates and hours."""
    names = {each.person_id: each.name or each.person_id for each in state.brief.people}
    one, other = now.one.position, now.other.position
    absent = _absent(now)
    for name, title in now.aligned.titles.items():
        if name in absent:
            here = absent[name]
            yield Difference(slot="task", about=title, planner=title if here else "", critic="" if here else title)
    if one.decision != other.decision:
        yield Difference(slot="decision", about="", planner=one.decision, critic=other.decision)
    if one.choice != other.choice:
        yield Difference(slot="choice", about="", planner=one.choice, critic=other.choice)
    is_contradicted = False
    for each in now.likeness.slots.differences:
        task = each.name.removesuffix(START)
        if each.slot in _SLOTS and task in now.aligned.titles and task not in absent:
            slot = "start" if each.name.endswith(START) else _SLOTS[each.slot]
            values = (_in_words(value, names) for value in (each.one, each.other))
            planner, critic = values
            yield Difference(slot=slot, about=now.aligned.titles[task], planner=planner, critic=critic)
        elif each.slot in ("decision", "conclusion") and each.name not in ("", "option"):
            is_contradicted = True
    if is_contradicted:
        yield Difference(slot="conclusion", about="", planner=one.conclusion, critic=other.conclusion)


def _absent(now: Compared) -> Mapping[str, bool]:
    """Tasks that only one of both has, by name: whether it is the Planner's."""
    mine = {each.name for each in now.aligned.one.owners if each.value != ABSENT}
    theirs = {each.name for each in now.aligned.other.owners if each.value != ABSENT}
    return {name: name in mine for name in now.aligned.titles if (name in mine) != (name in theirs)}


def _in_words(value: str, names: Mapping[str, str]) -> str:
    return "" if value == NOBODY else names.get(value, value.removeprefix("/"))


def _rounded(level: float) -> float:
    """Four places are more than the measure is good for, and the same on every machine."""
    return round(level, 4)
