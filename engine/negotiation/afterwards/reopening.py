"""Reopens a failed negotiation, once, as another one in the same place: with another wording, with the preset
``balanced``, or with more people.
"""

from typing import Final

from engine.errors import Duplicate, IllegalStep
from engine.kernel import Command, CommandDelivered, EffectFailed, Millis, SendCommand
from engine.negotiation.commands import Reopen, SubmitDemand
from engine.negotiation.demand.gathering import readable
from engine.negotiation.drafting import NegotiationDraft
from engine.negotiation.events import NegotiationReopened, ReopeningFailed
from engine.negotiation.ids import channel_id, demand_id, derived_name
from engine.negotiation.policy import ruled_by
from engine.negotiation.state import Negotiation, Status
from engine.negotiation.voting.carrying import own_vote

REOPEN: Final = "reopen"
"""Name and scope of the effect that begins the other negotiation."""

BALANCED: Final = "balanced"
"""The preset under which only rejections end a negotiation, not wishes."""


def reopen(draft: NegotiationDraft, command: Reopen) -> None:
    state = draft.state
    check_reopening(state)
    text = readable(command.raw_input)
    name = derived_name(state.channel_id, REOPEN)
    draft.happens(
        NegotiationReopened(
            **draft.ids,
            by=command.by,
            at=command.at,
            raw_input=text,
            balanced=command.balanced,
            also_ask=state.reserve if command.asks_possible else (),
            next_demand_id=demand_id(name),
            next_channel_id=channel_id(name),
        )
    )


def check_reopening(state: Negotiation) -> None:
    if state.parent is not None:
        raise IllegalStep("It belongs to another plan, which stands without it.")
    if state.status is not Status.FAILED:
        raise IllegalStep(f"This negotiation is {state.status}; only one that has failed can be taken up again.")
    if state.reopened is not None:
        raise Duplicate("This negotiation was taken up again already.")


def suits_balanced(state: Negotiation) -> bool:
    """Whether the preset ``balanced`` is worth offering: more people had wishes than left, under other rules."""
    tally = state.rounds[-1].tally if state.rounds else None
    return tally is not None and tally.negotiates > tally.withdraws and state.policy.name != BALANCED


def compose_command(state: Negotiation, effect: SendCommand, *, command_id: str, at: Millis) -> Command:
    """Compose the demand of the other negotiation, for the same requester."""
    asked = state.reopened
    assert asked is not None, "nobody took it up again"  # noqa: S101 - it is owed behind the event alone
    left = (each for each in state.withdrawn if own_vote(state, each) is not None)
    return SubmitDemand(
        command_id=command_id,
        at=at,
        demand_id=asked.next_demand_id,
        channel_id=asked.next_channel_id,
        requester_id=state.requester_id,
        raw_input=asked.raw_input,
        policy=ruled_by(state.policy, BALANCED) if asked.balanced else state.policy,
        place=state.place,
        reopened_from=state.channel_id,
        also_ask=asked.also_ask,
        not_again=tuple(dict.fromkeys((*state.not_again, *left))),
        time_zone=state.time_zone,
        own_votes=state.own_votes,
    )


def delivered(draft: NegotiationDraft, command: CommandDelivered | EffectFailed) -> bool:
    """Record that the other negotiation could not begin. Return whether one was to begin."""
    asked = draft.state.reopened
    if asked is None:
        return False
    if isinstance(command, EffectFailed) or command.refused:
        draft.happens(ReopeningFailed(**draft.ids, next_channel_id=asked.next_channel_id))
    return True
