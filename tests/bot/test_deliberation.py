"""A plan is argued out in its thread: begun once, open to those who take part, decided and stopped by whoever asked."""

import json
from typing import Any, Final

import pytest

from bot.demo.demo import CHANNEL
from bot.local_slack import Message, User
from bot.views.deliberation.forms import ANSWERED, CHOSEN, REOPENS, TEXT, THEN, WHY
from bot.views.deliberation.values import ARGUMENTS, ASK, DECIDE, EXPORT, POINT, STOP
from bot.views.kit.handover import CARRY_OUT, PLAN_IT
from bot.views.negotiation.button_values import PROCEED
from engine.deliberation.events import (
    CriticAsked,
    CriticReplied,
    DeliberationReopened,
    PointRaised,
    PositionChosen,
    ReportWritten,
    StopRequested,
)
from engine.deliberation.state import Status
from engine.deliberation.terms import Agent, Reason
from engine.negotiation.state import Status as Negotiating
from engine.projections.audit import acts

from .conftest import Begin, Given
from .driver import ADMIN, ALONE, AYA, BO, EVE, EVERYBODY, YOU, Driver, nothing_changed, shows, text_of
from .home import buttons, clicks, opens, says
from .planning import Planned, agreed, argued, card_text, final_card, key_of, planned
from .roles import REQUESTER, SEATED, STRANGER, TABLE, Role, dispatched, forges, roles

ALREADY: Final = "A plan is being argued out from this already"
GONE: Final = "We cannot find this plan any more. If it still matters, have it planned anew."
MOVED_ON: Final = "The plan has moved on since"
SOMEBODY_ELSES: Final = "That is for somebody else, so nothing was changed."

IN_PERSON: Final = [each for each in TABLE if not each.delegate]  # nobody delegates anything once everybody has agreed


def is_colleague(role: Role) -> bool:
    return not role.home and not role.tenant


def takes_part(role: Role) -> bool:
    return is_colleague(role) and role.user in (YOU, AYA, BO)


async def arrives(it: Driver, role: Role) -> None:
    if role.home:
        await it.demo.workspace.admin.put_user(User(id=role.user, name="guest", real_name="A Guest", team_id=role.home))


# ── beginning ─────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_what_was_agreed_is_argued_out_in_the_same_thread(given: Given) -> None:
    plan = await planned(given)
    state, posts = await plan.state(), await plan.posts()
    [demand, *_] = await plan.it.thread()

    assert (state.status, state.requester_id) == (Status.CONVERGED, YOU)
    assert {each.user_id for each in state.brief.people} == {AYA, BO}
    assert [*posts] == ["plan", "report"]
    assert {each.thread_ts for each in posts.values()} == {demand.ts}
    assert "✅ The plan" in text_of(posts["report"])
    report = f"{CHANNEL}/p{posts['report'].ts.replace('.', '')}?thread_ts={demand.ts}&amp;cid={CHANNEL}"
    assert f"{report}|Go to the plan>" in text_of(posts["plan"])
    assert await plan.told() == [[]] * len(EVERYBODY)


@roles(REQUESTER, SEATED, STRANGER, among=IN_PERSON)
async def test_whoever_asked_and_admins_have_it_planned_and_nobody_else(given: Given, role: Role) -> None:
    it = await agreed(given)
    await arrives(it, role)

    if role.steers:
        await forges(it, role, await final_card(it), PROCEED, as_action=PLAN_IT)
        assert (await Planned(it, key_of(it)).state()).requester_id == YOU
        return
    async with nothing_changed(it, by=role.user, told=GONE if role.tenant else SOMEBODY_ELSES):
        await forges(it, role, await final_card(it), PROCEED, as_action=PLAN_IT)
    assert await it.begun() == 1


async def test_clicking_twice_begins_one_and_says_so(given: Given) -> None:
    it = await agreed(given)
    card = await final_card(it)
    await it.keeps_old_cards()

    late = (await it.clicks(ADMIN, PROCEED, card=card)).modal
    assert late is not None
    await it.goes(YOU, PLAN_IT, card=card)
    count = len(await it.thread())
    told = (await it.chooses(ADMIN, late, PLAN_IT)).modal
    await forges(it, Role("admin", ADMIN), card, PROCEED, as_action=PLAN_IT)

    assert await it.begun() == 2
    assert len(await it.thread()) == count
    assert told is not None
    assert ALREADY in str(told.blocks)
    [said] = await it.told(ADMIN)
    assert said.startswith(ALREADY)
    assert await it.told(YOU) == []


