"""What somebody promised with agreed plans: in their App Home, and the message that they cannot keep it."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from bot.texts import Texts
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.fit import Fit
from bot.views.kit.home_part import where_line
from bot.views.kit.mrkdwn import safe_line
from bot.views.kit.post import Post
from bot.views.negotiation.button_values import GIVE_UP, SeatButton
from bot.views.negotiation.names import bold_name, requester
from bot.views.negotiation.plan.dates import asked_on, when_text
from bot.views.negotiation.search import gap_search
from engine.negotiation.afterwards.commitments import Commitment, commitments, keepers
from engine.negotiation.answers import Gap
from engine.negotiation.events import SeatGivenUp
from engine.negotiation.private_reasons import why_given_up
from engine.negotiation.search.gaps import GapSearch
from engine.negotiation.state import Negotiation, Subnet
from engine.negotiation.terms import LONGEST_REASON


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


def give_up_button(stream: str, agent_id: str, texts: Texts) -> Block:
    return blocks.button(texts.say("I cannot any more…"), GIVE_UP, SeatButton(stream=stream, agent_id=agent_id).value())


def given_up_posts(state: Negotiation, texts: Texts) -> list[Post]:
    """A message of the thread for each, which notifies whoever asked."""
    return [
        Post.from_card(
            f"given-up/{each.agent_id}",
            texts.say("{who} cannot take part any more", who=safe_line(each.display_name, 48) or "?"),
            partial(_card, state, each, texts),
            stream=state.channel_id,
            texts=texts,
        )
        for each in state.given_up.values()
    ]


def _card(state: Negotiation, left: SeatGivenUp, texts: Texts, fit: Fit) -> list[Block]:
    who = bold_name(left.display_name, left.agent_id, fit)
    asker = requester(state, fit)
    lines = [texts.say("👋 {asker}, {who} cannot take part any more.", asker=asker, who=who)]
    if reason := fit.line(why_given_up(state, left), LONGEST_REASON):
        lines.append(texts.say("Reason: {reason}", reason=reason))
    for lack in left.lacks:
        lines.append(texts.say("❌ Missing: {what}", what=fit.line(lack, 80)))
        lines += _search(state, lack, texts, fit)
    return [blocks.section("\n".join(lines))]


def _search(state: Negotiation, lack: str, texts: Texts, fit: Fit) -> list[str]:
    """What becomes of the search for somebody who does it instead."""
    found: list[Subnet] = [each for each in state.subnets.values() if each.triggered.gap_type == lack]
    if not found:
        return [texts.say("Nobody else is asked for it.")]
    looked = GapSearch(Gap(gap_type=lack), matters=True, subnet=found[-1])
    return [*gap_search.search_result(state, looked, texts, fit)]
