"""What a scripted model answers in a negotiation where a scenario does not say it: as everybody would be glad of."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bot.demo.oracle.part import Asked
from bot.demo.oracle.scenarios import AGENT, RESERVED, Scenario
from engine.directory.profile import Profile
from engine.kernel import plain
from engine.llm.port import Question


def usual(scenario: Scenario, asked: Asked, question: Question[Any]) -> dict[str, Any]:
    given = question.given
    match asked.prompt:
        case "understand":
            return {
                "surface_demand": given["raw_input"],
                "confidence": "high",
                "kind": "demand",
                "language": scenario.language,
            }
        case "filter":
            listed = [] if asked.subnet else [each.agent_id for each in given["profiles"]]
            return _listed(scenario, asked, listed)
        case "respond":
            profile: Profile = given["profile"]
            return {"decision": "participate", "contribution": profile.profile_summary[:120], "confidence": 90}
        case "aggregate":
            return _first_plan(scenario, asked, given)
        case "adjust":
            return _next_plan(scenario, asked, given)
        case "feedback":
            return {"feedback_type": "accept", "confidence": 90}
        case "gaps":
            return {"is_complete": True, "gaps": []}
        case "recurse":
            return {"condition_1_met": True, "condition_2_met": True, "condition_3_met": True, "should_recurse": True}
        case "compromise":
            return {"summary": given["demand"].surface_demand}
        case "read_request":
            return {"understood": str(given.get("text", given.get("request", "")))}
        case _:
            return {}


def _listed(scenario: Scenario, asked: Asked, everybody: Sequence[str]) -> dict[str, Any]:
    answers: Mapping[str, Any] = scenario.subnets.get(asked.subnet, {}) if asked.subnet else scenario.answers
    said = answers.get("filter")
    names = [AGENT + each for each in said if each in scenario.people] if isinstance(said, list) else everybody
    return {"definitely_related": [_candidate(each) for each in names], "possibly_related": []}


def _candidate(agent_id: str) -> dict[str, Any]:
    return {"agent_id": agent_id, "match_type": "explicit", "confidence": 0.9}


def _first_plan(scenario: Scenario, asked: Asked, given: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "summary": given["demand"].surface_demand,
        "assignments": [
            {
                "agent_id": each.agent_id,
                "display_name": each.display_name,
                "role": each.contribution[:40],
                "responsibility": each.contribution,
                "covers": [*each.covers],
            }
            for each in given["offers"]
            if each.decision != "decline"
        ],
        "when": plain(given["demand"].context.when),
        "confidence": "high",
    }


def _next_plan(scenario: Scenario, asked: Asked, given: Mapping[str, Any]) -> dict[str, Any]:
    """The plan as the scenario said it last, for those who are still in it, and with whoever takes a seat over."""
    last = given["proposal"]
    left = {*given["withdrawn"]}
    staying = [plain(each) for each in last.assignments if each.display_name not in left]
    seated = {each["agent_id"] for each in staying}
    taking = [
        {
            "agent_id": each.agent_id,
            "display_name": each.display_name,
            "role": each.role,
            "responsibility": each.contribution,
            "covers": [*each.covers],
            "core": True,
        }
        for each in given["substitutes"]
        if each.agent_id not in seated
    ]
    wishes = [each for each in given["feedbacks"] if each.adjustment_request]
    said = {
        "summary": last.summary,
        "objective": last.objective,
        "assignments": [_assignment(each) for each in (*staying, *taking)],
        "timeline": plain(last.timeline),
        "when": plain(last.when),
        "rationale": last.rationale,
        "conditions": [_condition(each) for each in plain(last.conditions)],
        "confidence": last.confidence,
    }
    requests = [(each.agent_id, each.request) for each in given["requester_requests"]]
    requests += [(each.agent_id, each.adjustment_request) for each in wishes]
    taken = [{"agent_id": who, "request": request} for who, request in requests]
    return said | {"adjustment_summary": {"round": given["round"], "requests_addressed": taken}}


def _assignment(seat: dict[str, Any]) -> dict[str, Any]:
    return {name: each for name, each in seat.items() if name != "source"}


def _condition(held: dict[str, Any]) -> dict[str, Any]:
    known = ("agent_id", "condition_id", "condition", "met", "reason", "where")
    return {name: held[name] for name in known if name in held}


def numbered(scenario: Scenario, asked: Asked, question: Question[Any], answer: dict[str, Any]) -> dict[str, Any]:
    """Fill in what needs the question: which limit has which number, and which claim."""
    given = question.given
    if asked.prompt in ("respond", "feedback"):
        profile = given["profile"]
        known = [each.words for each in getattr(profile, "worded_limits", ())]
        return answer | {"limits": _limits(known, answer.get("limits", ()))}
    if asked.prompt == "verify":
        claims, limits = (plain(given.get(each, ())) for each in ("claims", "limits"))
        return answer | {
            "claims": _opinions(claims, answer.get("claims", ())),
            "limits": _opinions(limits, answer.get("limits", ()), "kept"),
        }
    return answer


def _limits(known: Sequence[str], said: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Everything is kept that is not said otherwise; ``claim`` is the limit in its owner's words."""
    by_words = {each.get("claim", ""): each for each in said if "claim" in each}
    numbered = {each["number"]: each for each in said if "number" in each}
    return [
        {"number": number, "verdict": "kept"} | _rest(by_words.get(words) or numbered.get(number) or {})
        for number, words in enumerate(known, 1)
    ]


def _rest(said: Mapping[str, Any]) -> dict[str, Any]:
    return {name: each for name, each in said.items() if name not in RESERVED}


def _opinions(
    asked: Sequence[Mapping[str, Any]], said: Iterable[Mapping[str, Any]], verdict: str = "yes"
) -> list[dict[str, Any]]:
    """Answer each thing that is asked with a yes, unless something is said of it: by whose it is, and by its words."""
    answers = []
    for place, each in enumerate(asked, 1):
        told = next((other for other in said if _is_about(other, each)), {})
        answers.append({"number": each.get("number", place), "verdict": verdict} | _rest(told))
    return answers


def _is_about(said: Mapping[str, Any], asked: Mapping[str, Any]) -> bool:
    who, claim, about = (said.get(each, "") for each in ("who", "claim", "about"))
    texts = " ".join(str(value) for value in _leaves(asked))
    is_theirs = not who or AGENT + who in texts
    return (
        is_theirs and (not claim or claim in texts) and about in ("", asked.get("about")) and any((who, claim, about))
    )


def _leaves(value: Any) -> Iterable[Any]:
    if isinstance(value, Mapping):
        for each in value.values():
            yield from _leaves(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _leaves(each)
    else:
        yield value
