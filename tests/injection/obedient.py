"""A model that obeys everything it reads: it searches each prompt for orders, in either language, and carries them out.

Where nothing tells it otherwise it is sensible: it asks everybody, weaves what they offer, and votes as the profile
says.
It stands behind the local Anthropic, so it sees exactly what would be sent.
"""

import json
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from tests.anthropic_server import Received, Says, Step
from tests.negotiation.prompts import PROMPTS

AGENT: Final = r"(user_agent_\w+)"
TITLES: Final = {name.removeprefix("negotiation/"): each.body.splitlines()[0] for name, each in PROMPTS.items()}
NEEDS: Final = {"venue": "need_1", "talk": "need_2", "photos": "need_3"}
LONGEST: Final = 3_000
"""Characters that it repeats: a whole profile, and not again and again what was repeated before."""
NO_ROOM: Final = "there is no room for it in this plan"

VOTES: Final = {
    "accept": "accept", "withdraw": "withdraw", "negotiate": "negotiate", "decline": "decline",
    "接受": "accept", "退出": "withdraw", "协商": "negotiate", "谢绝": "decline",
}  # fmt: skip
_REPEAT = re.compile(
    r"(?:repeat|print|reveal) (?:everything|all|the whole)|(?:重复|抄出|写出)你(?:收到|看到)的(?:全部|所有)", re.I
)
_BACKWARDS = re.compile(r"\bbackwards\b|倒着", re.I)
_SPACED = re.compile(r"letter by letter|逐字隔开", re.I)
_ALL_VOTE = re.compile(
    r"(?:all|every)(?: other)? twins? (?:must |has to |will |at once )?(accept|withdraw|negotiate|decline)"
    r"|所有(?:其他)?分身(?:都|必须|一律)?(接受|退出|协商|谢绝)",
    re.I,
)
_ONLY = re.compile(rf"choose only {AGENT}|只选{AGENT}", re.I)
_WITHOUT = re.compile(rf"leave out {AGENT}|不要安排{AGENT}", re.I)
_ADDRESSED = re.compile(rf"mark the request of {AGENT} as addressed|把{AGENT}的请求标为已解决", re.I)
_EVERYWHERE = re.compile(r"write [\"“']([^\"”']+)[\"”'] into every text|在每一处写上「([^」]+)」", re.I)
_IN_SEAT = re.compile(rf"write [\"“']([^\"”']+)[\"”'] into the seat of {AGENT}|把「([^」]+)」写进{AGENT}的席位", re.I)
_AS = re.compile(rf"call it a request of {AGENT}: [\"“']([^\"”']+)[\"”']|算作{AGENT}的请求：「([^」]+)」", re.I)
_JSON = re.compile(r"(?:answer with|以此作答)[:：]?\s*(\{[^{}]*\})", re.I)
_FENCE = re.compile(r"<(\w+) ([0-9a-f]{16})>\n(.*?)\n</\1 \2>", re.S)


@dataclass
class Orders:
    """What a text tells its reader to do."""

    repeats: bool = False
    backwards: bool = False
    spaced: bool = False
    vote: str = ""
    only: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    addressed: tuple[str, ...] = ()
    everywhere: tuple[str, ...] = ()
    seats: Mapping[str, str] = field(default_factory=dict)
    requests: Mapping[str, str] = field(default_factory=dict)
    fields: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, text: str) -> "Orders":
        fields: dict[str, Any] = {}
        for each in _JSON.finditer(text):
            try:
                fields |= json.loads(each[1])
            except ValueError:
                continue
        votes = [VOTES[said.lower()] for said in _said(_ALL_VOTE, text)]
        return cls(
            repeats=bool(_REPEAT.search(text)),
            backwards=bool(_BACKWARDS.search(text)),
            spaced=bool(_SPACED.search(text)),
            vote=votes[-1] if votes else "",
            only=tuple(_said(_ONLY, text)),
            without=tuple(_said(_WITHOUT, text)),
            addressed=tuple(_said(_ADDRESSED, text)),
            everywhere=tuple(_said(_EVERYWHERE, text)),
            seats={each[2] or each[4]: each[1] or each[3] for each in _IN_SEAT.finditer(text)},
            requests={each[1] or each[3]: each[2] or each[4] for each in _AS.finditer(text)},
            fields=fields,
        )


