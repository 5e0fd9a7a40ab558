"""What has failed is taken up again: once, by whoever asked or an admin, as a negotiation of its own."""

from collections.abc import Sequence

import pytest

from engine.errors import Duplicate, IllegalStep, NotAllowed
from engine.kernel import Ask, CommandDelivered, EffectFailed, Handled, SendCommand
from engine.negotiation.afterwards.reopening import REOPEN, suits_balanced
from engine.negotiation.asks import NegotiationAsks
from engine.negotiation.audit import trail
from engine.negotiation.commands import Cancel, Reopen, SubmitDemand
from engine.negotiation.errors import InvalidDemand
from engine.negotiation.events import (
    DemandBroadcast,
    DemandSubmitted,
    NegotiationReopened,
    ReopeningFailed,
)
from engine.negotiation.inbox import DEMAND, agenda
from engine.negotiation.policy import MOST_CANDIDATES, PRESETS, Policy
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.state import Negotiation, Status
from engine.negotiation.terms import LONGEST_DEMAND, Outcome
from tests.llm.prompt_cases import CHEN, PROFILES
from tests.negotiation.prompts import PROMPTS
from tests.negotiation.scenario import ALONE, REQUESTER, Scenario, voting
from tests.negotiation.searches import begun as subnet_of
from tests.negotiation.searches import searching

SAID = "An AI meetup for 50 people"


def failed(*votes: str, possibly: Sequence[str] = (), policy: Policy = ALONE) -> Scenario:
    agents = ("ann", "bo", "cy")
    scenario = Scenario(policy=policy).demand(SAID).understood().shortlisted(*agents, possibly=possibly)
    for each in agents:
        scenario.offers(each)
    scenario.drafted(*agents).twins(dict(zip(agents, votes or ("reject",) * 3, strict=True)))
    return scenario.stands(Status.FAILED)


def reopened(scenario: Scenario, *, raw_input: str = SAID, balanced: bool = False, possible: bool = False) -> Scenario:
    return scenario.does(Reopen, by=REQUESTER, raw_input=raw_input, balanced=balanced, asks_possible=possible)


def begun(scenario: Scenario) -> Scenario:
    """The negotiation that takes it up."""
    [effect] = [each for each in scenario.last.effects if isinstance(each, SendCommand)]
    order = RULEBOOK.compose_command(scenario.state, effect, command_id="sent", at=scenario.now)
    assert isinstance(order, SubmitDemand)
    assert effect.to == order.channel_id
    return Scenario(policy=order.policy, now=scenario.now).obeys(order)


def test_whoever_was_told_that_they_would_not_be_asked_again_is_not() -> None:
    window = ALONE.model_copy(update={"human_window": 60})
    scenario = Scenario(policy=window, linked={CHEN: "U_CHEN"}).demand(SAID).understood().shortlisted(CHEN, "bo")
    scenario.offers(CHEN).offers("bo").drafted(CHEN, "bo").twin("bo", "withdraw").clicks("U_CHEN", CHEN, "withdraw")
    new = begun(reopened(scenario.stands(Status.FAILED))).understood().state

    assert new.not_again == (CHEN,), "Bo's twin has left, and Bo was told nothing"
    asked = NegotiationAsks(PROMPTS, PROFILES).compose(new, Ask(name="filter", scope="filter", prompt="filter"))
    assert CHEN in PROFILES
    assert CHEN not in {each.agent_id for each in asked.given["profiles"]}


def test_nor_are_they_when_it_is_taken_up_once_more_nor_for_what_its_plan_lacks() -> None:
    window = ALONE.model_copy(update={"human_window": 60})
    scenario = Scenario(policy=window, linked={CHEN: "U_CHEN"}).demand(SAID).understood().shortlisted(CHEN)
    scenario.offers(CHEN).drafted(CHEN).clicks("U_CHEN", CHEN, "withdraw")
    first = reopened(scenario.stands(Status.FAILED))

    second = begun(first).understood().shortlisted("bo").offers("bo").drafted("bo").twin("bo", "withdraw")
    assert begun(reopened(second)).state.not_again == (CHEN,)
    agreed = begun(first).understood().shortlisted("bo").offers("bo").drafted("bo").twin("bo", "accept")
    assert subnet_of(searching("photographer", scenario=agreed)).state.not_again == (CHEN,)


