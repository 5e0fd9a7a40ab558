"""Records a history of each outcome once: ``python -m tests.negotiation.record_histories``.

What is recorded is never written again: a history must stay readable, whatever the code becomes.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from engine.kernel import Recover, StreamKey, Tenant, iso, payload
from engine.negotiation.answers import Assignment, Milestone, Need, Shortlist, Timeline
from engine.negotiation.commands import AnswerCheckIn, Cancel, GiveUpSeat, RecordDelivery, RecordShortlist, TakeBack
from engine.negotiation.policy import PRESETS, Policy, Share
from engine.runtime.streams import Envelope, event_id
from tests.negotiation.plan.test_core_seats import venue_leaves, with_reserve
from tests.negotiation.scenario import ALONE, REQUESTER, Scenario, voting
from tests.negotiation.searches import HANDS, PHOTOS, fails, fills, searching

FOLDER = Path(__file__).parent.parent / "histories"


def _quick(name: str) -> Policy:
    return PRESETS[name].model_copy(update={"human_window": 0, "override_window": 0})


def _rounds(policy: str, votes: dict[str, str], number: int) -> Scenario:
    scenario = voting(*votes, policy=_quick(policy))
    for each in range(number):
        if each:
            scenario.drafted(*votes, summary=f"version {each + 1}")
        scenario.twins(votes)
    return scenario


def _majority_reject() -> Scenario:
    """Return what `balanced` did before needs decided, under the rules that its first event keeps."""
    half = {"by_needs": False, "fail_on_rejections": Share(percent=50)}
    policy = _quick("balanced").model_copy(update=half)
    return voting("a", "b", policy=policy).twins({"a": "accept", "b": "withdraw"})


def _no_feedback() -> Scenario:
    scenario = voting("a", policy=ALONE.model_copy(update={"max_rounds": 2}))
    return scenario.twin_fails("a").twin_fails("a", "E004")


def _without_a_model() -> Scenario:
    scenario = Scenario(policy=ALONE.model_copy(update={"require_model": True})).demand("一场50人的AI聚会").understood()
    return scenario.does(RecordShortlist, shortlist=Shortlist(definitely_related=()), people={}, degraded="E004")


def _collecting(*agents: str) -> Scenario:
    return Scenario(policy=ALONE).demand("一场50人的AI聚会").understood().shortlisted(*agents)


def _lost(scenario: Scenario, times: int) -> Scenario:
    """Nobody works on what is waited for."""
    for _ in range(times):
        scenario.later(30).does(Recover)
    return scenario


def _corrected_offers() -> Scenario:
    """Ann says it in her own words, Bo before his twin, and Cy's is corrected while a plan is made already."""
    scenario = Scenario(policy=ALONE, linked={"ann": "U_ANN", "bo": "U_BO"}).demand("一场50人的AI聚会").understood()
    scenario.shortlisted("ann", "bo", "cy").offers("ann").offers("cy", "conditional", conditions=("a projector",))
    scenario.corrects("U_ANN", "ann", "conditional", contribution="一个30分钟的分享", conditions=("六点以后",))
    scenario.corrects("U_BO", "bo", "decline", reason="away").corrects(REQUESTER, "cy", contribution="the room only")
    return scenario.drafted("ann", "cy").twins({"ann": "accept", "cy": "accept"})


def _silent_people() -> Scenario:
    """Everybody is reminded; of the two without a twin's vote one was reached. The other says nothing to the end."""
    people = {"ann": "U_ANN", "bo": "U_BO", "cy": "U_CY", "dee": "U_DEE"}
    scenario = voting(*people, policy=Policy(max_rounds=2), linked=people).later(20)
    scenario.twins({"ann": "negotiate", "dee": "accept"}).twin_fails("bo").twin_fails("cy", "E004")
    scenario.reached("bo").unreachable("cy").later(1780).rings("remind/1").later(1800).rings("close/1")
    scenario.drafted(*people).twins({"ann": "accept", "bo": "accept", "dee": "accept"}).twin_fails("cy")
    scenario.clicks("U_ANN", "ann", "accept").clicks("U_BO", "bo", "accept").clicks("U_DEE", "dee", "accept")
    return scenario.later(3600).rings("close/2")


def _closed_accounts() -> Scenario:
    """One account is closed before there is a plan, another one once the twin and a delegate have accepted."""
    people = {"ann": "U_ANN", "bo": "U_BO", "cy": "U_CY"}
    scenario = Scenario(policy=Policy(second_opinion=False), linked=people).demand("一场50人的AI聚会").understood()
    scenario.shortlisted(*people).offers("ann").offers("cy").does(
        RecordDelivery, agent_id="cy", round=0, reached=False, gone=True
    )
    scenario.offers("bo").drafted(*people).twins({"ann": "accept", "bo": "accept"})
    scenario.delegates("U_ANN", "ann", "U_DEE").clicks("U_DEE", "ann", "accept").unreachable("ann", gone=True)
    return scenario.clicks("U_BO", "bo", "accept")


def _blind_votes() -> Scenario:
    """Nobody sees what was voted until Bo, who is the last to decide, has."""
    people = {"ann": "U_ANN", "bo": "U_BO"}
    scenario = voting("ann", "bo", "cy", policy=Policy(blind_votes=True), linked=people)
    scenario.twins({"ann": "accept", "bo": "negotiate", "cy": "accept"}).clicks("U_ANN", "ann", "negotiate", "到九点")
    return (
        scenario.clicks("U_ANN", "ann", "withdraw", "出差")
        .clicks(REQUESTER, "cy", "negotiate")
        .clicks("U_BO", "bo", "accept")
    )


