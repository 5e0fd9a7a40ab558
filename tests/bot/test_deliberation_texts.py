"""Whatever people and models write while a plan is argued out: only our own marks are live, and forged payloads change
nothing."""

from collections.abc import Mapping
from typing import Any, Final

import pytest
from pytest import LogCaptureFixture  # noqa: PT013 - a type, not a mark

from bot.views.deliberation.forms import CHOSEN, TEXT, WHY
from bot.views.deliberation.values import ARGUMENTS, ASK, DECIDE, EXPORT, POINT, STOP
from bot.views.kit.button_values import SHOW_ALL
from bot.views.kit.export.form import Format
from bot.views.kit.handover import PLAN_IT
from engine.deliberation.answers import (
    ClosingAnswer,
    CriticAnswer,
    CriticReply,
    Critique,
    HostAnswer,
    PlannerAnswer,
    Position,
    ReportAnswer,
    Risk,
    Suggestion,
)
from engine.deliberation.state import Status
from engine.facts.shortening import without_surrogates
from engine.kernel import ModelAnswer

from .conftest import Given
from .driver import EVE, YOU, shows
from .home import opens
from .planning import Planned, argued, two_positions
from .roles import Role, dispatched
from .tame import is_tame, seen
from .test_any_text import TEXTS
from .test_export import sends as exported
from .test_forged import NO_VALUES, WENT_WRONG, an_action, sent, sent_in

REQUESTER: Final = Role("the requester", YOU)


def answers(text: str) -> Mapping[str, ModelAnswer]:
    """Make the models say the same text wherever they argue."""
    first = two_positions()
    position = Position(
        conclusion=text,
        key_reasons=(text, text),
        assumptions=(text,),
        decision="no_go",
        choice=text,
        uncertainties=(text,),
        worst_case=text,
    )
    plan = first["plan"]
    assert isinstance(plan, PlannerAnswer)
    return {
        "revise": PlannerAnswer(content=text, position=position, plan=plan.plan),
        "criticise": CriticAnswer(
            content=text,
            position=position,
            critique=Critique(
                risks=(Risk(risk=text, severity="high", impact=text),),
                suggestions=(Suggestion(issue=text, solution=text),),
            ),
        ),
        "host": HostAnswer(content=text),
        "close": ClosingAnswer(uncertainties=(text,), worst_case=text),
        "report": ReportAnswer(
            content=text,
            key_agreements=(text,),
            resolved_concerns=(text,),
            remaining_uncertainties=(text,),
            open_disagreements=(text,),
            dissent=(text,),
        ),
        "reply": CriticReply(content=text, arguments=()),
    }


@pytest.mark.parametrize("text", TEXTS)
async def test_nothing_that_anybody_writes_has_any_power(given: Given, text: str) -> None:
    typed = without_surrogates(text)
    plan = await argued(given, f"a venue {typed}"[:3_000])
    plan.it.script.says |= answers(text)
    assert await plan.sends(YOU, await plan.form(YOU, POINT), **{TEXT: f"but {typed}"[:1_000]}) == {}
    assert await plan.sends(YOU, await plan.form(YOU, ASK), **{TEXT: f"and {typed}"[:1_000]}) == {}
    await all_is_tame(plan)
    await plan.goes_on()
    await all_is_tame(plan)
    await plan.clicks(EVE, ARGUMENTS)
    for each in (await plan.posts()).values():
        if shows(each, SHOW_ALL):
            await plan.it.clicks(EVE, SHOW_ALL, card=each)
    await opens(plan.it, YOU)
    state = await plan.state()
    assert state.status in (Status.TERMINATED, Status.CONVERGED)
    for wanted in (Format.MARKDOWN, Format.JSON):
        await exported(plan.it, await plan.form(YOU, EXPORT), wanted)
    await all_is_tame(plan)


async def all_is_tame(plan: Planned) -> None:
    for each in await seen(plan.it):
        is_tame(each)