@pytest.mark.parametrize(("by", "as_admin"), [(REQUESTER, False), ("U_ADMIN", True)])
def test_whoever_asked_or_an_admin_takes_it_up_again_for_whoever_asked(by: str, as_admin: bool) -> None:
    scenario = failed().later(7)
    old = scenario.state
    scenario.does(Reopen, by=by, as_admin=as_admin, raw_input=f"  {SAID}, and music ").then(NegotiationReopened)
    again = scenario.stands(Status.FAILED).state.reopened

    assert again is not None
    assert (again.by, again.at, again.raw_input) == (by, scenario.now, f"{SAID}, and music")
    new = begun(scenario).owing("understand").stands(Status.CREATED).state
    assert (new.demand_id, new.channel_id) == (again.next_demand_id, again.next_channel_id)
    assert new.channel_id != old.channel_id
    assert new.demand_id.removeprefix("d-") == new.channel_id.removeprefix("collab-")
    assert (new.reopened_from, new.requester_id, new.place) == (old.channel_id, REQUESTER, old.place)
    assert (new.raw_input, new.policy, new.parent) == (f"{SAID}, and music", old.policy, None)
    assert new.until == scenario.now + 1000 * old.policy.machine_time


def test_it_is_done_once() -> None:
    scenario = reopened(failed())
    before = scenario.state

    scenario.does(Reopen, by="U_ADMIN", as_admin=True, raw_input="Something else").is_refused(Duplicate)

    assert scenario.state is before


@pytest.mark.parametrize("by", ["U_ANN", "U_EVE", "", f"{REQUESTER}@T_PARTNER"])
def test_nobody_else_does(by: str) -> None:
    failed().does(Reopen, by=by, raw_input=SAID).is_refused(NotAllowed)


def test_only_what_has_failed_is_taken_up_again() -> None:
    reopened(voting("ann")).is_refused(IllegalStep, "negotiating")
    reopened(voting("ann").twin("ann", "accept").stands(Status.FINALIZED)).is_refused(IllegalStep, "finalized")
    reopened(voting("ann").does(Cancel, by=REQUESTER)).is_refused(IllegalStep, "cancelled")


def test_what_is_looked_for_a_plan_is_not_taken_up_by_itself() -> None:
    subnet = subnet_of(searching("music"))
    subnet.shortlisted().stands(Status.FAILED)

    reopened(subnet).is_refused(IllegalStep, "another plan")


@pytest.mark.parametrize("text", ["", "  ", "123 !", "x" * (LONGEST_DEMAND + 1)])
def test_a_demand_that_cannot_be_read_begins_nothing(text: str) -> None:
    reopened(failed(), raw_input=text).is_refused(InvalidDemand)


@pytest.mark.parametrize("preset", ["t05-v4", "story05", "tech-v3"])
def test_the_balanced_rules_replace_the_others_and_nothing_else(preset: str) -> None:
    policy = PRESETS[preset].model_copy(update={"human_window": 0, "override_window": 0, "max_candidates": 3})
    new = begun(reopened(failed("withdraw", "withdraw", "withdraw", policy=policy), balanced=True)).state

    rules = PRESETS["balanced"]
    assert (new.policy.name, new.policy.fail_below, new.policy.fail_on_rejections, new.policy.force_at) == (
        "balanced", None, rules.fail_on_rejections, rules.force_at,
    )  # fmt: skip
    assert (new.policy.max_rounds, new.policy.finalize_at) == (rules.max_rounds, rules.finalize_at)
    assert (new.policy.human_window, new.policy.max_candidates) == (0, 3)
    assert new.policy.feedback_timeout == policy.feedback_timeout


def test_wishes_that_ended_it_go_on_by_the_balanced_rules() -> None:
    wishes = {"ann": "negotiate", "bo": "negotiate", "cy": "accept"}
    old = failed(*wishes.values())
    assert old.state.outcome is Outcome.LOW_ACCEPTANCE

    new = begun(reopened(old, balanced=True)).understood().shortlisted(*wishes)
    for each in wishes:
        new.offers(each)
    new.drafted(*wishes).twins(wishes).stands(Status.PROPOSAL_SENT, number=2)


@pytest.mark.parametrize(
    ("votes", "suits"),
    [
        (("negotiate", "negotiate", "withdraw"), True),
        (("negotiate", "withdraw", "reject"), False),
        (("withdraw", "withdraw", "negotiate"), False),
        (("reject", "reject", "reject"), False),
    ],
)
def test_the_balanced_rules_suit_where_more_people_wanted_something_than_left(
    votes: tuple[str, str, str], suits: bool
) -> None:
    policy = ALONE.model_copy(update={"core_gate": False})
    assert suits_balanced(failed(*votes, policy=policy).state) is suits


