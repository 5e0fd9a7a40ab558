"""Every prompt is given only what its reader may tell: a person's own twin gets their profile, and nobody else does."""

from collections.abc import Iterator
from typing import Any, Final, get_args, get_type_hints

import msgspec
import pytest
from pydantic import BaseModel

from engine.directory.profile import (
    Condition,
    Leave,
    Limits,
    Profile,
    Profiles,
    PublicProfile,
    Request,
    TwinTerms,
    Words,
)
from engine.kernel import Ask
from engine.negotiation import given
from engine.negotiation.asks import NegotiationAsks
from engine.negotiation.given import EligibleProfile, Given, TwinsQuestion
from engine.negotiation.voting import opinion_asks, wish_asks
from tests.llm.prompt_cases import CHEN, EACH, PROFILES, case_for
from tests.negotiation.prompts import PROMPTS

NONCE: Final = "0123456789abcdef"
PRIVATE: Final = ("busy", "never", "locations", "condition", "change", "because", "plan_says", "leaving")
"""Each text of a profile that is not public."""


def canary(agent_id: str, where: str) -> str:
    return f"canary {where} of {agent_id} zq"


def private(profile: Profile, *, busy: bool) -> Profile:
    """The same person, with a word that stands nowhere else in every private field."""

    def said(where: str) -> Words:
        return Words(en=canary(profile.agent_id, where))

    limits = Limits(
        busy=said("busy") if busy else None,
        never=(canary(profile.agent_id, "never"),),
        locations=("Beijing", canary(profile.agent_id, "locations")),
    )
    preferences = TwinTerms(
        conditions=(Condition(text=said("condition")),),
        asks=(Request(change=said("change"), because=said("because")),),
        leaves_if=(Leave(plan_says=(canary(profile.agent_id, "plan_says"),), because=said("leaving")),),
    )
    return profile.model_copy(update={"limits": limits, "preferences": preferences, "slack_user": profile.slack_user})


def whose(text: str, profiles: Profiles) -> set[tuple[str, str]]:
    return {(each, where) for each in profiles for where in PRIVATE if canary(each, where) in text}


@pytest.mark.parametrize("busy", [False, True], ids=["free", "busy"])
@pytest.mark.parametrize("prompt", EACH)
def test_a_prompt_holds_what_is_private_of_nobody_but_the_person_whose_twin_it_asks(prompt: str, busy: bool) -> None:
    profiles = Profiles({each.agent_id: private(each, busy=busy) for each in PROFILES.values()})
    case = case_for(prompt)
    question = NegotiationAsks(PROMPTS, profiles).compose(case.state, case.ask)

    found = whose(question.prompt.render(question.given, NONCE), profiles)

    own = {(CHEN, where) for where in PRIVATE if busy or where != "busy"}
    assert found == (own if prompt in ("respond", "feedback") else set())


@pytest.mark.parametrize(
    ("prompt", "looked_up"), [("understand", "people"), ("filter", "left_out"), ("aggregate", "people")]
)
def test_what_rules_may_look_up_beside_a_prompt_is_public(prompt: str, looked_up: str) -> None:
    case = case_for(prompt)
    busy = Profiles({each.agent_id: private(each, busy=each.agent_id == CHEN) for each in PROFILES.values()})
    question = NegotiationAsks(PROMPTS, busy).compose(case.state, case.ask)
    found = question.beside[looked_up]()

    assert whose(str(found), busy) == set()
    assert (CHEN in {each.agent_id for each in found}) is (prompt != "understand" or case.state.understanding is None)
    assert looked_up not in question.given


def test_of_limits_the_second_reader_is_given_the_words_and_the_plan_and_nobodys_free_text() -> None:
    profiles = Profiles({each.agent_id: private(each, busy=False) for each in PROFILES.values()})
    case = case_for("verify")
    question = NegotiationAsks(PROMPTS, profiles).compose(
        case.state, Ask(name="verify/1/limits", scope="any", prompt="verify", about="limits")
    )

    found = whose(question.prompt.render(question.given, NONCE), profiles)

    seated = case.state.rounds[-1].seats
    assert found == {(each, where) for each in seated for where in ("never", "plan_says")}
    assert question.given["demand"] is None
    assert question.given["claims"] == ()


def test_only_a_question_to_a_twin_has_room_for_a_profile() -> None:
    known = [each for module in (given, opinion_asks, wish_asks) for each in vars(module).values()]
    questions = {each for each in known if isinstance(each, type) and issubclass(each, Given)}
    with_room = {each.__name__ for each in questions if Profile in types_in(each)}

    assert len(questions) == len(EACH) + 2
    assert with_room == {"TwinsQuestion", "RespondGiven", "FeedbackGiven"}
    assert all(issubclass(each, TwinsQuestion) for each in questions if each.__name__ in with_room)


def test_a_new_field_of_a_profile_is_private_until_somebody_says_otherwise() -> None:
    assert set(PublicProfile.__struct_fields__) == {
        "agent_id", "user_name", "profile_summary", "location", "tags", "capabilities", "interests", "availability",
        "languages",
    }  # fmt: skip
    assert set(EligibleProfile.__struct_fields__) - set(PublicProfile.__struct_fields__) == {"on_site"}
    assert set(Profile.model_fields) - set(PublicProfile.__struct_fields__) == {
        "slack_user", "limits", "limit_data", "preferences", "from_now_on", "twin",
    }  # fmt: skip


def types_in(kind: Any, seen: set[Any] | None = None) -> set[Any]:
    """Every class that a value of this one may hold."""
    seen = set() if seen is None else seen
    for each in _within(kind):
        if each not in seen:
            seen.add(each)
            types_in(each, seen)
    return seen


def _within(kind: Any) -> Iterator[Any]:
    if args := get_args(kind):
        yield from args
        return
    is_ours = isinstance(kind, type) and issubclass(kind, Given | msgspec.Struct | BaseModel)
    if is_ours:
        yield from get_type_hints(kind).values()
