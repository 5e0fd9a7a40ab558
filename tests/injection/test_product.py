"""The same through the whole product: what stands in the thread and in the events that anybody may read."""

import json
from typing import Final

import pytest

from bot.claude_config import ClaudeAccess
from bot.demo.demo import DemoSettings
from bot.demo.negotiation.ask import Asked, ask
from bot.registry import PROTOCOLS
from engine.directory.profile import Profiles
from engine.negotiation.policy import Policy
from engine.negotiation.state import Status
from tests.anthropic_server import KEY, LocalAnthropic

from .obedient import ObedientModel
from .stage import AYA, DEMAND, TALENTS, profile
from .test_corpus import CASES, told

CHOSEN: Final = (
    "demand-repeat-en", "demand-calls-zh", "profile-profile_summary-repeat-zh", "profile-capabilities-calls-en",
    "name-calls-en", "offer-repeat-en", "vote-addressed-zh", "answer-respond-calls-en",
)  # fmt: skip
LIVE: Final = ("<!channel", "<!here", "<@U_EVE", "<https://evil", "](https://evil.example)>")
"""Marks that would call people or lead elsewhere."""


async def played(where: str, text: str) -> Asked:
    kind, _, name = where.partition(".")
    people = {each: profile(each) for each in TALENTS}
    model = ObedientModel()
    match kind:
        case "name":
            people["aya"] = people["aya"].model_copy(update={"user_name": text})
        case "profile":
            changed = {"planning": text} if name == "capabilities" else text
            people["aya"] = people["aya"].model_copy(update={name: changed})
        case "offer" | "vote":
            prompt = {"offer": "respond", "vote": "feedback"}[kind]
            model = ObedientModel(author=AYA, says={prompt: text})
        case "answer":
            model = ObedientModel(answers={name: text})
    profiles = Profiles({each.agent_id: each for each in people.values()})
    async with LocalAnthropic() as anthropic:
        anthropic.always(model)
        settings = DemoSettings(profiles, Policy(), PROTOCOLS, claude=ClaudeAccess(KEY, anthropic.url, timeout=5))
        return await ask(f"{DEMAND}. {text}" if kind == "demand" else DEMAND, settings)


@pytest.mark.parametrize("case_id", CHOSEN)
async def test_nothing_private_and_nothing_live_is_posted(case_id: str, caplog: pytest.LogCaptureFixture) -> None:
    case = next(each for each in CASES if each["id"] == case_id)

    asked = await played(case["where"], case["text"])

    assert asked.report.channel_status is Status.FINALIZED
    ours = [each for each in asked.thread if each.bot_id]
    posted = json.dumps([[each.text, each.blocks] for each in ours], ensure_ascii=False)
    assert ours
    assert not told(posted)
    assert not told(asked.report.model_dump_json())
    assert not told(caplog.text)
    assert not [each for each in LIVE if each in posted]
