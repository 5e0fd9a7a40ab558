"""What is open against a plan, and which plan is the best one so far."""

from typing import Final

from msgspec.structs import replace

from engine.deliberation.plans import standing
from engine.deliberation.state import Argument, Deliberation
from engine.deliberation.terms import DEBATERS, Agent
from engine.deliberation.turns import is_parallel

HIGH: Final = "high"
CHECKS: Final = ("feasible", "realistic", "complete")


def open_risks(state: Deliberation) -> tuple[Argument, ...]:
    """The high risks of the Critic's latest critique: it repeats those that are still there."""
    critic = state.last_output(Agent.CRITIC)
    ids = critic.risk_ids if critic else ()
    return tuple(_high(state, ids))


def stated_risks(state: Deliberation) -> tuple[str, ...]:
    """The high risks that a position itself says are open, besides those of the critique."""
    told = {each.text for each in open_risks(state)}
    latest = (state.last_output(each) for each in DEBATERS)
    found = [each.risk for said in latest if said for each in said.position.open_risks if each.severity == HIGH]
    return tuple(each for each in dict.fromkeys(found) if each not in told)


def open_findings(state: Deliberation) -> tuple[Argument, ...]:
    """What code has found wrong with the plan that is argued about, and counts as high."""
    made = standing(state)
    return tuple(_high(state, made.finding_ids if made else ()))


def _high(state: Deliberation, ids: tuple[str, ...]) -> list[Argument]:
    return [state.arguments[each] for each in dict.fromkeys(ids) if state.arguments[each].severity == HIGH]


def unmet_checks(state: Deliberation) -> tuple[str, ...]:
    """What the Critic's latest validity check says "no" to: ``feasible``, ``realistic``, ``complete``."""
    critic = state.last_output(Agent.CRITIC)
    if critic is None or critic.critique is None:
        return ()
    check = critic.critique.validity_check
    return tuple(name for name in CHECKS if not getattr(check, name))


def judged(state: Deliberation) -> Deliberation:
    """Keep the plan of the current round as the best one, if the Critic's critique of it leaves it at least as good as
    the best one before.

    In a blind first round nobody has criticised the other's plan: none is kept.
    """
    current = state.current
    made, critic = standing(state), current.outputs.get(Agent.CRITIC)
    if is_parallel(state) or made is None or critic is None or made.agent is Agent.CRITIC or made.round == state.best:
        return state
    against = len(open_risks(state)) + len(open_findings(state))
    if unmet_checks(state) or (state.best and against > state.best_open):
        return state
    return replace(state, best=made.round, best_open=against)
