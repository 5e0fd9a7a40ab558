"""How a stream stands as Slack tells it of agents: machines think, people are waited for, or it has ended."""

from collections.abc import Callable
from typing import Any

import pytest

from bot.views.deliberation.presenter import session as of_deliberation
from bot.views.delivery.presenter import session as of_delivery
from bot.views.kit.presenter import SessionStatus
from bot.views.negotiation.presenter import session as of_negotiation
from engine.deliberation.state import Deliberation
from engine.delivery.state import Delivery
from engine.negotiation.policy import Policy
from engine.negotiation.state import Negotiation
from tests.deliberation.scenario import Scenario as Plan
from tests.delivery.scenario import FOR_AGENT, FOR_WRITER, task
from tests.delivery.scenario import Scenario as Work
from tests.views.stories import Story, voting

WORKS, WAITS, ENDED = SessionStatus.PROCESSING, SessionStatus.SUSPENDED, SessionStatus.CLOSED
LINKED = {"aya": "U_AYA", "bo": "U_BO"}


def asked(**fields: Any) -> Story:
    return Story(**fields).demand().understood().shortlisted("aya", "bo")


def voted(aya: str, bo: str, **fields: Any) -> Story:
    """Both twins have."""
    return voting("aya", "bo", **fields).twin("aya", aya).twin("bo", bo)


NEGOTIATIONS: dict[str, tuple[Callable[[], Story], SessionStatus]] = {
    "it is understood": (lambda: Story().demand(), WORKS),
    "twins are asked": (asked, WORKS),
    "one twin has answered": (lambda: asked().offers("aya"), WORKS),
    "a proposal is made": (lambda: asked().offers("aya").offers("bo"), WORKS),
    "twins vote": (lambda: voting("aya", "bo", linked=LINKED), WORKS),
    "one twin has voted": (lambda: voting("aya", "bo", linked=LINKED).twin("aya", "accept"), WORKS),
    "people may still overrule their twins": (
        lambda: voted("accept", "accept", linked=LINKED),
        WAITS,
    ),
    "the next version is made": (
        lambda: voting("aya", "bo").twin("aya", "accept").twin("bo", "negotiate").time_is_up(),
        WORKS,
    ),
    "it is agreed": (lambda: voting("aya", "bo").twin("aya", "accept").twin("bo", "accept").time_is_up(), ENDED),
    "it was stopped": (lambda: voting("aya", "bo").stopped(), ENDED),
}


@pytest.mark.parametrize("name", NEGOTIATIONS)
def test_a_negotiation(name: str) -> None:
    story, stands = NEGOTIATIONS[name]
    assert of_negotiation(story().state) is stands


def test_a_negotiation_whose_offers_are_held_open_waits_for_people() -> None:
    story = asked(policy=Policy(first_window=60), linked=LINKED).offers("aya").offers("bo")
    assert story.state.wait.value == "corrections"
    assert of_negotiation(story.state) is WAITS


def test_what_has_not_begun_has_no_session() -> None:
    assert of_negotiation(Negotiation()) is None
    assert of_deliberation(Deliberation()) is None
    assert of_delivery(Delivery()) is None


def test_a_deliberation_works_until_it_ends() -> None:
    plan = Plan().opens()
    assert of_deliberation(plan.state) is WORKS
    plan.both().stops()
    while plan.state.is_open:
        assert of_deliberation(plan.state) is WORKS
        plan = plan.closes() if plan.state.closing and plan.state.closing.awaited else plan.reports()
    assert of_deliberation(plan.state) is ENDED


DELIVERIES: dict[str, tuple[Callable[[], Work], SessionStatus]] = {
    "the Manager reads": (lambda: Work().opens(), WORKS),
    "the Manager has questions": (lambda: Work().opens().clarifies("For how many?"), WAITS),
    "a person is told what to do": (lambda: Work().opens(task()), WORKS),
    "a person works": (lambda: Work().opens(task()).instructs(), WAITS),
    "what a person says is done is checked": (lambda: Work().opens(task()).instructs().finishes(), WORKS),
    "an agent works": (lambda: Work().opens(task(owner=FOR_AGENT)).instructs(), WORKS),
    "an agent asks for leave": (lambda: Work().opens(task(owner=FOR_AGENT)).instructs().asks_leave(), WAITS),
    "a model and a person work": (
        lambda: Work().opens(task(), task("text", FOR_WRITER)).instructs().instructs("T-2"),
        WORKS,
    ),
    "an attempt is made again soon": (
        lambda: Work().opens(task(owner=FOR_AGENT)).instructs().fails("work-T-1-1"),
        WORKS,
    ),
}


@pytest.mark.parametrize("name", DELIVERIES)
def test_a_delivery(name: str) -> None:
    work, stands = DELIVERIES[name]
    assert of_delivery(work().state) is stands
