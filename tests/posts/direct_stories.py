"""Rounds of people who have direct messages, from one step to the next."""

from typing import Final

from bot.local_slack import Message
from bot.views.negotiation.button_values import ACCEPT
from engine.negotiation.answers import AdjustmentSummary, RequestDeclined
from engine.negotiation.policy import Policy
from tests.posts.driver import LINKED, Driver
from tests.views.stories import Story, voting


async def begun(driver: Driver, policy: Policy | None = None, stream: str = "collab-direct") -> Story:
    place = await driver.mentioned()
    story = voting("aya", "bo", "chen", linked=LINKED, place=place, policy=policy or Policy(), stream=stream)
    await driver.show(story)
    return story


def half_time(story: Story) -> Story:
    """Whoever has not decided is reminded."""
    opened = story.state.rounds[-1]
    story.now = opened.window.people_until - 1_800_000
    return story.rings(f"remind/{opened.number}")


def all_accept(story: Story) -> Story:
    return story.twin("aya", "accept").twin("bo", "accept").twin("chen", "accept")


ANSWERED: Final = AdjustmentSummary(
    requests_declined=(RequestDeclined(agent_id="aya", request="Only until ten", reason="The talks take longer"),)
)


def next_round(story: Story, chen: str = "negotiate", answered: AdjustmentSummary | None = None) -> Story:
    """Somebody's wish leads to a second version; the twins have yet to vote on it.

    Args:
        answered: what became of the wishes, so that whoever had one is asked again.
    """
    story.twin("aya", "accept").twin("bo", "accept").twin("chen", chen).time_is_up()
    return story.drafted("aya", "bo", "chen", summary="An evening, later", adjustment_summary=answered)


def has_buttons(message: Message) -> bool:
    return any(each.get("action_id") == ACCEPT for block in message.blocks for each in block.get("elements", ()))
