"""Subnets: negotiations that fill the gaps of a parent's plan. Both sides are here, the parent's and the subnet's. They
know each other by stream id alone.
"""

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Final

from msgspec.structs import replace

from engine.errors import IllegalStep
from engine.facts.shortening import without_surrogates
from engine.kernel import AlarmRang, Command, CommandDelivered, EffectFailed, Millis, SendCommand, iso, later
from engine.negotiation.answers import Assignment, Need, OfferDecision, SubDemand, Understanding
from engine.negotiation.commands import Cancel, Recall, RecordSubnet, SubmitDemand
from engine.negotiation.drafting import NegotiationDraft
from engine.negotiation.events import (
    ProposalAmended,
    RequesterDecided,
    SubnetCompleted,
    SubnetFailed,
    SubnetReleased,
    SubnetTriggered,
)
from engine.negotiation.ids import PROTOCOL, channel_id, demand_id, derived_name
from engine.negotiation.offers.offers import as_data
from engine.negotiation.plan.coverage import is_need, needs_of
from engine.negotiation.search.amendments import amendment
from engine.negotiation.state import Negotiation, Subnet
from engine.negotiation.terms import LONGEST_DEMAND, Found, MissingChoice, Outcome, Parent, Person

SUBNETS: Final = "subnets"
"""The alarm after which the parent stops looking."""

BEGIN: Final = "begin"
RECALL: Final = "recall"
RESULT: Final = "result"
"""What is sent: the first part of an effect's name, before a slash and the subnet's channel id."""


# ── the parent ────────────────────────────────────────────────────────────────────────────────────────────────────


def trigger(draft: NegotiationDraft, asked: Sequence[SubDemand], at: Millis, *, again: bool = False) -> None:
    """
    Args:
        again: whether something is looked for that was looked for before; never twice at once.
    """
    state = draft.state
    deadline = later(at, state.policy.subnet_window)
    for each in asked:
        name = derived_name(state.channel_id, each.gap_type)
        count = 1
        while again and channel_id(name) in state.subnets and not state.subnets[channel_id(name)].is_running:
            count += 1
            name = derived_name(state.channel_id, f"{each.gap_type}\n{count}")
        sub = channel_id(name)
        if sub in state.subnets:
            continue  # it was looked for before there was a plan
        draft.happens(
            SubnetTriggered(
                **draft.ids,
                parent_channel_id=state.channel_id,
                parent_demand_id=state.demand_id,
                sub_demand_id=demand_id(name),
                sub_channel_id=sub,
                gap_type=each.gap_type,
                description=without_surrogates(each.description).strip()[:LONGEST_DEMAND],
                capability_tags=each.capability_tags,
                priority=each.priority,
                deadline=deadline,
            )
        )


def look_wider(draft: NegotiationDraft, needs: Iterable[Need], by: str, at: Millis, *, again: bool = False) -> None:
    """Begin a negotiation of its own for each need, as many as the policy allows, where whoever asked has decided that
    it is worth it. What is asked is the need as the demand says it.
    """
    policy = draft.state.policy
    given = draft.time_for_people(policy.subnet_window, at)
    draft.happens(RequesterDecided(**draft.ids, choice=MissingChoice.LOOK_WIDER, by=by, **given))
    asked = [
        SubDemand(gap_type=each.what, description=each.what, capability_tags=each.tags, priority="high")
        for each in islice(needs, policy.max_subnets)
    ]
    trigger(draft, asked, at, again=again)


def ended(draft: NegotiationDraft, command: RecordSubnet) -> None:
    """Record how a subnet has ended. A result of another subnet, too late or a second time changes nothing.

    An agreed plan is amended with what was found.
    """
    subnet = draft.state.subnets.get(command.channel_id)
    if subnet is None or not subnet.is_running:
        return
    if command.found is None or not command.found.assignments:
        _fails(draft, subnet, command.outcome)
        return
    draft.happens(
        SubnetCompleted(
            **draft.ids, **_of(subnet), found=command.found, preparing=command.preparing, offered=command.offered
        )
    )
    if draft.state.final is not None:
        draft.happens(
            ProposalAmended(
                **draft.ids,
                **amendment(draft.state, iso(command.at)),
                sub_channel_id=command.channel_id,
                gap_type=subnet.triggered.gap_type,
            )
        )


def delivered(draft: NegotiationDraft, command: CommandDelivered | EffectFailed) -> bool:
    """Fail a subnet that could not begin."""
    kind, _, sub = command.name.partition("/")
    subnet = draft.state.subnets.get(sub)
    has_begun = isinstance(command, CommandDelivered) and not command.refused
    if kind == BEGIN and subnet is not None and subnet.is_running and not has_begun:
        _fails(draft, subnet, Outcome.RECOVERY_EXHAUSTED)
    return True


def alarm_rang(draft: NegotiationDraft, alarm: AlarmRang) -> None:
    """Take back the subnets whose time is over; the plan stays as it is."""
    for subnet in running(draft.state):
        if alarm.at >= subnet.triggered.deadline:
            _recalls(draft, subnet, Outcome.NEGOTIATION_TIMEOUT)


def stop(draft: NegotiationDraft, command: Cancel) -> None:
    """Take back all subnets; the plan stays as it is."""
    give_up(draft, by=command.by, reason=Outcome.CANCELLED)


