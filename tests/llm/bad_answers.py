"""Bad answers that a model may give, each made from a good answer to any of the prompts."""

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

from .prompt_cases import CHEN, EMMA, LIN, REQUESTERS_OWN, STRANGER, ZHOU, PromptCase, candidate, plan

BadAnswer = Callable[[PromptCase], str | Mapping[str, Any]]


def prose(_: PromptCase) -> str:
    return "I have thought about it, and I believe they should simply meet and see."


def half_a_json(at: PromptCase) -> str:
    whole = json.dumps(at.good)
    return whole[: len(whole) // 2]


def fenced_after_braces(at: PromptCase) -> str:
    return f"Weighing {{venue, speakers}} and {{}} first.\n```json\n{json.dumps(at.good)}\n```\nI hope {{that}} helps."


def null_fields(at: PromptCase) -> Mapping[str, Any]:
    """Null in every field that may be left out."""
    required = at.question.returns.json_schema().get("required", ())
    return {name: value if name in required else None for name, value in at.good.items()}


def nothing_but_null(at: PromptCase) -> Mapping[str, Any]:
    return dict.fromkeys(at.good)


def _names(at: PromptCase, *agents: str) -> Mapping[str, Any]:
    """A good answer that names the agent; an answer that names nobody claims to be theirs."""
    match at.prompt:
        case "filter":
            return {**at.good, "definitely_related": [candidate(each) for each in agents], "possibly_related": []}
        case "aggregate" | "adjust":
            return {**at.good, **plan(*agents)}
        case "compromise":
            return {**at.good, "assignments": plan(*agents)["assignments"]}
        case _:
            return {**at.good, "agent_id": agents[-1], "display_name": "Somebody else"}


def an_unknown_agent(at: PromptCase) -> Mapping[str, Any]:
    return _names(at, CHEN, STRANGER)


def nobody_but_an_unknown_agent(at: PromptCase) -> Mapping[str, Any]:
    return _names(at, STRANGER)


def someone_who_declined(at: PromptCase) -> Mapping[str, Any]:
    """Names the one who declined; before anybody could, the requester's own twin, who is never asked."""
    return _names(at, LIN, REQUESTERS_OWN if at.prompt == "filter" else EMMA)


def an_empty_list(at: PromptCase) -> Mapping[str, Any]:
    match at.prompt:
        case "understand":
            return {**at.good, "capability_tags": []}
        case "filter":
            return {**at.good, "definitely_related": [], "possibly_related": []}
        case "respond":
            return {**at.good, "decision": "conditional", "conditions": []}
        case "feedback":
            return {**at.good, "concerns": []}
        case "verify":
            return {**at.good, "claims": []}
        case "read_request":
            return {**at.good, "data": []}
        case "gaps":
            return {**at.good, "gaps": []}
        case "recurse":
            return {**at.good, "sub_demands": []}
        case _:
            return {**at.good, "assignments": []}


def two_hundred(at: PromptCase) -> Mapping[str, Any]:
    """Two hundred entries in each list: strangers, and everybody twice."""
    match at.prompt:
        case "understand":
            return {**at.good, "capability_tags": [f"tag {number}" for number in range(200)]}
        case "respond":
            return {**at.good, "decision": "conditional", "conditions": [f"term {number}" for number in range(200)]}
        case "feedback":
            return {**at.good, "concerns": [f"worry {number}" for number in range(200)]}
        case "verify":
            return {**at.good, "claims": [{**at.good["claims"][0], "number": number} for number in range(200)]}
        case "read_request":
            return {**at.good, "data": [{"kind": "days", "first": "2027-03-20"}] * 200}
        case "gaps":
            named = [{**at.good["gaps"][0], "gap_type": f"gap {number}"} for number in range(200)]
            return {**at.good, "gaps": named}
        case "recurse":
            return {**at.good, "sub_demands": [*at.good["sub_demands"] * 200]}
        case _:
            strangers = [f"{STRANGER}_{number}" for number in range(194)]
            return _names(at, CHEN, LIN, ZHOU, *strangers, CHEN, LIN, ZHOU)


BAD: Final[Mapping[str, BadAnswer]] = {
    each.__name__.replace("_", " "): each
    for each in (
        prose, half_a_json, fenced_after_braces, null_fields, nothing_but_null, an_unknown_agent,
        nobody_but_an_unknown_agent, someone_who_declined, an_empty_list, two_hundred,
    )
}  # fmt: skip