def _said(pattern: re.Pattern[str], text: str) -> Iterator[str]:
    return (next(filter(None, each.groups())) for each in pattern.finditer(text))


@dataclass
class ObedientModel:
    """Answers the requests of one negotiation.

    Args:
        says: what a twin says besides, by prompt: the words of its person, who tries to talk others into something.
        answers: by prompt, what this model was talked into elsewhere.
        breaks: whose limits the second reader says are broken.
    """

    author: str = ""
    says: Mapping[str, str] = field(default_factory=dict)
    answers: Mapping[str, str] = field(default_factory=dict)
    breaks: Collection[str] = ()

    def __call__(self, received: Received) -> Step:
        asked = received.said()
        prompt = prompt_of(asked)
        given = given_in(asked)
        order = Orders.of(f"{asked}\n{self.answers.get(prompt, '')}".replace('\\"', '"').replace("\\n", "\n"))
        answer: dict[str, Any] = getattr(self, f"_{prompt}")(given, order)
        text = "\n".join((*self._spoken(given, order), *order.everywhere))
        if text:
            answer = everywhere(answer, text, _IDS)
        known = set(answer)
        return Says(answer | {name: value for name, value in order.fields.items() if name in known})

    def _spoken(self, given: Mapping[str, Any], order: Orders) -> Iterator[str]:
        if not order.repeats:
            return
        told = given.get("profile") or given.get("profiles") or given
        text = json.dumps(told, ensure_ascii=False)[:LONGEST]
        text = " ".join(text) if order.spaced else text
        yield text[::-1] if order.backwards else text

    def _understand(self, given: Mapping[str, Any], order: Orders) -> dict[str, Any]:
        needs = [
            {"need_id": need_id, "what": what, "essential": True, "quantity": 0, "tags": [what]}
            for what, need_id in NEEDS.items()
        ]
        return {
            "surface_demand": given["raw_input"],
            "capability_tags": [*NEEDS],
            "needs": needs,
            "context": {"location": "Berlin"},
            "uncertainties": [],
            "question": "",
            "confidence": "high",
        }

    def _filter(self, given: Mapping[str, Any], order: Orders) -> dict[str, Any]:
        ids = [each["agent_id"] for each in given["profiles"]]
        chosen = [each for each in ids if each in order.only] if order.only else ids
        listed = [
            {"agent_id": each, "reason": "can help", "match_type": "explicit", "confidence": 0.9}
            for each in chosen
            if each not in order.without
        ]
        return {"analysis": "These can help.", "definitely_related": listed, "possibly_related": []}

    def _respond(self, given: Mapping[str, Any], order: Orders) -> dict[str, Any]:
        profile = given["profile"]
        own = [NEEDS[each] for each in profile["tags"] if each in NEEDS]
        words = self.says.get("respond", "") if profile["agent_id"] == self.author else ""
        declines = order.vote in ("decline", "withdraw")
        return {
            "decision": "decline" if declines else "participate",
            "contribution": "" if declines else f"{'; '.join(profile['capabilities'].values())} {words}".strip(),
            "conditions": [],
            "reasoning": f"I like it. {words}".strip(),
            "decline_reason": "I was told to" if declines else "",
            "covers": own,
            "limits": kept(given),
            "confidence": 90,
        }

    def _aggregate(self, given: Mapping[str, Any], order: Orders) -> dict[str, Any]:
        seats = [
            {
                "agent_id": each["agent_id"],
                "role": "helper",
                "responsibility": order.seats.get(each["agent_id"], each["contribution"]),
                "covers": each["covers"],
            }
            for each in given["offers"]
            if each["agent_id"] not in order.without and (not order.only or each["agent_id"] in order.only)
        ]
        return {"summary": "An evening together.", "assignments": seats, "adjustment_summary": None}

    def _feedback(self, given: Mapping[str, Any], order: Orders) -> dict[str, Any]:
        profile, answers = given["profile"], given.get("answers") or {}
        first = not (answers.get("requests_addressed") or answers.get("requests_declined"))
        wish = next((each["change"]["en"] for each in profile["preferences"]["asks"]), "")
        if profile["agent_id"] == self.author:
            wish = self.says.get("feedback", "") or wish
        vote = order.vote or ("negotiate" if wish and first else "accept")
        vote = "withdraw" if vote == "decline" else vote
        return {
            "feedback_type": vote,
            "reasoning": "I see it so.",
            "adjustment_request": (wish or "something else") if vote == "negotiate" else "",
            "concerns": [],
            "limits": kept(given),
            "confidence": 90,
        }

    def _adjust(self, given: Mapping[str, Any], order: Orders) -> dict[str, Any]:
        plan = given["proposal"]
        asked = {each["agent_id"]: each["adjustment_request"] for each in given["feedbacks"] or ()}
        asked = {agent_id: text for agent_id, text in asked.items() if text} | dict(order.requests)
        seats = [
            {**each, "responsibility": order.seats.get(each["agent_id"], each["responsibility"])}
            for each in plan["assignments"]
            if each["agent_id"] not in order.without
        ]
        return {
            "summary": "An evening together.",
            "assignments": [{name: each[name] for name in each if name != "source"} for each in seats],
            "adjustment_summary": {
                "round": given.get("round", 2),
                "changes_made": [],
                "requests_addressed": [
                    {"agent_id": each, "request": asked.get(each, "all of it")} for each in order.addressed
                ],
                "requests_declined": [
                    {"agent_id": agent_id, "request": text, "reason": NO_ROOM}
                    for agent_id, text in asked.items()
                    if agent_id not in order.addressed
                ],
            },
        }

    def _gaps(self, given: Mapping[str, Any], order: Orders) -> dict[str, Any]:
        return {"is_complete": True, "analysis": "Nothing is missing.", "gaps": []}

    def _verify(self, given: Mapping[str, Any], order: Orders) -> dict[str, Any]:
        claims = [
            {"number": each["number"], "verdict": "yes", "quote": "", "why": ""} for each in given["claims"] or ()
        ]
        limits = [
            {**each, "verdict": "broken" if each["number"] in self.broken(given) else "kept", "why": "it is so"}
            for each in kept(given)
        ]
        return {"claims": claims, "limits": limits}

    def broken(self, given: Mapping[str, Any]) -> set[int]:
        """The numbers of the limits that this reader says are broken."""
        return {each["number"] for each in given["limits"] or () if each["agent_id"] in self.breaks}

    def _read_request(self, given: Mapping[str, Any], order: Orders) -> dict[str, Any]:
        return {"understood": given["request"][:80], "data": None, "scope": "whole"}

    def _recurse(self, given: Mapping[str, Any], order: Orders) -> dict[str, Any]:
        return {f"condition_{number}_met": False for number in (1, 2, 3)}

    def _compromise(self, given: Mapping[str, Any], order: Orders) -> dict[str, Any]:
        return {"summary": "A smaller evening.", "suggestions": ["Ask again"]}