def give_up(draft: NegotiationDraft, *, by: str = "", reason: Outcome = Outcome.NEGOTIATION_TIMEOUT) -> None:
    """Take back the subnets that are still looking."""
    for subnet in running(draft.state):
        _recalls(draft, subnet, reason, by=by)


def running(state: Negotiation) -> list[Subnet]:
    return [each for each in state.subnets.values() if each.is_running]


def _recalls(draft: NegotiationDraft, subnet: Subnet, reason: Outcome, *, by: str = "") -> None:
    sub = subnet.triggered.sub_channel_id
    _fails(draft, subnet, reason, by=by)
    draft.owes(SendCommand(name=f"{RECALL}/{sub}", scope=sub, to=sub, protocol=PROTOCOL))


def _fails(draft: NegotiationDraft, subnet: Subnet, reason: Outcome, *, by: str = "") -> None:
    draft.happens(SubnetFailed(**draft.ids, **_of(subnet), reason=reason, by=by))


def _of(subnet: Subnet) -> dict[str, str]:
    triggered = subnet.triggered
    return {
        "sub_demand_id": triggered.sub_demand_id,
        "sub_channel_id": triggered.sub_channel_id,
        "gap_type": triggered.gap_type,
    }


# ── the subnet ────────────────────────────────────────────────────────────────────────────────────────────────────


def report(draft: NegotiationDraft) -> None:
    if (parent := draft.state.parent) is not None:
        draft.owes(SendCommand(name=RESULT, scope=RESULT, to=parent.channel_id, protocol=PROTOCOL))


def release(draft: NegotiationDraft) -> None:
    """Release an agreement that came after the parent gave up waiting, so that its people learn of it."""
    if draft.state.final is not None and not draft.state.released:
        draft.happens(SubnetReleased(**draft.ids))


def check_recall(state: Negotiation) -> None:
    """Check that another negotiation began this one, and so may take it back."""
    if state.parent is None:
        raise IllegalStep("Nobody else began this negotiation, so nobody else can take it back.")


# ── what they tell each other ─────────────────────────────────────────────────────────────────────────────────────


def compose_command(state: Negotiation, effect: SendCommand, *, command_id: str, at: Millis) -> Command:
    kind, _, sub = effect.name.partition("/")
    if kind == BEGIN:
        return _demand(state, state.subnets[sub].triggered, command_id, at)
    if kind == RECALL:
        failed = state.subnets[sub].failed
        return Recall(command_id=command_id, at=at, stopped_by=failed.by if failed else "")
    found = _found(state)
    seated = [each.agent_id for each in found.people] if found else []
    return RecordSubnet(
        command_id=command_id,
        at=at,
        channel_id=state.channel_id,
        outcome=state.outcome or Outcome.CANCELLED,
        found=found,
        preparing=tuple(each for each in seated if state.only_prepares(each)),
        offered=tuple(as_data(state.offers[each]) for each in seated if each in state.offers),
    )


def _demand(state: Negotiation, asked: SubnetTriggered, command_id: str, at: Millis) -> SubmitDemand:
    """Compose a subnet's demand. Its meaning is known: the parent's circumstances, and the gap's abilities."""
    understanding = state.understanding or Understanding(surface_demand=state.raw_input)
    return SubmitDemand(
        command_id=command_id,
        at=at,
        demand_id=asked.sub_demand_id,
        channel_id=asked.sub_channel_id,
        requester_id=state.requester_id,
        raw_input=asked.description,
        policy=state.policy,
        place=state.place,
        parent=Parent(
            channel_id=state.channel_id,
            demand_id=state.demand_id,
            demand=understanding.surface_demand,
            gap_type=asked.gap_type,
            answered=_answered(state),
        ),
        understanding=Understanding(
            surface_demand=asked.description,
            capability_tags=asked.capability_tags,
            # Whoever is found helps, however many are still missing.
            needs=tuple(
                replace(each, essential=True, quantity=0) for each in needs_of(state) if is_need(each, asked.gap_type)
            ),
            context=understanding.context,
            confidence="medium",
            language=understanding.language,
        ),
        time_zone=state.time_zone,
        locale=state.locale,
        own_votes=state.own_votes,
        not_again=state.not_again,
    )


def _answered(state: Negotiation) -> tuple[str, ...]:
    """Return those who have answered the parent already: they take part, have left, or declined. Before there is a
    plan, that is whoever was asked.
    """
    if state.final is None:
        return tuple(state.invited)
    seated = state.final.final_proposal.assignments if state.final else ()
    declined = (
        each.agent_id for each in state.offers.values() if each.decision is OfferDecision.DECLINE and not each.degraded
    )
    return tuple(dict.fromkeys((*(each.agent_id for each in seated), *state.withdrawn, *state.given_up, *declined)))


def _found(state: Negotiation) -> Found | None:
    if state.final is None or state.final.uncovered_needs:
        return None  # an agreement without anybody who fills the gap does not help the parent
    assignments = state.final.final_proposal.assignments
    people = (state.invited[each.agent_id] for each in assignments)
    return Found(
        assignments=tuple(Assignment(**Assignment.fields_of(each)) for each in assignments),
        people=tuple(
            Person(agent_id=each.agent_id, display_name=each.display_name, user_id=each.user_id) for each in people
        ),
        confirmed_participants=state.final.confirmed_participants,
    )