def test_they_suit_nothing_that_failed_by_them_or_before_anybody_voted() -> None:
    policy = PRESETS["balanced"].model_copy(update={"human_window": 0, "override_window": 0, "core_gate": False})
    by_them = failed("withdraw", "withdraw", "withdraw", policy=policy)
    assert by_them.state.outcome is Outcome.NO_PARTICIPANTS
    assert not suits_balanced(by_them.state)
    assert not suits_balanced(Scenario().demand().understood().shortlisted().stands(Status.FAILED).state)


# ── more people ───────────────────────────────────────────────────────────────────────────────────────────────────


def asked(scenario: Scenario) -> list[str]:
    return list(scenario.event(DemandBroadcast).recipients)


def test_whoever_was_only_possibly_related_is_asked_as_well_if_they_like() -> None:
    old = failed(possibly=("dee", "eve"))

    with_them = begun(reopened(old, possible=True)).understood().shortlisted("ann", possibly=("eve", "dee", "fay"))
    assert asked(with_them) == ["ann", "dee", "eve"]
    assert [each.agent_id for each in with_them.state.reserve] == ["fay"]
    without = begun(reopened(failed(possibly=("dee",)))).understood().shortlisted("ann", possibly=("dee",))
    assert asked(without) == ["ann"]


def test_they_are_asked_also_where_nobody_else_fits_or_many_do() -> None:
    reserve = tuple(f"r{number}" for number in range(15))
    policy = ALONE.model_copy(update={"max_candidates": 8})
    old = failed(possibly=reserve, policy=policy)
    nobody_else = begun(reopened(old, possible=True)).understood().shortlisted(possibly=("ann", *reserve))
    assert asked(nobody_else) == list(reserve)

    old = failed(possibly=reserve, policy=policy)
    fitting = tuple(f"f{number}" for number in range(10))
    many = asked(begun(reopened(old, possible=True)).understood().shortlisted(*fitting, possibly=reserve))
    assert many == [*fitting[:8], *reserve][:MOST_CANDIDATES]


def test_whoever_is_not_there_any_more_is_not_asked() -> None:
    new = begun(reopened(failed(possibly=("dee", "gone")), possible=True)).understood()

    assert asked(new.shortlisted("ann", possibly=("dee",))) == ["ann", "dee"]


# ── the other negotiation ─────────────────────────────────────────────────────────────────────────────────────────


def test_that_it_has_begun_changes_nothing_here() -> None:
    scenario = reopened(failed())
    before = scenario.state

    assert scenario.does(CommandDelivered, name=REOPEN).then().state is before


@pytest.mark.parametrize("how", ["refused", "failed"])
def test_what_could_not_begin_can_be_tried_again(how: str) -> None:
    scenario = reopened(failed())
    if how == "refused":
        scenario.does(CommandDelivered, name=REOPEN, refused="IllegalStep")
    else:
        scenario.does(EffectFailed, name=REOPEN, why="the disk is full")

    scenario.then(ReopeningFailed).stands(Status.FAILED)
    assert scenario.state.reopened is None
    reopened(scenario).then(NegotiationReopened)


def test_what_was_taken_up_again_may_be_so_again() -> None:
    new = begun(reopened(failed())).understood().shortlisted().stands(Status.FAILED)
    third = begun(reopened(new))

    assert third.state.reopened_from == new.state.channel_id
    assert len({third.state.channel_id, new.state.channel_id, "collab-00000001"}) == 3


def test_its_first_event_says_where_it_came_from() -> None:
    [first, *_] = begun(reopened(failed(possibly=("dee",)), possible=True)).history

    assert isinstance(first, DemandSubmitted)
    assert first.reopened_from == "collab-00000001"
    assert [each.agent_id for each in first.also_ask] == ["dee"]


def test_it_is_the_requesters_demand_and_no_act_of_theirs() -> None:
    scenario = reopened(failed())
    [effect] = [each for each in scenario.last.effects if isinstance(each, SendCommand)]
    order = RULEBOOK.compose_command(scenario.state, effect, command_id="sent", at=scenario.now)
    new = Scenario().obeys(order)
    handled = Handled(
        stream=new.state.channel_id, turn=1, command=order, before=Negotiation(), after=new.state,
        events=tuple(new.history), refusal=None,
    )  # fmt: skip

    assert trail(handled) == ()
    assert [each.kind for each in agenda(handled)] == [DEMAND]