# ── forged ────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("action", [STOP, POINT, ASK, ARGUMENTS, DECIDE, EXPORT, PLAN_IT])
async def test_a_button_with_a_value_that_is_none_of_ours(given: Given, caplog: LogCaptureFixture, action: str) -> None:
    plan = await argued(given)
    before, thread, told = await plan.events(), await plan.it.thread(), len(await plan.it.told("U_AYA"))

    for value in NO_VALUES:
        status, _ = await sent(plan.it, await click(plan, value, action))
        assert status == 400, value

    await plan.it.settles()
    assert "Traceback" not in caplog.text
    assert (await plan.events(), await plan.it.thread()) == (before, thread)
    assert (await plan.it.told("U_AYA"))[told:] == [WENT_WRONG] * len(NO_VALUES)


async def click(plan: Planned, value: object, action: str) -> dict[str, Any]:
    card = await plan.card()
    where = {"channel_id": card.channel, "message_ts": card.ts, "thread_ts": card.thread_ts, "is_ephemeral": False}
    return {
        "type": "block_actions",
        "container": {"type": "message", **where},
        "channel": {"id": card.channel, "name": "general"},
        "message": {"ts": card.ts, "thread_ts": card.thread_ts, "text": card.text},
        "actions": [an_action(value, action)],
    }


@pytest.mark.parametrize(
    ("action", "values"),
    [
        pytest.param(POINT, {TEXT: None}, id="an empty point"),
        pytest.param(POINT, {TEXT: " \n\u3000"}, id="blanks"),
        pytest.param(POINT, {TEXT: "x" * 1_001}, id="more than the form takes"),
        pytest.param(ASK, {TEXT: "x" * 100_000}, id="100,000 characters"),
        pytest.param(DECIDE, {CHOSEN: "planner", WHY: "x" * 1_001}, id="a long reason"),
    ],
)
async def test_words_that_no_form_takes_are_said_beside_the_field(
    given: Given, action: str, values: dict[str, str | None]
) -> None:
    plan = await argued(given)
    form = await plan.form(YOU, action)
    before = await plan.events()

    answer = await submits(plan, form.model_dump(mode="json"), values)

    [(field, told)] = answer["errors"].items()
    assert field == (CHOSEN if action == DECIDE else TEXT)
    assert told.startswith("Say it in a few words")
    assert await plan.events() == before


@pytest.mark.parametrize("chosen", ["host", "reporter", "nobody", "", None])
async def test_nobody_but_the_two_is_chosen(given: Given, chosen: str | None) -> None:
    plan = await argued(given)
    form = await plan.form(YOU, DECIDE)
    before = await plan.events()

    answer = await submits(plan, form.model_dump(mode="json"), {CHOSEN: chosen})

    assert [*answer["errors"]] == [CHOSEN]
    assert await plan.events() == before


@pytest.mark.parametrize("action", [POINT, ASK, DECIDE])
async def test_a_form_that_is_none_of_ours_stays_open_and_says_so(given: Given, action: str) -> None:
    plan = await argued(given)
    form = (await plan.form(YOU, action)).model_dump(mode="json")
    before = await plan.events()
    field = CHOSEN if action == DECIDE else TEXT
    spoilt: list[dict[str, Any]] = [
        *({"private_metadata": each} for each in NO_VALUES),
        {"state": None},
        {"state": {"values": None}},
        {"callback_id": "plan.maybe"},
    ]

    for instead in spoilt:
        status, answer = await sent(plan.it, sent_in(form | {"state": {"values": {}}} | instead))
        assert (status, [*answer["errors"]]) == (200, [field]), instead

    assert await plan.events() == before


async def submits(plan: Planned, form: Mapping[str, Any], values: Mapping[str, str | None]) -> dict[str, Any]:
    chosen = {"selected_option": {"value": values.get(CHOSEN)}}
    entered = {name: {name: chosen if name == CHOSEN else {"value": said}} for name, said in values.items()}
    view = {**form, "state": {"values": entered}}
    return await dispatched(plan.it, REQUESTER, {"type": "view_submission", "view": view, "response_urls": []})
