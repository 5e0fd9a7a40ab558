"""Calls that fail are counted by cause: a token that Slack has taken back, a key that is not taken any more."""

from contextlib import suppress

import pytest

from bot.config import SlackAccess
from bot.local_slack import LocalWorkspace
from bot.posts.failures import CALL_ERRORS
from bot.slack.client import CallFailures, Cause, slack_client
from engine.errors import ModelError
from engine.llm.claude import ClaudeModel
from engine.llm.ledger import FailureCause, MemoryLedger
from engine.runtime.clock import JumpingClock
from tests.anthropic_server import KEY, LocalAnthropic, Status
from tests.llm.prompt_cases import case_for
from tests.negotiation.prompts import PROMPTS

FAULTS = {
    Cause.TOKEN: {"do": "error", "error": "token_revoked"},
    Cause.RATE: {"do": "status", "status": 429},
    Cause.SERVER: {"do": "status", "status": 503},
    Cause.NETWORK: {"do": "drop_before"},
    Cause.REFUSED: {"do": "error", "error": "channel_not_found"},
}


@pytest.mark.parametrize("cause", Cause)
async def test_a_call_to_slack_is_counted_by_what_it_failed_for(cause: Cause) -> None:
    failures = CallFailures()
    async with LocalWorkspace() as workspace:
        access = SlackAccess(workspace.bot_token, workspace.app_token, workspace.api_url)
        async with slack_client(access, [failures.listening()]) as client:
            await client.auth_test()
            await workspace.admin.fault("auth.test", **FAULTS[cause])  # type: ignore[arg-type]
            with suppress(*CALL_ERRORS):
                await client.auth_test()
    assert failures.counts == dict.fromkeys(Cause, 0) | {cause: 1}


@pytest.mark.parametrize(("status", "cause"), [(401, FailureCause.KEY), (400, FailureCause.REFUSED)])
async def test_a_call_to_the_model_is_counted_by_what_it_failed_for(status: int, cause: FailureCause) -> None:
    async with LocalAnthropic() as server:
        server.always(Status(status))
        claude = ClaudeModel(KEY, PROMPTS.values(), MemoryLedger(), JumpingClock(0), base_url=server.url)
        with pytest.raises(ModelError):
            await claude.answer(case_for("respond").question)
        await claude.close()
    assert claude.failures[cause] >= 1
    assert sum(claude.failures.values()) == claude.failures[cause]
