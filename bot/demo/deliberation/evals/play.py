"""Plays a deliberation through the rules: from a brief to its report, with nobody but its agents."""

from collections.abc import Mapping
from typing import Final

from bot.demo.evals.playing import REQUESTER, play_stream
from bot.protocol_row import Protocol
from engine.deliberation.commands import AskCritic, OpenDeliberation
from engine.deliberation.policy import DEFAULT, Policy
from engine.deliberation.state import Deliberation
from engine.deliberation.terms import Brief
from engine.directory.profile import Profiles
from engine.kernel import Millis
from engine.llm.port import Model, Prompt

SESSION = "plan-00000001"
NOBODY: Final = Profiles({})


async def play(
    row: Protocol,
    brief: Brief,
    model: Model,
    prompts: Mapping[str, Prompt],
    policy: Policy = DEFAULT,
    *,
    question: str = "",
) -> Deliberation:
    """Play a deliberation to its end.

    Args:
        question: what whoever asked for it then asks the Critic; nothing where it is empty.

    Raises:
        Refusal: there is nothing to plan in the brief.
    """

    def begin(at: Millis) -> OpenDeliberation:
        return OpenDeliberation(command_id="evals", at=at, session_id=SESSION, by=REQUESTER, brief=brief, policy=policy)

    def ask(at: Millis) -> AskCritic:
        return AskCritic(command_id="evals-question", at=at, by=REQUESTER, text=question)

    state = await play_stream(
        row,
        SESSION,
        begin,
        lambda state: state.is_open,
        model=model,
        prompts=prompts,
        profiles=NOBODY,
        afterwards=(ask,) if question else (),
    )
    assert isinstance(state, Deliberation)  # noqa: S101 - its stream was begun by this protocol
    return state
