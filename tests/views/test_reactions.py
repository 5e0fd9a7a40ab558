"""What the reaction on the message that asked says of each protocol's stream."""

import pytest

from bot.views.deliberation.presenter import reaction as of_deliberation
from bot.views.delivery.presenter import reaction as of_delivery
from bot.views.kit.presenter import Reaction
from bot.views.negotiation.presenter import reaction as of_negotiation
from engine.deliberation.state import Deliberation
from engine.deliberation.terms import Reason
from engine.delivery.state import Delivery
from engine.llm.port import OFFLINE
from engine.negotiation.state import Negotiation
from tests.deliberation.scenario import Scenario as Plan
from tests.delivery.scenario import Scenario as Work
from tests.delivery.scenario import task
from tests.views.stories import Story, voting


def test_what_has_not_begun_has_none() -> None:
    assert of_negotiation(Negotiation()) is None
    assert of_deliberation(Deliberation()) is None
    assert of_delivery(Delivery()) is None


@pytest.mark.parametrize(
    ("story", "wanted"),
    [
        pytest.param(Story().demand(), Reaction.WAITING, id="it is understood"),
        pytest.param(voting("aya", "bo").twin("aya", "accept"), Reaction.WAITING, id="people vote"),
        pytest.param(
            voting("aya", "bo").twin("aya", "accept").twin("bo", "accept").time_is_up(), Reaction.AGREED, id="agreed"
        ),
        pytest.param(
            voting("aya").twin("aya", "accept", model=OFFLINE).time_is_up(), Reaction.DRAFTED, id="by simple rules"
        ),
        pytest.param(voting("aya", "bo").stopped(), Reaction.STOPPED, id="stopped"),
        pytest.param(
            voting("aya", "bo").twin("aya", "withdraw").twin("bo", "withdraw").time_is_up(),
            Reaction.FAILED,
            id="failed",
        ),
    ],
)
def test_a_negotiation(story: Story, wanted: Reaction) -> None:
    assert of_negotiation(story.state) is wanted


def test_a_deliberation_that_is_stopped() -> None:
    plan = Plan().opens()
    assert of_deliberation(plan.state) is Reaction.WAITING
    plan.both().stops()
    while plan.state.is_open:
        plan = plan.closes() if plan.state.closing and plan.state.closing.awaited else plan.reports()
    assert plan.state.reason is Reason.USER_STOP
    assert of_deliberation(plan.state) is Reaction.STOPPED


def test_a_delivery_waits_while_a_person_works() -> None:
    assert of_delivery(Work().opens(task()).instructs().state) is Reaction.WAITING
