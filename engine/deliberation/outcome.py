"""How a deliberation ended, as its data shows it: agreed, decided by whom, disagreed on what, or what is still open."""

from typing import Literal

from engine.deliberation.events import Difference
from engine.deliberation.host import Hold, held_back
from engine.deliberation.slots import standing_of
from engine.deliberation.state import Deliberation
from engine.deliberation.terms import Reason

Outcome = Literal["agreed", "decided", "disagreed", "not_settled", "not_argued", "no_plan", "forgotten", "open"]
"""How it ended: both agreed, the requester decided, both disagreed, both held the same and something was still open,
rules spoke in place of a model, nobody made a plan, or what it was about was erased; ``open`` while it goes on."""


def outcome_of(state: Deliberation) -> Outcome:
    """Return how it ended, or, while it is reported, how it will."""
    reason = None if not state.closing or state.is_argued else state.closing.reason
    match reason:
        case None:
            return "open"
        case Reason.AGREED | Reason.EARLY_AGREEMENT:
            return "agreed"
        case Reason.USER_DECIDED:
            return "decided"
        case Reason.NOT_ARGUED:
            return "not_argued"
        case Reason.NO_PLAN:
            return "no_plan"
        case Reason.FORGOTTEN:
            return "forgotten"
        case _:
            return "not_settled" if _hold_the_same(state) else "disagreed"


def _hold_the_same(state: Deliberation) -> bool:
    found = standing_of(state)
    return found is not None and found.is_agreed and not disagreements(state)


def disagreements(state: Deliberation) -> tuple[Difference, ...]:
    """Return in what the latest positions differ: as they were compared, or, where somebody has spoken since, as they
    stand now.
    """
    compared = next((each for each in reversed(state.rounds) if each.analysis), None)
    if compared is not None and not any(each.outputs for each in state.rounds[compared.number :]):
        return compared.differences
    found = standing_of(state)
    return found.differences if found else ()


def still_open(state: Deliberation) -> tuple[Hold, ...]:
    """Return what speaks against the plan besides that positions differ: risks, checks, objections, unexplained
    changes. Each thing is told once: the Critic may have put a finding of code in the same words.
    """
    return tuple({each.text: each for each in held_back(state)}.values())
