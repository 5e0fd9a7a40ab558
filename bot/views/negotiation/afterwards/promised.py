"""Somebody's commitments in their App Home: what they promised with agreed plans, when, and where to read on."""

from collections.abc import Iterator, Mapping, Sequence

from bot.texts import Texts
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.fit import Fit
from bot.views.kit.home_part import where_line
from bot.views.kit.mrkdwn import safe_line
from bot.views.negotiation.afterwards.giving_up import give_up_button
from bot.views.negotiation.names import bold_name
from bot.views.negotiation.plan.dates import asked_on, when_text
from engine.negotiation.afterwards.commitments import Commitment, commitments, keepers
from engine.negotiation.state import Negotiation


def promised_sections(
    states: Sequence[Negotiation], user: str, texts: Texts, threads: Mapping[str, str]
) -> Iterator[Block]:
    """A section with a button for each commitment that they decide about, in the order of the states.

    Args:
        threads: stream -> the address of its thread.
    """
    for state in states:
        for each in commitments(state):
            if user in keepers(state, each.agent_id):
                button = give_up_button(state.channel_id, each.agent_id, texts)
                told = promise_line(state, each, user, texts, threads.get(state.channel_id, ""))
                yield blocks.section(told) | {"accessory": button}


def promise_line(state: Negotiation, promise: Commitment, user: str, texts: Texts, thread: str) -> str:
    """When, what, for which demand, and where to read on; whose it is where it is not their own."""
    fit = Fit()
    when = when_text(promise.when, texts, asked_on(state))
    what = fit.line(promise.seat.role, 80) or fit.line(promise.seat.responsibility, 80)
    name = bold_name(promise.seat.display_name, promise.agent_id, fit)
    parts = (
        f"*{when}*" if when else texts.say("*No date yet*"),
        what,
        "" if promise.user_id == user else texts.say("for {name}", name=name),
        f"“{safe_line(state.demand_text, 120)}”",
        where_line(state.place.channel, thread, texts),
    )
    return " · ".join(each for each in parts if each)
