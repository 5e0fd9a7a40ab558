"""A model that answers at once, or after a given latency, and the people of `benchmarks/flow.py` for it.

What it says is validated once, as what a model says is. No two negotiations are told the same, in as many words.
"""

import asyncio
from typing import Any

from benchmarks.flow import AGENTS, PEOPLE, ROUNDS, SEATS, called, people, subject
from benchmarks.latency import AT_ONCE, Latency
from engine.directory.profile import Profile, Profiles
from engine.llm.port import Answer, Question, Returns

Said = dict[str, Any]
"""JSON values."""


class StubModel:
    def __init__(self, latency: Latency = AT_ONCE) -> None:
        self._latency = latency

    async def answer(self, question: Question[Returns]) -> Answer[Returns]:
        if seconds := self._seconds(question):
            await asyncio.sleep(seconds)
        return Answer(question.returns.checked(_said(question)), "stub")

    def _seconds(self, question: Question[Any]) -> float:
        given, stream = question.given, question.key.stream if question.key else ""
        about = given["profile"].agent_id if "profile" in given else ""
        prompt = question.prompt.name.removeprefix("negotiation/")
        return self._latency.of(stream, called(prompt, given.get("round", 0), about))


def _said(question: Question[Any]) -> Said:
    given, stream = question.given, question.key.stream if question.key else ""
    match question.prompt.name:
        case "negotiation/understand":
            surface = f"A meetup of {subject(stream)} for {people(stream)} people"
            return {"surface_demand": surface, "capability_tags": ["venue", "speaker"]}
        case "negotiation/filter":
            chosen = given["profiles"][:SEATS]
            return {
                "definitely_related": [
                    {"agent_id": each.agent_id, "reason": f"can help {subject(stream)}"} for each in chosen
                ]
            }
        case "negotiation/respond":
            contribution = f"I bring {subject(stream)} {given['profile'].user_name}'s projector."
            return {"decision": "participate", "contribution": contribution}
        case "negotiation/aggregate":
            return _plan(stream, [each.agent_id for each in given["offers"]])
        case "negotiation/adjust":
            return _plan(stream, [each.agent_id for each in given["proposal"].assignments], given["round"])
        case "negotiation/verify" | "negotiation/read_request":
            return {}
        case "negotiation/gaps":
            return {"is_complete": True, "gaps": []}
        case "directory/read_profile":
            return {"limits": []}
        case _:
            return _vote(stream, given["profile"], given["round"])


def _plan(stream: str, agents: list[str], number: int = 1) -> Said:
    brings = f"Brings {subject(stream)} what was promised, part"
    return {
        "summary": f"Short talks of {subject(stream)}, {number}",
        "objective": f"{people(stream)} people learn something",
        "assignments": [
            {"agent_id": each, "role": "helper", "responsibility": f"{brings} {place}."}
            for place, each in enumerate(agents, 1)
        ],
    }


def _vote(stream: str, profile: Profile, number: int) -> Said:
    """Six of ten accept until the last round, in which all do."""
    place = AGENTS.index(profile.agent_id)
    if number < ROUNDS and place >= 6:
        request = f"{subject(stream)} {place} of {number}: half an hour later."
        return {"feedback_type": "negotiate", "adjustment_request": request}
    return {"feedback_type": "accept", "reasoning": f"{subject(stream)} fits."}


def crowd() -> Profiles:
    """All who could be asked."""
    return Profiles({each: somebody(each, each.removeprefix("user_agent_").upper()) for each in PEOPLE})


def somebody(agent_id: str, name: str) -> Profile:
    """What they are like does not matter to a stub."""
    return Profile(
        agent_id=agent_id,
        user_name=name,
        profile_summary="Someone who helps where help is needed. " * 6,
        location="Berlin",
        tags=("venue",),
        capabilities={"venue": "a room"},
        interests=("people",),
        availability="weekends",
        languages=("en",),
    )
