"""A workflow runs a step of the app's: what the app is told, how it ends the step, and what Slack refuses."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from bot.local_slack import App, LocalWorkspace, NotPossible, Person
from bot.local_slack.installation import Function

from .conftest import AYA, CHANNELS, GENERAL, USERS, client_of
from .raw_connections import raw_connection

STEP = Function(
    callback_id="ask",
    title="Ask",
    inputs={"what": "string", "where": "slack#/types/channel_id", "by": "slack#/types/user_context"},
    required=("what", "by"),
    outputs={"answer": "string", "more": "string"},
    must_return=("answer",),
)


@pytest.fixture
async def workspace() -> AsyncIterator[LocalWorkspace]:
    async with LocalWorkspace(users=USERS, channels=CHANNELS, app=App(functions=(STEP,))) as workspace:
        yield workspace


@pytest.fixture
def client(workspace: LocalWorkspace) -> AsyncWebClient:
    return client_of(workspace)


@pytest.fixture
def aya(workspace: LocalWorkspace) -> Person:
    return workspace.person(AYA)


async def test_the_app_hears_what_the_step_is_given_and_who_runs_the_workflow(
    workspace: LocalWorkspace, aya: Person
) -> None:
    async with raw_connection(workspace) as tap:
        run = await aya.run_workflow("ask", what="A room", where=GENERAL)
        event: dict[str, Any] = (await tap.next())["payload"]["event"]
    assert event["type"] == "function_executed"
    assert event["function"]["callback_id"] == "ask"
    assert event["function_execution_id"] == run.id
    assert event["inputs"] | {"by": event["inputs"]["by"]["id"]} == {"what": "A room", "where": GENERAL, "by": AYA}
    assert {each["name"]: each["is_required"] for each in event["function"]["input_parameters"]} == {
        "what": True, "where": False, "by": True,
    }  # fmt: skip


async def test_a_step_ends_once_with_the_outputs_that_the_manifest_names(
    workspace: LocalWorkspace, client: AsyncWebClient, aya: Person
) -> None:
    run = await aya.run_workflow("ask", what="A room", where=GENERAL)
    for outputs in ({}, {"answer": 7}, {"answer": "Yes", "other": "x"}):
        with pytest.raises(SlackApiError, match="parameter_validation_failed"):
            await client.functions_completeSuccess(function_execution_id=run.id, outputs=outputs)
    await client.functions_completeSuccess(function_execution_id=run.id, outputs={"answer": "Yes"})
    for again in (
        client.functions_completeSuccess(function_execution_id=run.id, outputs={"answer": "No"}),
        client.functions_completeError(function_execution_id=run.id, error="No"),
    ):
        with pytest.raises(SlackApiError, match="execution_not_in_running_state"):
            await again
    with pytest.raises(SlackApiError, match="function_execution_not_found"):
        await client.functions_completeError(function_execution_id="Fx0", error="No")
    [kept] = await workspace.admin.step_runs()
    assert (kept.status, kept.outputs) == ("completed", {"answer": "Yes"})
    assert [(each.text, each.user) for each in await aya.messages(GENERAL)] == [("Yes", "B_WORKFLOW")]


async def test_only_whoever_ran_the_workflow_is_told_why_it_ended(
    workspace: LocalWorkspace, client: AsyncWebClient, aya: Person, bo: Person
) -> None:
    run = await aya.run_workflow("ask", what="A room", where=GENERAL)
    await client.functions_completeError(function_execution_id=run.id, error="Nobody is there.")
    assert [each.text for each in await aya.messages(GENERAL)] == ["This workflow has ended: Nobody is there."]
    assert await bo.messages(GENERAL) == []


async def test_what_the_client_would_not_let_somebody_do(workspace: LocalWorkspace, aya: Person) -> None:
    with pytest.raises(NotPossible, match="lacks what"):
        await aya.run_workflow("ask", where=GENERAL)
    with pytest.raises(NotPossible, match="Slack itself fills in by"):
        await aya.run_workflow("ask", what="A room", by={"id": "U_BO"})
    with pytest.raises(NotPossible, match="no step other"):
        await aya.run_workflow("other")
    assert (await workspace.admin.run_on_schedule("ask", what="A room")).user == ""