async def test_whoever_has_no_language_is_told_so_in_that_of_the_plan(given: Given) -> None:
    it = await agreed(given, "我需要一个50人的场地")
    card = await final_card(it)
    await it.keeps_old_cards()

    await it.goes(YOU, PLAN_IT, card=card)
    await forges(it, Role("admin", ADMIN), card, PROCEED, as_action=PLAN_IT)
    await it.goes(EVE, PLAN_IT, card=card)

    [already], [not_theirs] = await it.told(ADMIN), await it.told(EVE)
    assert already.startswith("已经在根据这份方案讨论计划了")
    assert not_theirs.isascii() is False


async def test_a_negotiation_that_came_to_nothing_cannot_be_planned(given: Given) -> None:
    it = await given(twins={("aya", 1): "reject", ("bo", 1): "reject"}, policy=ALONE)
    await it.stands(Negotiating.FAILED)
    [root, *_] = [each for each in await it.thread() if each.metadata]
    value = {"type": "button", "action_id": PLAN_IT, "value": json.dumps({"stream": it.key.stream})}
    assert not any(shows(each, PLAN_IT) for each in await it.thread())

    await dispatched(it, Role("requester", YOU), _click(root, value))

    assert await it.begun() == 1
    assert len(await it.told(YOU)) == 1


def _click(card: Message, button: dict[str, Any]) -> dict[str, Any]:
    where = {"channel_id": card.channel, "message_ts": card.ts, "thread_ts": card.thread_ts, "is_ephemeral": False}
    return {
        "type": "block_actions",
        "container": {"type": "message", **where},
        "channel": {"id": card.channel, "name": "general"},
        "message": {"ts": card.ts, "thread_ts": card.thread_ts, "text": card.text},
        "actions": [button | {"action_ts": "1.1"}],
    }


@pytest.mark.parametrize(
    ("said", "reads"),
    [
        pytest.param("plan A workshop for 20 people on 12 March 2027; the room holds 30", "✅ The plan", id="English"),
        pytest.param("规划 3月12日办一场20人的工作坊；场地能坐30人", "✅ 计划", id="Chinese"),
    ],
)
async def test_a_goal_is_planned_by_the_command_in_its_own_language(driver: Begin, said: str, reads: str) -> None:
    it = await driver(linked=[])

    outcome = await it.demo.person(EVE).slash(CHANNEL, "/towow", said)
    await it.settles()

    assert outcome.acked
    shown = await it.everything(YOU)
    assert [each.metadata is not None for each in shown] == [True, True]
    assert reads in text_of(shown[1])
    assert not any(word in text_of(shown[0]) for word in ("plan A workshop", "规划 3月"))


async def test_a_mention_plans_what_begins_with_the_word_and_a_colon_and_nothing_else(driver: Begin) -> None:
    it = await driver(linked=[])
    await it.demo.person(EVE).say(CHANNEL, "<@U_TOWOW> plan: a picnic for 20 people")
    await it.settles()
    [said] = await it.demo.person(EVE).messages(CHANNEL)

    [_, card, report] = await it.demo.person(EVE).thread(CHANNEL, said.ts)

    assert "a picnic for 20 people" in text_of(card)
    assert shows(report, EXPORT)


# ── taking part ───────────────────────────────────────────────────────────────────────────────────────────────────


@roles(REQUESTER, SEATED, STRANGER, among=IN_PERSON)
@pytest.mark.parametrize("action", [POINT, ASK])
async def test_those_who_take_part_object_and_ask_and_nobody_else(given: Given, role: Role, action: str) -> None:
    plan = await argued(given)
    form = await plan.form(AYA, action)
    await arrives(plan.it, role)
    before = await plan.events()

    answer = await _sends(plan, role, form, {TEXT: "Where do the children go?"})

    happened = (await plan.events())[len(before) :]
    if takes_part(role):
        assert answer == {}
        kind = PointRaised if action == POINT else CriticAsked
        [said] = [each for each in happened if isinstance(each, kind)]
        assert (said.by, said.text) == (role.user, "Where do the children go?")
        assert f"<@{role.user}>" in "\n".join(text_of(each) for each in (await plan.posts()).values())
    else:
        assert (GONE if role.tenant else SOMEBODY_ELSES) in answer["errors"][TEXT]
        assert happened == []


