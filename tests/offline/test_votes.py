"""Prompt 5, offline: twins vote as their profiles say."""

from typing import Any

import pytest

from engine.negotiation.answers import (
    AdjustmentSummary,
    Assignment,
    ConditionAnswer,
    FeedbackAnswer,
    FeedbackType,
    ProposalDraft,
    RequestAddressed,
    RequestDeclined,
)
from tests.offline.demands import MEETUP
from tests.offline.mini_negotiation import understood, voted
from tests.profiles.people import person

ACCEPT, NEGOTIATE, WITHDRAW = FeedbackType.ACCEPT, FeedbackType.NEGOTIATE, FeedbackType.WITHDRAW
BO = "user_agent_bo"
WISH = {"change": "晚上九点半结束", "because": "邻居要睡觉"}


def seat(name: str = "bo", **fields: Any) -> Assignment:
    plain = {"display_name": name.title(), "role": "场地提供者", "responsibility": "提供可坐60人的场地"}
    return Assignment(agent_id=f"user_agent_{name}", **{**plain, **fields})


def plan(own: Assignment, **fields: Any) -> ProposalDraft:
    others = tuple(seat(name) for name in ("ada", "cy", "di", "eve"))
    return ProposalDraft(summary="一场聚会", assignments=(own, *others), **fields)


def vote(
    preferences: dict[str, Any] | None = None,
    own: Assignment | None = None,
    conditions: list[str] | None = None,
    number: int = 1,
    limits: dict[str, Any] | None = None,
    **fields: Any,
) -> FeedbackAnswer:
    bo = person(preferences=preferences or {}, limits=limits or {})
    own = own or seat()
    return voted(understood(MEETUP), bo, plan(own, **fields), own, conditions, number)


def asks(if_declined: str, **more: Any) -> dict[str, Any]:
    return {"asks": [{**WISH, "if_declined": if_declined, **more}]}


def test_a_seat_that_suits_is_accepted() -> None:
    assert vote().feedback_type is ACCEPT


def test_a_wish_is_brought_up_as_it_can_be_written_into_the_plan() -> None:
    answer = vote(asks("accept"))
    assert answer.feedback_type is NEGOTIATE
    assert answer.adjustment_request == "晚上九点半结束"
    assert "邻居要睡觉" in answer.reasoning


@pytest.mark.parametrize(
    "granted",
    [
        pytest.param({"own": seat(responsibility="提供可坐60人的场地，晚上九点半结束")}, id="in the task"),
        pytest.param({"own": seat(notes="约定：晚上九点半结束")}, id="in the notes"),
        pytest.param(
            {
                "adjustment_summary": AdjustmentSummary(
                    requests_addressed=(RequestAddressed(agent_id=BO, request="晚上九点半结束"),)
                )
            },
            id="in the summary",
        ),
    ],
)
def test_a_wish_that_was_granted_is_not_brought_up_again(granted: dict[str, Any]) -> None:
    assert vote(asks("withdraw"), **granted).feedback_type is ACCEPT


DECLINED = [
    pytest.param({"own": seat(notes="未采纳：晚上九点半结束（太早）")}, id="in the notes"),
    pytest.param(
        {
            "adjustment_summary": AdjustmentSummary(
                requests_declined=(RequestDeclined(agent_id=BO, request="晚上九点半结束", reason="太早"),)
            )
        },
        id="in the summary",
    ),
]


@pytest.mark.parametrize("declined", DECLINED)
@pytest.mark.parametrize(
    ("if_declined", "then"), [("accept", ACCEPT), ("negotiate", NEGOTIATE), ("withdraw", WITHDRAW)]
)
def test_a_declined_wish_is_taken_as_the_profile_says(
    if_declined: str, then: FeedbackType, declined: dict[str, Any]
) -> None:
    assert vote(asks(if_declined), **declined).feedback_type is then


def test_what_was_declined_to_somebody_else_is_not_taken_personally() -> None:
    summary = AdjustmentSummary(
        requests_declined=(RequestDeclined(agent_id="user_agent_ada", request="晚上九点半结束"),)
    )
    assert vote(asks("withdraw"), adjustment_summary=summary).feedback_type is NEGOTIATE


def test_a_wish_about_another_ability_is_not_brought_up() -> None:
    bo = person(tags=["venue", "catering"], preferences=asks("accept", about="catering"))
    assert voted(understood(MEETUP), bo, plan(seat()), seat()).feedback_type is ACCEPT


def test_a_small_wish_gives_way_in_the_last_round_and_a_large_one_does_not() -> None:
    assert vote(asks("accept"), number=5).feedback_type is ACCEPT
    assert vote(asks("withdraw"), number=5).feedback_type is NEGOTIATE


def test_among_few_people_a_small_wish_is_mentioned_and_holds_nothing_up() -> None:
    alone = ProposalDraft(summary="一场聚会", assignments=(seat(),))
    answer = voted(understood(MEETUP), person(preferences=asks("accept")), alone, seat())
    assert answer.feedback_type is ACCEPT
    assert "晚上九点半结束" in answer.concerns


@pytest.mark.parametrize(
    ("if_declined", "then"), [("accept", ACCEPT), ("negotiate", NEGOTIATE), ("withdraw", WITHDRAW)]
)
def test_a_condition_that_was_declined_is_taken_as_the_profile_says(if_declined: str, then: FeedbackType) -> None:
    answers = (ConditionAnswer(agent_id=BO, condition="提前三天定人数", met=False, reason="做不到"),)
    preferences = {"conditions": [{"text": "提前三天定人数", "if_declined": if_declined}]}
    own = seat()
    bo = person(preferences=preferences)
    answer = voted(understood(MEETUP), bo, plan(own, conditions=answers), own, ["提前三天定人数"])
    assert answer.feedback_type is then


def test_a_condition_the_plan_does_not_speak_of_is_brought_up() -> None:
    answer = vote({"conditions": [{"text": "提前三天定人数"}]}, conditions=["提前三天定人数"])
    assert (answer.feedback_type, answer.adjustment_request) == (NEGOTIATE, "提前三天定人数")


def test_a_plan_with_a_word_they_refuse_is_left() -> None:
    answer = vote(limits={"never": ["通宵"]}, success_criteria=("通宵狂欢",))
    assert answer.feedback_type is WITHDRAW
    assert "通宵" in answer.reasoning


def test_a_plan_that_says_what_they_leave_for_is_left() -> None:
    leaves = {"leaves_if": [{"plan_says": ["直播"], "because": "邻居不想入镜"}]}
    answer = vote(leaves, own=seat(responsibility="场地和直播"))
    assert answer.feedback_type is WITHDRAW
    assert "邻居不想入镜" in answer.reasoning


def test_a_word_in_a_refused_request_is_no_reason_to_leave() -> None:
    leaves = {"leaves_if": [{"plan_says": ["直播"], "because": "邻居不想入镜"}]}
    assert vote(leaves, own=seat(notes="未采纳：全程直播（有人不同意）")).feedback_type is ACCEPT


def test_without_a_seat_a_twin_steps_aside() -> None:
    assert voted(understood(MEETUP), person(), plan(seat("fay")), None).feedback_type is WITHDRAW


def test_the_reasoning_is_short() -> None:
    assert len(vote(asks("accept")).reasoning) <= 50
