"""What the demo's page shows behind the scenes: the deadline that comes next, and the engine's events in few words.

Events are read without their private fields: everybody in the workspace sees this.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from pydantic_core import from_json

from bot.demo.demo import PAGE, Demo
from bot.local_slack import PanelEntry, Wait
from engine.kernel import Event
from engine.negotiation import events as said
from engine.negotiation.answers import FeedbackType, OfferDecision
from engine.negotiation.gathering import DURATION
from engine.negotiation.terms import RecoveryAction, Source
from engine.runtime.envelope import opened
from engine.store.port import Alarm, StoredEvent

KEPT: Final = 200
"""Entries. Nobody scrolls back further."""

UNTOLD: Final = frozenset({"towow.profile.loaded", "towow.profile.unloaded"})
"""One for each profile at every start: that would hide what people come to see."""

DEADLINES: Final = {
    "offers": "Offers close",
    "twins": "Round {0}: twins without a vote are given up",
    "remind": "Half time in round {0}: who has not decided is reminded",
    "close": "Round {0} closes",
    DURATION: "It has lasted too long, and ends",
    "substitute": "{0}, who was asked for an empty seat, is given up",
    "subnets": "What the plan lacks is not looked for any longer",
}
"""What happens then, by the alarm's name up to its slash; after it comes a round's number or an agent's id."""

OFFERS: Final = {
    OfferDecision.PARTICIPATE: "takes part",
    OfferDecision.CONDITIONAL: "takes part on conditions",
    OfferDecision.DECLINE: "declines",
}
VOTES: Final = {
    FeedbackType.ACCEPT: "accepts",
    FeedbackType.NEGOTIATE: "asks for a change",
    FeedbackType.REJECT: "says no",
    FeedbackType.WITHDRAW: "withdraws",
}
RECOVERIES: Final = {
    RecoveryAction.ASK_AGAIN: "asks again",
    RecoveryAction.AGGREGATE: "goes on with what came",
    RecoveryAction.EVALUATE: "evaluates what there is",
    RecoveryAction.SUBSTITUTE: "asks somebody else",
    RecoveryAction.GIVE_TIME: "has its time anew",
}
SOURCES: Final = {Source.AGENT: "twin", Source.HUMAN: "in person", Source.ASSUMED: "assumed"}


class EventPanel:
    """The panel of a stage (`bot.local_slack.Panel`)."""

    def __init__(self, stage: Demo) -> None:
        self._stage = stage
        self._entries: deque[PanelEntry] = deque(maxlen=KEPT)
        self._position = 0
        """Up to where the events were read."""
        self._names = dict(stage.names)
        """Of users, and of agents as far as events have told them."""
        self._reading = asyncio.Lock()

    def watch(self, changed: Callable[[], None]) -> None:
        self._stage.towow.runtime.watch(lambda _: changed())

    async def wait(self) -> Wait:
        store = self._stage.towow.store
        thinking, _ = await store.pending_effects(0, 1)
        due = await self._stage.next_due()
        if due is None:
            return Wait(what="Models are answering" if thinking else "Nothing is waited for")
        alarms = await store.due(due, 1)
        if thinking and alarms and alarms[0].name == DURATION:
            return Wait(what="Models are answering")  # nobody waits for that
        what = deadline(alarms[0], self._names) if alarms else "What did not work is tried again"
        return Wait(what=f"Models are answering. {what}" if thinking else what, due=due / 1000)

    async def entries(self, after: int, most: int) -> Sequence[PanelEntry]:
        async with self._reading:
            await self._read()
        return [each for each in reversed(self._entries) if each.position > after][:most]

    async def skip(self, due: float) -> None:
        await self._stage.towow.idle()  # whoever is thinking may finish: a deadline is no answer
        soonest = await self._stage.next_due()
        if soonest is not None:
            await self._stage.skip_to(min(soonest, round(due * 1000)))

    async def _read(self) -> None:
        stage = self._stage
        while page := await stage.towow.store.events(stage.tenant, self._position, PAGE):
            for stored in page:
                fields = from_json(stored.public)
                if "display_name" in fields:
                    self._names[fields.get("agent_id", "")] = fields["display_name"]
                if stored.event_type not in UNTOLD:
                    self._entries.append(entry(stored, fields, self._names))
            self._position = page[-1].position