async def _sends(plan: Planned, role: Role, form: Any, said: dict[str, str]) -> dict[str, Any]:
    values = {name: {name: _entered(name, each)} for name, each in said.items()}
    shape = form.model_dump(mode="json") | {"state": {"values": values}}
    return await dispatched(plan.it, role, {"type": "view_submission", "view": shape, "response_urls": []})


def _entered(name: str, said: str) -> dict[str, Any]:
    if name == CHOSEN:
        return {"type": "radio_buttons", "selected_option": {"value": said}}
    return {"type": "plain_text_input", "value": said}


@roles(REQUESTER, SEATED, STRANGER, among=IN_PERSON)
@pytest.mark.parametrize("action", [POINT, ASK])
async def test_the_form_opens_for_those_who_take_part(given: Given, role: Role, action: str) -> None:
    plan = await argued(given)
    await arrives(plan.it, role)
    told = GONE if role.tenant else SOMEBODY_ELSES

    if takes_part(role):
        assert (await plan.clicks(role.user, action)).modal is not None
        return
    async with nothing_changed(plan.it, by=role.user, told=told):
        await forges(plan.it, role, await plan.card(), action)


async def test_a_point_is_on_the_card_until_both_have_answered_it(given: Given) -> None:
    plan = await argued(given)

    assert await plan.sends(BO, await plan.form(BO, POINT), **{TEXT: "Where do the <!channel> children go?"}) == {}

    said = await card_text(plan)
    assert f"• <@{BO}>: Where do the &lt;!channel&gt; children go?" in said
    assert "↳ both will answer it" in said
    await plan.goes_on()
    answered = await card_text(plan)
    assert "↳ both will answer it" not in answered
    assert answered.count("↳ Planner:") == answered.count("↳ Critic:") == 1


async def test_a_point_about_a_finished_plan_reopens_it(given: Given) -> None:
    plan: Planned = await planned(given)

    assert await plan.sends(BO, await plan.form(BO, POINT), **{TEXT: "Where do the children go?"}) == {}
    await plan.goes_on()

    events = await plan.events()
    assert sum(isinstance(each, DeliberationReopened) for each in events) == 1
    assert sum(isinstance(each, ReportWritten) for each in events) == 2
    assert not (await plan.state()).is_open
    assert [each for each in (await plan.posts()) if each.startswith("report")] == ["report"]


async def test_the_critic_answers_beside_the_rounds_and_after_the_end(given: Given) -> None:
    plan = await argued(given)

    await plan.sends(AYA, await plan.form(AYA, ASK), **{TEXT: "What of the room?"})
    await plan.goes_on()
    await plan.sends(BO, await plan.form(BO, ASK), **{TEXT: "And the guests?"})

    posts = await plan.posts()
    assert {"plan", "report", "question-1", "question-2"} == {*posts}
    assert f"<@{AYA}> asks the Critic: What of the room?" in text_of(posts["question-1"])
    assert "*Critic* " in text_of(posts["question-2"])


async def test_a_question_about_a_finished_plan_reopens_it_unless_only_an_answer_is_wanted(given: Given) -> None:
    plan: Planned = await planned(given)

    async def asks(then: str) -> int:
        form = await plan.form(BO, ASK)
        entered = {TEXT: _entered(TEXT, "What of the guests?"), THEN: _entered(CHOSEN, then)}
        values = {name: {name: each} for name, each in entered.items()}
        shape = form.model_dump(mode="json") | {"state": {"values": values}}
        submission = {"type": "view_submission", "view": shape, "response_urls": []}
        assert await dispatched(plan.it, Role("a participant", BO), submission) == {}
        await plan.goes_on()
        return sum(isinstance(each, DeliberationReopened) for each in await plan.events())

    assert await asks(ANSWERED) == 0
    assert await asks(REOPENS) == 1
    assert not (await plan.state()).is_open
    assert {"question-1", "question-2"} <= {*await plan.posts()}