def _core_not_agreed() -> Scenario:
    """Who alone has a room asks for something else in the only round there is, and the others agree."""
    policy = _quick("balanced").model_copy(update={"max_rounds": 1})
    scenario = (
        Scenario(policy=policy)
        .demand("一场50人的AI聚会")
        .understood(
            capability_tags=("场地", "演讲嘉宾"),
            needs=(
                Need(need_id="need_1", what="场地", tags=("场地",)),
                Need(need_id="need_2", what="摄影", essential=False, tags=("摄影",)),
            ),
        )
    )
    scenario.shortlisted("ann", "bo", "cy", covers={"ann": ("need_1",)}).offers("ann", covers=("need_1",))
    scenario.offers("bo").offers("cy").drafted("ann", "bo", "cy")
    return scenario.twins({"ann": "negotiate", "bo": "accept", "cy": "accept"})


def _afterwards() -> Scenario:
    """It was stopped and goes on. Then a step will be late, that it is carried out is taken back, and Ann gives up."""
    policy = ALONE.model_copy(update={"check_ins": True, "max_depth": 0})
    scenario = Scenario(policy=policy, linked={"ann": "U_ANN"}).demand("一场50人的AI聚会").understood()
    scenario.shortlisted("ann", "bo").offers("ann").offers("bo")
    seats = (
        Assignment(agent_id="ann", role="场地", responsibility="负责预订场地，并在当天开门"),
        Assignment(agent_id="bo", role="Speaker", responsibility="gives a talk"),
    )
    steps = (Milestone(name="场地订好", date="2027-03-05", deliverable="书面确认", agent_id="ann"),)
    scenario.drafted(assignments=seats, timeline=Timeline(milestones=steps)).twin("ann", "accept")
    scenario.does(Cancel, by=REQUESTER, reason="the budget is not clear").later(60).does(TakeBack, by=REQUESTER)
    scenario.twins({"ann": "accept", "bo": "accept"})
    scenario.now = next(each.due for each in scenario.last.alarms if each.name == "check-in/step/1")
    scenario.rings("check-in/step/1")
    scenario.does(AnswerCheckIn, by="U_ANN", key="step/1", is_late=True, text="钥匙周一才能拿到，请再等等")
    scenario.goes_ahead().does(TakeBack, by=REQUESTER)
    return scenario.does(GiveUpSeat, by="U_ANN", agent_id="ann", reason="I am ill and cannot come that week")


OUTCOMES: dict[str, Callable[[], Scenario]] = {
    "consensus": lambda: _rounds("t05-v4", {"a": "accept", "b": "accept"}, 1),
    "consensus_after_a_substitute": lambda: (
        venue_leaves(with_reserve(("loft", 0.9), ("hall", 0.4)))
        .offers("loft", "decline")
        .offers("hall")
        .drafted("hall", "talk", "host")
        .twins({"hall": "accept", "talk": "accept", "host": "accept"})
    ),
    "consensus_on_corrected_offers": _corrected_offers,
    "partial_consensus_of_the_reached": _silent_people,
    "consensus_without_closed_accounts": _closed_accounts,
    "consensus_given_up": _afterwards,
    "consensus_amended": lambda: fails(fills(searching(PHOTOS, HANDS), PHOTOS, "pia"), HANDS),
    "partial_consensus": lambda: _rounds("t05-v4", {"a": "accept", "b": "negotiate"}, 5),
    "no_candidates": lambda: _collecting(),
    "no_participants": lambda: _collecting("a").offers("a", "decline"),
    "low_acceptance": lambda: _rounds("t05-v4", {"a": "accept", "b": "negotiate", "c": "withdraw"}, 1),
    "low_acceptance_of_blind_votes": _blind_votes,
    "majority_reject": _majority_reject,
    "core_withdrawn": lambda: venue_leaves(with_reserve(("loft", 0.9))).offers("loft", "decline"),
    "core_not_agreed": _core_not_agreed,
    "no_feedback": _no_feedback,
    "negotiation_timeout": lambda: _rounds("story05", {"a": "accept", "b": "negotiate"}, 3),
    "model_unavailable": _without_a_model,
    "recovery_exhausted": lambda: _lost(_collecting("a", "b").offers("a").offers("b"), 4),
    "consensus_after_being_stuck": lambda: (
        _lost(_collecting("a").later(300), 1).offers("a").drafted("a").twins({"a": "accept"})
    ),
    "cancelled": lambda: voting("a", "b").does(Cancel, by=REQUESTER, reason="not needed any more"),
}


def lines(scenario: Scenario) -> list[str]:
    """The events as envelopes, then what they must fold to."""
    key = StreamKey(Tenant("T_HISTORY"), scenario.state.channel_id)
    envelopes = [
        Envelope(
            event_id=event_id(key, seq),
            seq=seq,
            event_type=event.event_type,
            timestamp=iso(scenario.now),
            payload=payload(event),
        ).model_dump_json()
        for seq, event in enumerate(scenario.history, 1)
    ]
    return [*envelopes, json.dumps({"folds_to": ending(scenario)})]


def ending(scenario: Scenario) -> dict[str, Any]:
    state = scenario.state
    return {
        "status": state.status.value,
        "outcome": state.outcome.value if state.outcome else None,
        "round": state.round,
        "versions": [each.digest for each in state.proposals],
        "confirmed": list(state.final.confirmed_participants) if state.final else [],
        "optional": list(state.final.optional_participants) if state.final else [],
        "withdrawn": list(state.withdrawn),
        "degraded": len(state.degraded),
    }


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, play in OUTCOMES.items():
        path = FOLDER / f"{name}.jsonl"
        if not path.exists():
            path.write_text("\n".join(lines(play())) + "\n", encoding="utf-8")
