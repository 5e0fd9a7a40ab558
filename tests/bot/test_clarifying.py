"""Before it is planned, whoever asked is asked what the Manager lacks; a budget that is spent can be raised."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any, Final

from bot.demo.demo import CHANNEL
from bot.registry import DELIVERY
from bot.views.delivery.button_values import BUDGET, CLARIFY
from bot.views.delivery.forms_leading import TOKENS, USD
from engine.delivery.answers import ClarifyAnswer, PlanAnswer, PlannedTask
from engine.delivery.commands import RecordClarification, RecordPlan
from engine.delivery.state import Delivery, Status
from engine.delivery.terms import Cost, PersonNeed
from engine.errors import ModelError
from engine.kernel import Ask, Command, Millis, StreamKey, Tenant

from .conftest import Begin
from .driver import ADMIN, EVE, YOU, Driver, shows, text_of
from .home import says
from .leading import AGENT, Led, led
from .roles import Role, dispatched
from .ticketing import UNMANAGED, NobodyManages, task

GOAL: Final = "Fifty people meet for an evening about AI."


class Asks(NobodyManages):
    """A Manager who asks two questions once, and then plans one task of whoever asked."""

    def fallback(self, state: Delivery, ask: Ask, why: ModelError, *, command_id: str, at: Millis) -> Command:
        match ask.prompt:
            case "clarify":
                questions = () if state.clarifications else ("Where is it?", "Who pays?")
                answer = ClarifyAnswer(questions=questions, intent_summary="An evening")
                number = len(state.clarifications) + 1
                return RecordClarification(command_id=command_id, at=at, number=number, answer=answer)
            case "plan":
                tasks = (PlannedTask(task_id="room", title="Book the room", owner=YOU),)
                return RecordPlan(command_id=command_id, at=at, number=1, answer=PlanAnswer(tasks=tasks))
            case _:
                return super().fallback(state, ask, why, command_id=command_id, at=at)


ASKING: Final = tuple(
    replace(each, asks=lambda prompts, people: Asks()) if each.name == DELIVERY.name else each for each in UNMANAGED
)


async def asked(begin: Begin) -> Led:
    it = await begin(linked=[], protocols=ASKING)
    await it.demo.person(YOU).slash(CHANNEL, "/towow", f"deliver {GOAL}")
    await it.settles()
    [stream] = {each["event_payload"]["stream"] for each in await metadata(it)}
    workspace = it.demo.workspace
    return Led(it, StreamKey(Tenant(workspace.team_id, workspace.enterprise_id or ""), stream))


async def metadata(it: Driver) -> list[dict[str, Any]]:
    return [each.metadata for each in await it.everything(YOU) if each.metadata]


async def test_questions_are_answered_in_a_form_and_the_answers_stay_in_the_thread(driver: Begin) -> None:
    it = await asked(driver)
    card = (await it.posts())["clarification-1"]
    assert f"<@{YOU}>, before it is planned, the Manager would like to know:" in text_of(card)
    form = await it.opens(YOU, CLARIFY)
    assert "What was understood: An evening" in says(form)

    await it.fills(YOU, form, **{"answer-1": "In the Loft", "answer-2": ""})

    state = await it.state()
    assert state.clarifications[0].answers == ("In the Loft", "")
    assert state.status is Status.WORKING
    settled = (await it.posts())["clarification-1"]
    assert not shows(settled, CLARIFY)
    assert "1. Where is it?\n      ↳ In the Loft" in text_of(settled)
    assert "planned by the Manager" in text_of((await it.posts())["board"])


async def test_an_admin_answers_once_and_what_comes_later_changes_nothing(driver: Begin) -> None:
    it = await asked(driver)
    first, late = await it.opens(ADMIN, CLARIFY), await it.opens(YOU, CLARIFY)
    await it.fills(ADMIN, first, **{"answer-1": "In the Loft"})
    before = await it.events()

    refused = await it.fills(YOU, late, **{"answer-1": "In the Hall"})

    assert "answer-1" in refused.errors
    assert await it.events() == before


async def test_nobody_else_answers(driver: Begin) -> None:
    it = await asked(driver)
    before = await it.events()
    view = {
        "id": "V_FORGED", "hash": "1", "type": "modal", "callback_id": CLARIFY,
        "private_metadata": json.dumps({"stream": it.key.stream, "number": 1}),
        "state": {"values": {"answer-1": {"answer-1": {"value": "In the Hall"}}}},
    }  # fmt: skip

    answer = await dispatched(
        it.it, Role("somebody", EVE), {"type": "view_submission", "view": view, "response_urls": []}
    )

    assert answer["errors"]["answer-1"].startswith("That is for somebody else")
    assert await it.events() == before


async def test_what_nobody_answers_is_said_to_be_unanswered(driver: Begin) -> None:
    it = await asked(driver)
    await it.it.passes()
    assert (await it.state()).status is Status.WORKING
    assert "were not answered" in text_of((await it.posts())["clarification-1"])


async def test_a_budget_that_is_spent_is_raised_and_it_goes_on(driver: Begin) -> None:
    dear = {"failure": "exit", "cost": Cost(usd=5.0)}
    it = await led(driver, task(owner=AGENT), outcomes=[dear])
    while (await it.ticket()).need is None:
        await it.it.passes()
    assert (await it.ticket()).need is PersonNeed.BUDGET
    assert "$5.00" in text_of((await it.posts())["decision-T-1-1"])
    form = await it.opens(YOU, BUDGET)

    refused = await it.fills(YOU, form, **{USD: None, TOKENS: None})
    assert refused.errors == {USD: "Say how much more, in dollars or in tokens."}
    await it.fills(YOU, form, **{USD: "10"})

    assert (await it.state()).usd_raised == 10
    assert f"<@{YOU}> has raised the budget." in text_of((await it.posts())["decision-T-1-1"])
    assert (await it.ticket()).report is not None