async def test_a_plan_that_is_carried_out_stays_as_it_is_and_is_still_asked_about(given: Given) -> None:
    plan = await argued(given)
    await plan.clicks(YOU, STOP)
    point, decision = await plan.form(BO, POINT), await plan.form(YOU, DECIDE)
    await plan.it.keeps_old_cards()
    await plan.clicks(YOU, CARRY_OUT)
    before, told = await plan.events(), "This plan is being carried out"

    for user, action in ((BO, POINT), (YOU, DECIDE)):
        await plan.clicks(user, action)
        assert told in (await plan.it.told(user))[-1]
    late = await _sends(plan, Role("a participant", BO), point, {TEXT: "Too late?"})
    chosen = await _sends(plan, Role("the requester", YOU), decision, {CHOSEN: "planner"})
    assert told in late["errors"][TEXT]
    assert told in chosen["errors"][CHOSEN]
    assert await plan.events() == before

    question = await plan.form(BO, ASK)
    assert [each["block_id"] for each in question.blocks if each["type"] == "input"] == [TEXT]
    assert await plan.sends(BO, question, **{TEXT: "What now?"}) == {}
    assert not any(isinstance(each, DeliberationReopened) for each in await plan.events())
    assert any(isinstance(each, CriticReplied) for each in await plan.events())


@roles(REQUESTER, SEATED, STRANGER, among=IN_PERSON)
async def test_every_colleague_reads_the_arguments(given: Given, role: Role) -> None:
    plan = await argued(given)
    await arrives(plan.it, role)

    if is_colleague(role):
        shown = (await plan.clicks(role.user, ARGUMENTS)).modal
        assert shown is not None
        said = says(shown)
        assert all(each in said for each in ("The room first.", "The guests first.", "who does “Book the room”"))
        assert "user_agent_" not in said
        return
    async with nothing_changed(plan.it, by=role.user, told=GONE if role.tenant else SOMEBODY_ELSES):
        await forges(plan.it, role, await plan.card(), ARGUMENTS)


# ── deciding and stopping ─────────────────────────────────────────────────────────────────────────────────────────


async def test_a_decision_that_a_point_opens_again_leaves_a_trace(given: Given) -> None:
    plan = await argued(given)
    await plan.sends(YOU, await plan.form(YOU, DECIDE), **{CHOSEN: "critic", WHY: "Guests before rooms"})
    await plan.goes_on()
    assert (await plan.state()).choice is not None

    await plan.sends(AYA, await plan.form(AYA, POINT), **{TEXT: "Friday is a holiday"})

    trace = f"<@{YOU}> had decided for the Critic’s position; what <@{AYA}> brought up has opened that again."
    assert trace in await card_text(plan)
    assert trace in text_of(await plan.report())


@roles(REQUESTER, SEATED, STRANGER, among=IN_PERSON)
async def test_whoever_asked_and_admins_decide_and_nobody_else(given: Given, role: Role) -> None:
    plan = await argued(given)
    form = await plan.form(YOU, DECIDE)
    await arrives(plan.it, role)
    before = await plan.events()

    answer = await _sends(plan, role, form, {CHOSEN: "critic", WHY: "Guests before rooms"})

    if role.steers:
        assert answer == {}
        [chosen] = [each for each in await plan.events() if isinstance(each, PositionChosen)]
        assert (chosen.by, chosen.chosen, chosen.why) == (role.user, Agent.CRITIC, "Guests before rooms")
        await plan.goes_on()
        assert (await plan.state()).reason is Reason.USER_DECIDED
        report = text_of(await plan.report())
        assert f"<@{role.user}> decided for the Critic’s position." in report
        assert "Book the room – *Bo*" in report
    else:
        assert (GONE if role.tenant else SOMEBODY_ELSES) in answer["errors"][CHOSEN]
        assert await plan.events() == before


@roles(REQUESTER, SEATED, STRANGER, among=IN_PERSON)
@pytest.mark.parametrize("action", [DECIDE, STOP])
async def test_whoever_asked_and_admins_steer_and_nobody_else(given: Given, role: Role, action: str) -> None:
    plan = await argued(given)
    await arrives(plan.it, role)
    before = await plan.events()

    if role.steers:
        outcome = await plan.clicks(role.user, action)
        assert outcome.acked
        stopped = [each for each in await plan.events() if isinstance(each, StopRequested)]
        assert [each.by for each in stopped] == ([role.user] if action == STOP else [])
        return
    async with nothing_changed(plan.it, by=role.user, told=GONE if role.tenant else SOMEBODY_ELSES):
        await forges(plan.it, role, await plan.card(), action)
    assert await plan.events() == before


