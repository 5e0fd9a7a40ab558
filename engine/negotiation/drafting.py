"""The draft of a decision of a negotiation, and the rows by which each phase says what it answers."""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, TypedDict

from engine.kernel import AlarmRang, Command, CommandDelivered, ComposeCommand, Draft, EffectFailed, Millis, later
from engine.negotiation.commands import Answered
from engine.negotiation.events import NegotiationFailed, StepDegraded
from engine.negotiation.state import Negotiation
from engine.negotiation.terms import Outcome

DURATION: Final = "duration"
"""The alarm that ends a negotiation which has lasted as long as it may."""


class Ids(TypedDict):
    """What every event of a negotiation carries."""

    demand_id: str
    channel_id: str


class TimeForPeople(TypedDict):
    """What an event says that gives people time."""

    deadline: Millis
    """When their answer is no longer waited for."""
    until: Millis
    """When the negotiation ends at the latest: as much later as they are given."""


class NegotiationDraft(Draft[Negotiation]):
    @property
    def ids(self) -> Ids:
        return {"demand_id": self.state.demand_id, "channel_id": self.state.channel_id}

    def time_for_people(self, seconds: float, at: Millis) -> TimeForPeople:
        """Return how long people are waited for from now on. What they take shortens nobody else's time."""
        return {"deadline": later(at, seconds), "until": later(self.state.until, seconds)}

    def degrade(self, prompt: str, command: Answered, *, agent_id: str = "") -> None:
        """Record that something stands in for a model's answer, so that people can see it."""
        if command.degraded is not None:
            self.gave_up(prompt, command.degraded, agent_id=agent_id)

    def lacks_a_model(self, prompt: str, command: Answered) -> bool:
        """Record a degraded step, and fail the negotiation if the policy requires a model. Return whether it did."""
        self.degrade(prompt, command)
        if command.degraded is None or not self.state.policy.require_model:
            return False
        self.happens(NegotiationFailed(**self.ids, reason=Outcome.MODEL_UNAVAILABLE))
        return True

    def gave_up(self, prompt: str, why: str, *, agent_id: str = "") -> None:
        self.happens(StepDegraded(**self.ids, prompt=prompt, why=why, agent_id=agent_id, round=self.state.round))


class Rows(NamedTuple):
    """A phase's rows of the table, which `rules` unites: what the phase answers, and what it sends."""

    handlers: Mapping[type[Command], Callable[[NegotiationDraft, Any], None]] = {}
    """Of what models, other streams and the runtime say; what people do is in `actions`, and here only what takes more
    than a row can say.
"""
    alarms: Mapping[str, Callable[[NegotiationDraft, AlarmRang], None]] = {}
    """By the first part of an alarm's name, before a slash."""
    outcomes: Mapping[str, Callable[[NegotiationDraft, CommandDelivered | EffectFailed], bool]] = {}
    """By the first part of an effect's name: whether this outcome of it is answered."""
    sends: Mapping[str, ComposeCommand[Negotiation]] = {}
    """By the first part of an effect's name: what another negotiation is sent."""
