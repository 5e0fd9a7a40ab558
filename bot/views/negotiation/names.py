"""Writes people's names and mentions."""

from collections.abc import Sequence

from bot.texts import Texts
from bot.views.kit.fit import Fit
from bot.views.kit.mrkdwn import bold, mention
from engine.negotiation.state import Negotiation
from engine.negotiation.terms import Person

LONGEST_NAME = 48


def bold_name(display_name: str, agent_id: str, fit: Fit) -> str:
    """A name in bold, which notifies nobody."""
    name = fit.line(display_name, LONGEST_NAME) or fit.line(agent_id, LONGEST_NAME)
    return bold(name) or "?"


def mention_or_name(state: Negotiation, agent_id: str, fit: Fit, display_name: str = "") -> str:
    """A mention of a linked person, the name of anybody else."""
    if agent_id and agent_id == state.requester_id:
        return requester(state, fit)
    asked = state.known_person(agent_id) or Person(agent_id=agent_id, display_name=display_name)
    return mention(asked.user_id) or bold_name(display_name or asked.display_name, agent_id, fit)


def name_in_thread(state: Negotiation, agent_id: str, fit: Fit, display_name: str = "") -> str:
    """A name, which notifies nobody, since whoever has to do something gets a direct message; a mention of a linked
    person whom no direct message reaches.
    """
    if agent_id and agent_id == state.requester_id:
        return requester(state, fit)
    seat = state.rounds[-1].seats.get(agent_id) if state.rounds else None
    if seat is not None and seat.unreachable:
        return mention_or_name(state, agent_id, fit, display_name)
    asked = state.known_person(agent_id) or Person(agent_id=agent_id, display_name=display_name)
    return bold_name(display_name or asked.display_name, agent_id, fit)


def requester(state: Negotiation, fit: Fit) -> str:
    return mention(state.requester_id) or fit.line(state.requester_id, LONGEST_NAME) or "?"


def who_stopped(state: Negotiation, fit: Fit) -> str:
    return mention(state.cancelled_by) or fit.line(state.cancelled_by, LONGEST_NAME) or "?"


def join_names(names: Sequence[str], texts: Texts, total: int = 0) -> str:
    """``total``: how many there are, where not all of them are named."""
    # Translators: between the names of a list.
    joined, more = texts.say(", ").join(names), total - len(names)
    return texts.say("{names} and {n} more", names=joined, n=more) if more > 0 else joined