async def test_stopping_reports_what_there_is_and_a_second_click_changes_nothing(given: Given) -> None:
    plan = await argued(given)
    card = await plan.card()

    await plan.it.clicks(YOU, STOP, card=card)
    after = await plan.events()
    await forges(plan.it, Role("requester", YOU), card, STOP)

    state = await plan.state()
    assert (state.status, state.reason) == (Status.TERMINATED, Reason.USER_STOP)
    assert await plan.events() == after
    [told] = await plan.it.told(YOU)
    assert told.startswith(MOVED_ON)
    assert "⚖️ The plan, with what is not agreed" in text_of(await plan.report())
    card = await plan.card()
    assert not shows(card, STOP)
    assert shows(card, POINT)
    assert "No agreement on " in text_of(card)


async def test_a_choice_that_was_shown_older_positions_decides_nothing(given: Given) -> None:
    plan = await argued(given)
    form = await plan.form(YOU, DECIDE)
    shape = form.model_copy(update={"private_metadata": json.dumps(json.loads(form.private_metadata) | {"round": 1})})
    assert json.loads(form.private_metadata)["round"] == 2
    await plan.goes_on()
    before = await plan.events()

    answer = await _sends(plan, Role("requester", YOU), shape, {CHOSEN: "planner"})

    assert MOVED_ON in answer["errors"][CHOSEN]
    assert await plan.events() == before


async def test_after_a_stop_one_decides_from_home_and_the_report_is_edited_in_place(given: Given) -> None:
    plan = await argued(given)
    assert (await opens(plan.it, YOU)) is not None
    await plan.clicks(YOU, STOP)
    first = await plan.report()
    home = await opens(plan.it, YOU)
    assert "Planner and Critic do not agree" in says(home)
    assert "Your plans" in says(home)
    assert DECIDE in buttons(home)

    form = (await clicks(plan.it, YOU, DECIDE, home)).modal
    assert form is not None
    assert await plan.sends(YOU, form, **{CHOSEN: "planner"}) == {}

    last = await plan.report()
    assert last.ts == first.ts
    assert "✅ The plan, as it was decided" in text_of(last)
    assert not shows(last, DECIDE)
    home = await opens(plan.it, YOU)
    assert DECIDE not in buttons(home)
    assert "✅ Decided" in says(home)


async def test_what_people_do_is_on_record(given: Given) -> None:
    plan = await argued(given)
    await plan.sends(BO, await plan.form(BO, POINT), **{TEXT: "Too late"})
    await plan.clicks(ADMIN, STOP)

    told = await acts(plan.it.demo.towow.store, plan.key.tenant, plan.key.stream)

    assert [(each.act, each.by, each.as_admin) for each in told] == [
        ("plan", YOU, False), ("raise_point", BO, False), ("stop", ADMIN, True),
    ]  # fmt: skip


async def test_a_plan_that_is_gone_is_said_to_be_gone(given: Given) -> None:
    plan = await argued(given)
    card = await plan.card()

    for action in (STOP, POINT, ASK, ARGUMENTS, DECIDE, EXPORT):
        value = json.dumps({"stream": "plan-none"} | ({"round": 1} if action == DECIDE else {}))
        button = {"type": "button", "action_id": action, "value": value}
        await dispatched(plan.it, Role("the requester", YOU), _click(card, button))

    assert await plan.it.told(YOU) == [GONE] * 6


@pytest.mark.parametrize("said", ["plan", "plan:", "规划", "计划："])
async def test_a_goal_without_words_is_asked_for(driver: Begin, said: str) -> None:
    it = await driver(linked=[])

    outcome = await it.demo.person(EVE).slash(CHANNEL, "/towow", said)
    await it.settles()

    assert outcome.message is not None
    assert outcome.message.text.startswith(("Say it in a few words", "请用几句话"))
    assert await it.begun() == 0


async def test_a_goal_that_is_too_long_is_refused_and_not_cut(driver: Begin) -> None:
    it = await driver(linked=[])

    outcome = await it.demo.person(EVE).slash(CHANNEL, "/towow", "plan Open a shop by May. " + "And more. " * 1_000)
    await it.settles()

    assert outcome.message is not None
    assert "4000" in outcome.message.text
    assert await it.begun() == 0


async def test_a_goal_is_planned_in_direct_messages_for_whoever_writes_it(driver: Begin) -> None:
    it = await driver(linked=[])
    eve = it.demo.person(EVE)
    dm = (await eve.dm()).id

    await eve.say(dm, "plan: a picnic for 20 people")
    await it.settles()

    [said, *_] = await eve.messages(dm)
    [_, card, report] = await eve.thread(dm, said.ts)
    assert "a picnic for 20 people" in text_of(card)
    assert "✅ The plan" in text_of(report)
    assert await it.begun() == 1