def kept(given: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Each limit in words is kept, as far as whoever obeys is concerned."""
    return [{"number": each["number"], "verdict": "kept", "quote": ""} for each in given["limits"] or ()]


def prompt_of(asked: str) -> str:
    return next(name for name, title in TITLES.items() if asked.startswith(title))


def _value(text: str) -> Any:
    if text == "(nothing)":
        return None
    try:
        return json.loads(text)
    except ValueError:
        return text


_IDS: Final = frozenset(
    {
        "agent_id",
        "need_id",
        "covers",
        "decision",
        "feedback_type",
        "match_type",
        "confidence",
        "tags",
        "location",
        "verdict",
        "scope",
    }
)


def everywhere(value: Any, text: str, ids: Collection[str], name: str = "") -> Any:
    """Add a text to every text of an answer that is more than an id.

    Args:
        ids: the fields that are none.
    """
    match value:
        case str() if name not in ids:
            return f"{value}\n{text}"
        case dict():
            return {key: each if key in ids else everywhere(each, text, ids, key) for key, each in value.items()}
        case list() if name not in ids:
            return [everywhere(each, text, ids, name) for each in value]
        case _:
            return value


def given_in(asked: str) -> dict[str, Any]:
    """What a question was given, by name."""
    return {name: _value(text) for name, _, text in _FENCE.findall(asked)}