def entry(stored: StoredEvent, fields: Mapping[str, Any], names: Mapping[str, str]) -> PanelEntry:
    """
    Args:
        fields: the event's public ones.
    """
    ids = [str(fields[name]) for name in ("agent_id", "by", "requester_id") if fields.get(name)]
    event = opened(replace(stored, private=None), said.EVENTS) if stored.event_type in said.EVENTS else None
    return PanelEntry(
        position=stored.position,
        at=stored.at / 1000,
        name=stored.event_type.removeprefix("towow."),
        who=names.get(ids[0], ids[0]) if ids else "",
        text=in_few_words(event, stored, names) if event else "",
    )


def in_few_words(event: Event, stored: StoredEvent, names: Mapping[str, str]) -> str:
    """What the event's name does not say; nothing where that is all."""
    match event:
        case said.DemandSubmitted():
            again = " again" if event.reopened_from else ""
            return f"asks{again}, under the policy {event.policy.name}"
        case said.DemandUnderstood():
            return ", ".join(event.capability_tags)
        case said.FilterCompleted():
            return f"{event.candidates_count} could help, {len(event.possibly_related)} more perhaps"
        case said.ChannelCreated():
            return f"{event.participants_count} invited"
        case said.DemandBroadcast():
            return f"{event.recipients_count} asked"
        case said.OfferSubmitted() | said.OfferOverridden():
            return OFFERS[event.decision]
        case said.AggregationStarted():
            return f"{event.offers_count} answered"
        case said.RoundStarted():
            return f"round {event.round} of {event.max_rounds}"
        case said.ProposalDistributed():
            return f"version {event.proposal.version}, {len(event.proposal.assignments)} seats"
        case said.FeedbackDue():
            return f"{round((event.deadline - stored.at) / 1000)} s to vote in round {event.round}"
        case said.FeedbackReminded():
            return ", ".join(names.get(each, each) for each in event.agent_ids)
        case said.ProposalFeedback(blind=True):
            return f"has voted ({SOURCES[event.source]})"
        case said.ProposalFeedback():
            return f"{VOTES[event.feedback_type]} ({SOURCES[event.source]})"
        case said.FeedbackEvaluated():
            return f"{event.accepts} of {event.total} in favour: {event.decision.replace('_', ' ')}"
        case said.SubstituteInvited():
            return f"is asked for the seat of {names.get(event.replaces, event.replaces)}"
        case said.ProposalFinalized() | said.ForceFinalized():
            confirmed, rounds = len(event.confirmed_participants), event.rounds_taken
            return f"{confirmed} confirmed after {rounds} {'round' if rounds == 1 else 'rounds'}"
        case said.SeatDelegated():
            return f"lets {names.get(event.to, event.to)} decide as well" if event.to else "decides alone again"
        case said.PlanProceeded():
            return "the plan is carried out"
        case said.GapsIdentified():
            return ", ".join(f"{each.gap_type} ({each.importance})" for each in event.gaps) or "nothing is missing"
        case said.RecursionDecided():
            return "others are asked" if event.should_recurse else "nobody else is asked"
        case said.SubnetTriggered():
            return f"looks for: {event.gap_type}"
        case said.SubnetCompleted():
            return f"found: {event.gap_type}"
        case said.SubnetFailed():
            return f"not found: {event.gap_type} ({event.reason.replace('_', ' ')})"
        case said.ProposalAmended():
            return f"version {event.proposal.version}, {len(event.proposal.assignments)} seats"
        case said.CompromiseOffered():
            ways = len(event.compromise.compromises)
            return f"{ways} {'way' if ways == 1 else 'ways'} out"
        case said.NegotiationReopened():
            return "takes it up again" + (", by the balanced rules" if event.balanced else "")
        case said.NegotiationFailed():
            return event.reason.replace("_", " ")
        case said.RecoveryAttempted():
            return f"was stuck while {event.status}: {RECOVERIES[event.action]}"
        case said.StepDegraded():
            return f"{event.prompt} did without a model ({event.why})"
        case _:
            return ""


def deadline(alarm: Alarm, names: Mapping[str, str]) -> str:
    """What will happen when it rings."""
    kind, _, about = alarm.name.partition("/")
    return DEADLINES[kind].format(names.get(about, about)) if kind in DEADLINES else alarm.name
