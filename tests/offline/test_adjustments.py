"""Prompt 6, offline: revise the proposal by the feedback."""

import asyncio
from typing import Any

import pytest

from engine.errors import InvalidAnswer
from engine.kernel import encode
from engine.llm.port import Question
from engine.negotiation.answers import (
    AdjustmentSummary,
    Assignment,
    ConditionAnswer,
    FeedbackType,
    ProposalDraft,
    RequestAddressed,
    VoteMade,
)
from tests.negotiation.prompts import PROMPTS
from tests.offline.demands import MEETUP
from tests.offline.mini_negotiation import adjusted, understood
from tests.offline.model import OFFLINE

ROOM = Assignment(agent_id="a", display_name="Ada", role="场地提供者", responsibility="可坐60人的场地", core=True)
TALK = Assignment(
    agent_id="b",
    display_name="Bo",
    role="分享嘉宾",
    responsibility="讲大模型；分享时间30分钟",
    dependencies=("场地提供者（Ada）",),
)
HOST = Assignment(agent_id="c", display_name="Cy", role="主持人", responsibility="主持全场")
PLAN = ProposalDraft(
    summary="三个人办聚会",
    assignments=(ROOM, TALK, HOST),
    conditions=(ConditionAnswer(agent_id="a", condition="提前三天定人数", met=True, reason="可以"),),
)


def vote(seat: Assignment, kind: FeedbackType, request: str = "") -> VoteMade:
    return VoteMade(
        agent_id=seat.agent_id,
        display_name=seat.display_name,
        feedback_type=kind,
        reasoning="这是我的私事",
        adjustment_request=request,
    )


def after(*votes: VoteMade, demand: str = MEETUP, **more: Any) -> tuple[ProposalDraft, AdjustmentSummary]:
    plan = adjusted(understood(demand), PLAN, list(votes), **more)
    assert plan.adjustment_summary is not None
    return plan, plan.adjustment_summary


def asks(seat: Assignment, request: str) -> VoteMade:
    return vote(seat, FeedbackType.NEGOTIATE, request)


def seat_of(plan: ProposalDraft, agent_id: str) -> Assignment:
    return next(each for each in plan.assignments if each.agent_id == agent_id)


def test_45_minutes_instead_of_30_stand_in_the_speakers_task() -> None:
    plan, summary = after(asks(TALK, "希望分享时间从30分钟改为45分钟"))
    assert seat_of(plan, "b").responsibility == "讲大模型；分享时间45分钟"
    assert [each.agent_id for each in summary.requests_addressed] == ["b"]
    change = summary.changes_made[0]
    assert (change.before, change.after) == ("分享时间30分钟", "分享时间45分钟")


def test_another_reasonable_request_stands_in_the_task_of_who_asked_and_nowhere_else() -> None:
    plan, _ = after(asks(ROOM, "晚上九点半之后不开音响"))
    assert seat_of(plan, "a").responsibility == "可坐60人的场地；约定：晚上九点半之后不开音响"
    assert [seat_of(plan, each.agent_id) == each for each in (TALK, HOST)] == [True, True]


@pytest.mark.parametrize(
    ("request_", "why"),
    [
        ("给我500元报酬", "预算"),
        ("人数控制在20人以内", "50人"),
        ("把活动改期到下个月", "时间"),
        ("换个城市，去上海办", "北京"),
        ("换掉Ada的分工", "别人"),
        ("", "没有说明"),
    ],
    ids=["money nobody has", "fewer people", "another date", "another place", "somebody else's seat", "nothing"],
)
def test_what_harms_the_demand_or_others_is_declined_with_a_reason(request_: str, why: str) -> None:
    plan, summary = after(asks(HOST, request_))
    assert summary.requests_addressed == ()
    assert why in summary.requests_declined[0].reason
    assert seat_of(plan, "c").responsibility == HOST.responsibility
    assert seat_of(plan, "c").notes.startswith("未采纳：")


def test_money_can_be_granted_where_there_is_a_budget() -> None:
    _, summary = after(asks(HOST, "给我500元报酬"), demand=MEETUP + "，预算1万元")
    assert len(summary.requests_addressed) == 1


def test_every_request_is_answered_and_none_twice() -> None:
    _, summary = after(asks(ROOM, "九点半结束"), asks(TALK, "给我报酬"), vote(HOST, FeedbackType.ACCEPT))
    assert {each.agent_id for each in summary.requests_addressed} == {"a"}
    assert {each.agent_id for each in summary.requests_declined} == {"b"}


def test_a_reject_with_a_request_is_answered_too() -> None:
    _, summary = after(vote(HOST, FeedbackType.REJECT, "提前三天给我流程"))
    assert [each.agent_id for each in summary.requests_addressed] == ["c"]


def test_who_withdrew_is_gone_and_their_task_is_open() -> None:
    plan, summary = after(vote(HOST, FeedbackType.WITHDRAW), withdrawn=("Cy",))
    assert [each.agent_id for each in plan.assignments] == ["a", "b"]
    assert "主持人" in plan.gaps
    assert "Cy" not in plan.summary
    assert "Cy" in summary.changes_made[0].aspect


def test_nobody_waits_for_somebody_who_left_and_their_conditions_go_with_them() -> None:
    plan, _ = after(vote(ROOM, FeedbackType.WITHDRAW), withdrawn=("Ada",))
    assert seat_of(plan, "b").dependencies == ()
    assert plan.conditions == ()


def test_who_left_in_an_earlier_round_does_not_come_back() -> None:
    plan, _ = after(vote(TALK, FeedbackType.ACCEPT), withdrawn=("Cy",))
    assert [each.agent_id for each in plan.assignments] == ["a", "b"]


def test_a_reason_given_in_private_does_not_get_into_the_plan() -> None:
    plan, _ = after(asks(ROOM, "九点半结束"), vote(HOST, FeedbackType.WITHDRAW))
    assert "私事" not in encode(plan)


def test_what_was_agreed_before_stays() -> None:
    first, _ = after(asks(ROOM, "九点半结束"))
    second = adjusted(understood(MEETUP), first, [asks(ROOM, "留一个车位")], 3)
    assert seat_of(second, "a").responsibility == "可坐60人的场地；约定：九点半结束；约定：留一个车位"
    assert second.adjustment_summary is not None
    assert second.adjustment_summary.round == 3


def test_a_plan_that_everybody_left_is_no_answer() -> None:
    given = {
        "demand": understood(MEETUP),
        "proposal": PLAN,
        "feedbacks": [vote(each, FeedbackType.WITHDRAW) for each in PLAN.assignments],
        "withdrawn": [],
        "round": 2,
    }
    with pytest.raises(InvalidAnswer):
        asyncio.run(OFFLINE.answer(Question(PROMPTS["negotiation/adjust"], given, ProposalDraft)))


def test_what_the_requester_asks_for_is_in_the_plan_or_declined_with_a_reason() -> None:
    asked = tuple(RequestAddressed(agent_id="U_ASKS", request=each) for each in ("留一个小时自由交流", "报销往返车票"))
    plan = adjusted(understood(MEETUP), PLAN, [], requests=asked)

    summary = plan.adjustment_summary
    assert summary is not None
    assert [each.request for each in summary.requests_addressed] == ["留一个小时自由交流"]
    assert any("留一个小时自由交流" in each for each in plan.success_criteria)
    assert [(each.agent_id, each.request, bool(each.reason)) for each in summary.requests_declined] == [
        ("U_ASKS", "报销往返车票", True)
    ]
