"""For each prompt: a negotiation at the moment of the question, the question, and a good answer."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from engine.kernel import Ask, StreamKey, Tenant
from engine.llm.port import Question
from engine.negotiation.answers import GapAnalysis, Need
from engine.negotiation.asks import NegotiationAsks
from engine.negotiation.commands import RecordGaps
from engine.negotiation.state import Negotiation
from engine.runtime.ports import EffectRun
from tests.negotiation.prompts import PROMPTS
from tests.negotiation.scenario import REQUESTER, Scenario
from tests.profiles.people import shipped

CHEN, LIN, ZHOU, EMMA = (f"user_agent_{name}" for name in ("chen_mo", "lin_xiao", "zhou_yu", "emma_clarke"))
REQUESTERS_OWN: Final = "user_agent_wang_siyuan"
STRANGER: Final = "user_agent_nobody_knows"
PROFILES: Final = shipped().with_links({REQUESTERS_OWN: REQUESTER})
ASKS: Final = NegotiationAsks(PROMPTS, PROFILES)
KEY: Final = StreamKey(Tenant("T_ONE"), "collab-00000001")
CONDITION: Final = "Three days' notice"
WISH: Final = "Half an hour later, please"


@dataclass(frozen=True)
class PromptCase:
    """One prompt, asked in a negotiation."""

    prompt: str
    scenario: Scenario
    ask: Ask
    good: Mapping[str, Any]
    """An answer nobody could object to."""

    @property
    def state(self) -> Negotiation:
        return self.scenario.state

    @property
    def question(self) -> Question[Any]:
        return ASKS.compose(self.state, self.ask)

    @property
    def effect_run(self) -> EffectRun:
        return EffectRun(KEY, "negotiation", self.ask, f"effect:{self.ask.name}", self.state)


def case_for(prompt: str) -> PromptCase:
    about = CHEN if prompt in ("respond", "feedback") else "claims" if prompt == "verify" else ""
    name = {
        "respond": f"offer/{about}",
        "feedback": f"feedback/1/{about}",
        "adjust": "adjust/2",
        "verify": "verify/1",
    }.get(prompt, prompt)
    return PromptCase(prompt, _scenario(prompt), Ask(name=name, scope="any", prompt=prompt, about=about), GOOD[prompt])


def _scenario(prompt: str) -> Scenario:
    if prompt == "verify":
        return _with_a_claim()
    scenario = Scenario().demand("An AI meetup for 50 people in Beijing")
    if prompt == "understand":
        return scenario
    scenario.understood()
    if prompt == "filter":
        return scenario
    scenario.shortlisted(CHEN, LIN, ZHOU, EMMA)
    if prompt == "respond":
        return scenario
    scenario.offers(CHEN).offers(LIN, "conditional", conditions=(CONDITION,)).offers(ZHOU).offers(EMMA, "decline")
    if prompt == "aggregate":
        return scenario
    scenario.drafted(CHEN, LIN, ZHOU)
    if prompt == "feedback":
        return scenario
    if prompt == "read_request":
        return scenario.requests_change(WISH)
    if prompt == "compromise":
        return scenario.twin(CHEN, "accept").twin(LIN, "withdraw").twin(ZHOU, "negotiate", WISH)
    if prompt == "adjust":
        return scenario.twin(CHEN, "accept").twin(LIN, "accept").twin(ZHOU, "negotiate", WISH)
    scenario.twins(dict.fromkeys((CHEN, LIN, ZHOU), "accept"))
    if prompt == "gaps":
        return scenario
    return scenario.does(RecordGaps, analysis=GapAnalysis.checked(GOOD["gaps"]))


def _with_a_claim() -> Scenario:
    """A version of which somebody says that it covers a need."""
    venue = Need(need_id="need_1", what="a venue")
    scenario = Scenario(verifies=True).demand("An AI meetup for 50 people in Beijing").understood(needs=(venue,))
    scenario.shortlisted(CHEN, LIN, ZHOU, EMMA).offers(CHEN, covers=("need_1",))
    scenario.offers(LIN, "conditional", conditions=(CONDITION,)).offers(ZHOU).offers(EMMA, "decline")
    return scenario.drafted(CHEN, LIN, ZHOU)


def candidate(agent_id: str) -> dict[str, Any]:
    return {
        "agent_id": agent_id,
        "display_name": "as written",
        "reason": "can do it",
        "match_type": "explicit",
        "confidence": 0.9,
    }


NO_TIME: Final = {
    "said": "",
    "first": "",
    "last": "",
    "start": "",
    "end": "",
    "time_zone": "",
    "exact": "unknown",
}


def seat(agent_id: str) -> dict[str, Any]:
    return {
        "agent_id": agent_id,
        "display_name": "as written",
        "role": "speaker",
        "responsibility": "A talk of 30 minutes",
        "dependencies": [],
        "notes": "",
        "covers": ["need_1"],
        "when": NO_TIME,
        "core": False,
    }


def plan(*agents: str, **fields: Any) -> dict[str, Any]:
    return {
        "summary": "An evening together",
        "objective": "Fifty people learn something",
        "assignments": [seat(each) for each in agents],
        "timeline": {"start_date": "[TBD]", "milestones": []},
        "when": NO_TIME,
        "rationale": "They offered it",
        "not_chosen": [],
        "gaps": [],
        "success_criteria": ["Fifty come"],
        "risks": [],
        "conditions": [],
        "confidence": "high",
        "adjustment_summary": None,
        **fields,
    }


KEPT: Final = [{"number": number, "verdict": "kept", "quote": ""} for number in range(1, 21)]
"""What a twin says of any limits in words."""

GOOD: Final[Mapping[str, Mapping[str, Any]]] = {
    "understand": {
        "surface_demand": "A meetup about AI",
        "deep_understanding": {"motivation": "", "likely_preferences": [], "emotional_context": ""},
        "capability_tags": ["venue", "speaker"],
        "needs": [{"need_id": "need_1", "what": "a venue", "essential": True, "quantity": 0, "tags": ["venue"]}],
        "context": {
            "location": "Beijing",
            "expected_attendees": 50,
            "date": None,
            "budget": None,
            "when": NO_TIME,
            "people": {"at_least": 0, "at_most": 50},
            "money": {"amount": 0, "currency": "", "none": False, "per_head": 0},
        },
        "uncertainties": ["[TBD] When?"],
        "question": "",
        "confidence": "high",
    },
    "filter": {
        "analysis": "These two",
        "definitely_related": [candidate(CHEN), candidate(LIN)],
        "possibly_related": [candidate(ZHOU)],
    },
    "respond": {
        "decision": "participate",
        "contribution": "A talk",
        "conditions": [],
        "reasoning": "I like it",
        "decline_reason": "",
        "covers": ["need_1"],
        "brings": 1,
        "limits": KEPT,
        "confidence": 90,
    },
    "aggregate": plan(CHEN, LIN),
    "feedback": {
        "feedback_type": "accept",
        "reasoning": "Fine with me",
        "adjustment_request": "",
        "concerns": [],
        "change": None,
        "limits": KEPT,
        "confidence": 90,
    },
    "adjust": plan(
        CHEN,
        LIN,
        ZHOU,
        summary="A later evening",
        adjustment_summary={
            "round": 2,
            "changes_made": [],
            "requests_addressed": [{"agent_id": ZHOU, "request": WISH}],
            "requests_declined": [],
        },
    ),
    "verify": {
        "claims": [{"number": 1, "verdict": "yes", "quote": "", "why": ""}],
        "limits": [],
    },
    "read_request": {"understood": "Begin half an hour later", "data": None, "scope": "whole"},
    "gaps": {
        "is_complete": False,
        "analysis": "Nobody takes photos",
        "gaps": [
            {
                "gap_type": "photographer",
                "importance": 70,
                "reason": "It should be remembered",
                "suggested_capability_tags": ["photography"],
            }
        ],
    },
    "recurse": {
        "should_recurse": True,
        "condition_1_met": True,
        "condition_1_analysis": "It is missed",
        "condition_2_met": True,
        "condition_2_analysis": "Nobody there can",
        "condition_3_met": True,
        "condition_3_analysis": "It costs little",
        "sub_demands": [
            {
                "gap_type": "photographer",
                "description": "A photographer for an AI meetup for 50 people in Beijing",
                "capability_tags": ["photography"],
                "priority": "high",
            }
        ],
    },
    "compromise": {
        "summary": "A smaller evening is still possible",
        "facts": ["Chen still gives a talk"],
        "assignments": [seat(CHEN)],
        "compromises": [{"issue": WISH, "resolution": "Begin half an hour later", "rationale": "Zhou is in then"}],
        "unresolved": ["A venue"],
        "suggestions": ["Ask again with a later beginning"],
        "confidence": "medium",
    },
}
EACH: Final = tuple(GOOD)
