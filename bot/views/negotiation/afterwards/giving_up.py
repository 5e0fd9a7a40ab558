"""Somebody cannot keep what they promised: the button, and the message to whoever asked."""

from functools import partial

from bot.texts import Texts
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.fit import Fit
from bot.views.kit.mrkdwn import safe_line
from bot.views.kit.post import Post
from bot.views.negotiation.button_values import GIVE_UP, SeatButton
from bot.views.negotiation.names import bold_name, requester
from bot.views.negotiation.search import gap_search
from engine.negotiation.answers import Gap
from engine.negotiation.events import SeatGivenUp
from engine.negotiation.private_reasons import why_given_up
from engine.negotiation.state import Negotiation, Subnet
from engine.negotiation.terms import LONGEST_REASON


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
    looked = gap_search.GapSearch(Gap(gap_type=lack), matters=True, subnet=found[-1])
    return [*gap_search.search_result(state, looked, texts, fit)]
