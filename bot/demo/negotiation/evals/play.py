"""Plays a demand through the rules, with nobody but the twins."""

from collections.abc import Mapping

from bot.demo.evals.playing import REQUESTER, TIME_ZONE, play_stream
from bot.protocol_row import Protocol
from engine.directory.profile import Profiles
from engine.kernel import Millis
from engine.llm.port import Model, Prompt
from engine.negotiation.commands import SubmitDemand
from engine.negotiation.policy import Policy
from engine.negotiation.state import Negotiation

CHANNEL = "collab-00000001"


async def play(
    row: Protocol, demand: str, model: Model, prompts: Mapping[str, Prompt], profiles: Profiles, policy: Policy
) -> Negotiation:
    """Play a demand to its end."""

    def begin(at: Millis) -> SubmitDemand:
        return SubmitDemand(
            command_id="evals",
            at=at,
            demand_id="d-00000001",
            channel_id=CHANNEL,
            requester_id=REQUESTER,
            raw_input=demand,
            policy=policy.model_copy(update={"human_window": 0.0, "override_window": 0.0}),
            time_zone=TIME_ZONE,
        )

    state = await play_stream(row, CHANNEL, begin, _goes_on, model=model, prompts=prompts, profiles=profiles)
    assert isinstance(state, Negotiation)  # noqa: S101 - its stream was begun by this protocol
    return state


def _goes_on(state: Negotiation) -> bool:
    return state.is_open or state.is_searching
