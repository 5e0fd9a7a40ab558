"""What many calls of a negotiation begin with is sent once and then read from the provider's cache."""

import asyncio
import re
from collections import Counter

from msgspec.structs import replace

from engine.kernel import StreamKey, Tenant
from engine.llm.claude import ClaudeModel
from engine.llm.ledger import Call, MemoryLedger
from engine.llm.spending import Tokens, cost
from engine.runtime.clock import WallClock
from tests.anthropic_server import KEY, LocalAnthropic, Received, Says, Stalls, Step
from tests.anthropic_server.sent_again import sent_again
from tests.negotiation.prompts import PROMPTS

from .ledger_rows import rows
from .prompt_cases import GOOD, PROFILES, candidate, case_for, plan
from .test_negotiation import negotiated, prompt_of

SEATS = [each for each in PROFILES if each not in ("user_agent_alex_kim", "user_agent_emma_clarke")][:10]
A_CALL = 0.02
"""Seconds. Without time, nobody would be asked before the one before has answered."""


def three_rounds(received: Received) -> Step:
    """Ten take part; four want something in two rounds, and get it."""
    prompt, asked = prompt_of(received), received.said()
    match prompt:
        case "understand":
            (need,) = GOOD["understand"]["needs"]
            said = {**GOOD["understand"], "needs": [{**need, "what": "somebody who helps", "tags": []}]}
        case "filter":
            said = {**GOOD["filter"], "definitely_related": [candidate(each) for each in SEATS]}
            said["possibly_related"] = []
        case "aggregate":
            said = plan(*SEATS)
        case "feedback" if "This is round 3 of" not in asked:
            who = re.search(r'"agent_id":"(\w+)"', asked.partition("## Who you are")[2])
            assert who is not None
            said = dict(GOOD["feedback"])
            if who[1] in SEATS[:4]:
                wish = f"{who[1]} begins later, after what round {asked.partition('This is round ')[2][0]} said"
                said |= {"feedback_type": "negotiate", "adjustment_request": wish}
        case "adjust":
            said = plan(*SEATS, summary=f"Version {asked.count('begins later')}")
            said["adjustment_summary"] = GOOD["adjust"]["adjustment_summary"]
        case "recurse":
            said = {**GOOD["recurse"], "condition_3_met": False}
        case _:
            said = dict(GOOD[prompt])
    return Says(said, after=A_CALL)


async def test_at_least_95_percent_of_what_is_sent_again_is_read_from_the_cache(server: LocalAnthropic) -> None:
    told = await negotiated(server, three_rounds)
    assert told.state.round == 3
    assert len(told.state.rounds[-1].seats) == len(SEATS) == 10
    calls = await rows(told.store)
    read = sum(each.cache_read_tokens for each in calls)
    assert read >= 0.95 * sum(sent_again(server.requests))


async def test_the_others_are_asked_as_soon_as_the_first_begins_to_answer(server: LocalAnthropic) -> None:
    claude = ClaudeModel(KEY, PROMPTS.values(), MemoryLedger(), WallClock(), base_url=server.url)
    asked = case_for("respond")
    server.then(Stalls("after")).always(Says(asked.good))
    question = replace(asked.question, key=StreamKey(Tenant("T"), "collab-1"))
    calls = [asyncio.create_task(claude.answer(question)) for _ in SEATS]
    await asyncio.wait(calls[1:], timeout=60)
    assert (server.stalled, [each.done() for each in calls]) == (1, [False, *[True] * 9])
    assert [bool(each.body.get("stream")) for each in server.requests] == [True, *[False] * 9]
    calls[0].cancel()
    await claude.close()


async def test_the_second_reader_reads_its_rules_from_the_version_before(server: LocalAnthropic) -> None:
    told = await negotiated(server, three_rounds)
    first, *later = [each for each in await rows(told.store) if each.prompt == "negotiation/verify"]
    assert (len(later), first.cache_read_tokens) == (2, 0)
    assert {each.cache_read_tokens for each in later} == {first.cache_write_tokens}


async def test_reading_costs_less_than_sending(server: LocalAnthropic) -> None:
    told = await negotiated(server, three_rounds)
    calls = [each for each in await rows(told.store) if each.prompt.endswith(("respond", "feedback"))]
    sent = [cost(each.model, Tokens(_prompt(each), each.output_tokens)) or 0 for each in calls]
    assert sum(each.cost_usd or 0 for each in calls) < 0.7 * float(sum(sent))


def _prompt(call: Call) -> int:
    return call.input_tokens + call.cache_write_tokens + call.cache_read_tokens


async def test_all_questions_of_a_negotiation_fence_people_in_alike(server: LocalAnthropic) -> None:
    await negotiated(server, three_rounds)
    fences = Counter(each for received in server.requests for each in re.findall(r"<demand (\w+)>", received.said()))
    assert len(fences) == 1
