"""What the Host decides after a round: code decides, and a model only words it.

From the top, the first one that holds:

| when | what |
| --- | --- |
| the positions are equal as data, and nothing holds it back | converge |
| rules spoke in place of a model | terminate: nobody argued |
| it was the last round | terminate: max rounds |
| one of both has said nothing in two rounds | terminate |
| in two rounds the similarity changed by less than `stall_below`, and nothing else did | terminate: early stopping |
| at most `oppose_at` similar, and the opposite side was not argued in this round | the opposite side is argued |
| at most `oppose_at` similar, and it has changed by less than `stall_below` | terminate: diverged |
| else | another round, about exactly what holds it back |
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from engine.deliberation import wording
from engine.deliberation.events import HostDecided
from engine.deliberation.rounds.plans import (
    open_findings,
    open_risks,
    previous_output,
    stated_risks,
    unexplained_by,
    unmet_checks,
)
from engine.deliberation.rounds.positions import standing_of
from engine.deliberation.rounds.turns import has_spoken, is_parallel
from engine.deliberation.state import Argument, Deliberation, Output, Round
from engine.deliberation.terms import DEBATERS, RULES, Action, Agent, ArgumentKind, Reason
from engine.kernel import Millis

MOST_AVOIDED: Final = 12
"""Arguments that the agents are told not to repeat; the newest ones."""
STALL: Final = 3
"""Rounds among which nothing changes where it has stalled over two of them."""


class Hold(NamedTuple):
    """One thing that keeps equal positions from being an agreement, or makes them unequal."""

    reason: Reason
    text: str
    """What has to be addressed, in the language of the brief."""
    argument: str = ""
    """Its id, where it has one."""


def decide_next(state: Deliberation, at: Millis) -> HostDecided:
    """Decide what follows the current round, whose positions have been compared if there are two of them."""
    action, reason = _decided(state)
    goes_on = action in (Action.CONTINUE, Action.FORCE_OPPOSITION)
    holds = [*_holds(state)] if goes_on else []
    return HostDecided(
        session_id=state.session_id,
        round=state.current.number,
        action=action,
        reasons=tuple(dict.fromkeys((reason, *(each.reason for each in holds)))),
        must_address=tuple(dict.fromkeys(each.text for each in holds)),
        arguments=tuple(dict.fromkeys(each.argument for each in holds if each.argument)),
        avoid=_settled(state) if goes_on else (),
        next_agents=DEBATERS if goes_on else (Agent.REPORTER,),
        stubborn=tuple(each for each in DEBATERS if _is_stubborn(state, each)) if goes_on else (),
        ignored=tuple(each for each in _told_to_move(state) if _has_ignored(state, each)),
        opposes=Agent.CRITIC if action is Action.FORCE_OPPOSITION else None,
        at=at,
    )


def needs_layout(state: Deliberation) -> bool:
    """Whether two blind drafts may agree, if slots of other names are the same things: the Host is asked that once."""
    if not is_parallel(state) or state.current.is_laid_out or nobody_argues(state):
        return False
    found = standing_of(state)
    is_free = found is not None and not found.differences and found.is_open
    return is_free and next(held_back(state), None) is None


def nobody_argues(state: Deliberation) -> bool:
    """Whether all that was said in this round comes from rules."""
    outputs = state.current.outputs.values()
    return bool(outputs) and all(each.model == RULES for each in outputs)


def _decided(state: Deliberation) -> tuple[Action, Reason]:
    current, policy = state.current, state.policy
    level = current.analysis.consensus_level if current.analysis else None
    hold = next((each.reason for each in held_back(state)), None)
    is_agreed = current.analysis is not None and current.analysis.agreed
    if nobody_argues(state):
        return Action.TERMINATE, Reason.NOT_ARGUED
    if is_agreed and hold is None:
        return Action.CONVERGE, Reason.EARLY_AGREEMENT if is_parallel(state) else Reason.AGREED
    if current.number >= state.most_rounds:
        return Action.TERMINATE, Reason.MAX_ROUNDS
    if level is None:
        is_alone = current.number > 1 and not all(has_spoken(state, each) for each in DEBATERS)
        return Action.TERMINATE if is_alone else Action.CONTINUE, Reason.AGENT_MISSING
    if _has_stalled(state):
        return Action.TERMINATE, Reason.STALLED
    if is_agreed and hold:
        return Action.CONTINUE, hold
    if level > policy.oppose_at:
        return Action.CONTINUE, Reason.NOT_SIMILAR_ENOUGH
    if not _was_opposed(state):
        return Action.FORCE_OPPOSITION, Reason.FAR_APART
    if _last_change(state) < policy.stall_below:
        return Action.TERMINATE, Reason.DIVERGED
    return Action.CONTINUE, Reason.FAR_APART


def _has_stalled(state: Deliberation) -> bool:
    """Whether nothing has changed over two rounds: neither the level, nor where they differ, nor what is open. An
    objection that came in this round is heard first."""
    last = [each for each in state.rounds if each.analysis][-STALL:]
    levels = [each.analysis.consensus_level for each in last if each.analysis]
    is_flat = len(levels) == STALL and max(levels) - min(levels) < state.policy.stall_below
    is_flat = is_flat and len({_open_in(state, each) for each in last}) == 1
    return is_flat and not any(state.arguments[each.point_id].round == state.current.number for each in state.points)


def _open_in(state: Deliberation, of: Round) -> tuple[object, ...]:
    """What both differed in after a round, and which high risks and checks were open."""
    critic = of.outputs.get(Agent.CRITIC)
    risks = frozenset(each for each in critic.risk_ids if state.arguments[each].severity == "high") if critic else None
    check = critic.critique.validity_check if critic and critic.critique else None
    return frozenset(map(repr, of.differences)), risks, repr(check)


def _last_change(state: Deliberation) -> float:
    levels = state.trend
    return abs(levels[-1] - levels[-2]) if len(levels) > 1 else 1.0


def _was_opposed(state: Deliberation) -> bool:
    """Whether the opposite side was argued in the current round."""
    before = state.rounds[-2].decision if len(state.rounds) > 1 else None
    return before is not None and before.action is Action.FORCE_OPPOSITION


# ── what holds it back ────────────────────────────────────────────────────────────────────────────────────────────


def _holds(state: Deliberation) -> Iterator[Hold]:
    analysis = state.current.analysis
    if analysis is None:
        yield from held_back(state)
        return
    if not analysis.agreed:
        is_far = analysis.consensus_level <= state.policy.oppose_at
        reason = Reason.FAR_APART if is_far else Reason.NOT_SIMILAR_ENOUGH
        language = wording.language(state)
        yield from (Hold(reason, wording.difference(state, each, language)) for each in state.current.differences)
    yield from held_back(state)


def held_back(state: Deliberation) -> Iterator[Hold]:
    """What keeps positions from being an agreement, also where they are equal."""
    language = wording.language(state)
    analysis = state.current.analysis
    for check in unmet_checks(state):
        yield Hold(Reason.NOT_VALID, wording.unmet(check, language))
    for open_ in (*open_risks(state), *open_findings(state)):
        yield Hold(Reason.OPEN_RISK, open_.text, open_.argument_id)
    for risk in stated_risks(state):
        yield Hold(Reason.OPEN_RISK, risk)
    for point in state.points:
        if not all(each in point.answers for each in DEBATERS):
            yield Hold(Reason.OPEN_POINT, point.text, point.point_id)
    for agent in DEBATERS:
        for change in unexplained_by(state, agent):
            yield Hold(Reason.UNEXPLAINED_MOVE, wording.unexplained(agent, change, language))
    for agent in analysis.unexplained if analysis else ():
        if not unexplained_by(state, agent):
            yield Hold(Reason.UNEXPLAINED_MOVE, wording.unexplained(agent, None, language))


def _settled(state: Deliberation) -> tuple[str, ...]:
    """Risks and suggestions of earlier rounds that the Critic does not hold any more."""
    critic = state.last_output(Agent.CRITIC)
    held = {*critic.risk_ids, *critic.suggestion_ids} if critic else set()
    settled = [each.text for each in state.arguments.values() if _is_criticism(each) and each.argument_id not in held]
    return tuple(settled[-MOST_AVOIDED:])


def _is_criticism(argument: Argument) -> bool:
    return argument.kind in (ArgumentKind.RISK, ArgumentKind.SUGGESTION)


# ── who does not move ─────────────────────────────────────────────────────────────────────────────────────────────


def _is_stubborn(state: Deliberation, agent: Agent) -> bool:
    """Whether an agent has repeated itself in two rounds running."""
    last = state.rounds[-2:]
    repeated = [
        any(
            score.name == agent and score.level > state.policy.stubborn_above for score in each.analysis.self_similarity
        )
        for each in last
        if each.analysis is not None and agent in each.outputs
    ]
    return len(repeated) == 2 and all(repeated)


def _told_to_move(state: Deliberation) -> tuple[Agent, ...]:
    """Who was told to move before the current round."""
    before = state.rounds[-2].decision if len(state.rounds) > 1 else None
    return before.stubborn if before else ()


def _has_ignored(state: Deliberation, agent: Agent) -> bool:
    """Whether an agent has spoken, and done none of what it was told."""
    said, before = state.current.outputs.get(agent), previous_output(state, agent)
    return said is not None and before is not None and not has_moved(before, said)


def has_moved(before: Output, said: Output) -> bool:
    """Whether it has changed an assumption, is less sure, or has named a flaw of the other's."""
    old, new = before.position, said.position
    return set(old.assumptions) != set(new.assumptions) or new.confidence < old.confidence or bool(said.flaws)
