"""The draft of a decision of a negotiation."""

from typing import Final, TypedDict

from engine.kernel import Draft, Millis
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


class NegotiationDraft(Draft[Negotiation]):
    @property
    def ids(self) -> Ids:
        return {"demand_id": self.state.demand_id, "channel_id": self.state.channel_id}

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


def later(at: Millis, seconds: float) -> Millis:
    return at + round(seconds * 1000)
