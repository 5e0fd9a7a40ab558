"""manifest.yml: what Slack would take, and what the code needs; no more, no less."""

import ast
import json
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest
import yaml
from jsonschema_rs import Draft7Validator
from slack_sdk.web.async_client import AsyncWebClient

from bot.listeners.actor import RAN_BY
from bot.listeners.messages import COMMAND
from bot.listeners.negotiation.workflow_step import DEMAND, STEP, WHERE
from bot.local_slack import App
from bot.local_slack.web_api.calls import BY_CHANNEL, SCOPE_OF
from bot.slack.manifest import OF_MANY, RUN, manifest_for_many, without_step
from bot.views.negotiation.demand.demand_form import FROM_MESSAGE, NEW

ROOT: Final = Path(__file__).parents[2]
SCHEMA: Final = ROOT.parent / "shared" / "slack" / "manifest.schema.json"
MANIFEST: Final[dict[str, Any]] = yaml.safe_load((ROOT / "manifest.yml").read_text("utf-8"))
NEEDED: Final = frozenset(MANIFEST["oauth_config"]["scopes"]["bot"])
OPTIONAL: Final = frozenset(MANIFEST["oauth_config"]["scopes"]["bot_optional"])
SCOPES: Final = NEEDED | OPTIONAL
OF_NO_CALL: Final = {"commands", "chat:write.public"}
"""Scopes that let something come, or let a call do more: the slash command, posts to channels that we are not in."""
EVENTS: Final = frozenset(MANIFEST["settings"]["event_subscriptions"]["bot_events"])

EVERY_HISTORY: Final = {"channels:history", "groups:history", "im:history", "mpim:history"}
SCOPES_OF_EVENTS: Final = {
    "agent_session_stopped": "assistant:write",
    "app_home_opened": None,
    "app_mention": "app_mentions:read",
    "message.channels": "channels:history",
    "message.groups": "groups:history",
    "message.im": "im:history",
    "message.mpim": "mpim:history",
    "channel_id_changed": "channels:read",
    "channel_shared": "channels:read",
    "channel_unarchive": "channels:read",
    "channel_unshared": "channels:read",
    "function_executed": None,
    "group_unarchive": "groups:read",
    "member_joined_channel": "channels:read",
    "user_change": "users:read",
}
"""Source: docs.slack.dev/reference/events, of each event; so for methods."""
SCOPES_OF_METHODS: Final[dict[str, set[str]]] = {
    "agents_sessions_setStatus": {"chat:write"},
    "api_call": set(),  # by which the SDK itself makes every call
    "apps_connections_open": set(),  # the app-level token's own
    "assistant_threads_setSuggestedPrompts": {"assistant:write"},
    "auth_teams_list": set(),
    "auth_test": set(),
    "blocks_validate": set(),
    "chat_delete": {"chat:write"},
    "chat_getPermalink": set(),
    "chat_postEphemeral": {"chat:write"},
    "chat_postMessage": {"chat:write"},
    "chat_update": {"chat:write"},
    "conversations_history": EVERY_HISTORY,
    "conversations_info": {"channels:read", "groups:read", "im:read", "mpim:read"},
    "conversations_join": {"channels:join"},
    "conversations_members": {"channels:read", "groups:read", "im:read", "mpim:read"},
    "conversations_open": {"im:write"},
    "conversations_replies": EVERY_HISTORY,
    "dnd_teamInfo": {"dnd:read"},
    "functions_completeError": set(),
    "functions_completeSuccess": set(),
    "files_info": {"files:read"},
    "files_upload_v2": {"files:write"},
    "oauth_v2_access": set(),
    "reactions_add": {"reactions:write"},
    "reactions_remove": {"reactions:write"},
    "usergroups_list": {"usergroups:read"},
    "usergroups_users_list": {"usergroups:read"},
    "users_info": {"users:read"},
    "views_open": set(),
    "views_publish": set(),
    "views_push": set(),
    "views_update": set(),
}


def calls() -> Iterator[tuple[str, ast.Call]]:
    """Every call of a method in the code that talks to Slack, by the method's name."""
    for path in sorted((ROOT / "bot").rglob("*.py")):
        if "workspace" not in path.parts:
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                    yield node.func.attr, node


def listened_to() -> set[str]:
    """The events there are listeners for, by Slack's names."""
    heard = {
        argument.value
        for name, call in calls()
        for argument in call.args[:1]
        if name == "event" and isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    }
    return heard | {RUN for name, call in calls() if name == "function" and len(call.args) == 1}


@pytest.mark.skipif(not SCHEMA.is_file(), reason="Slack's manifest schema is not beside this checkout")
def test_slack_would_take_it() -> None:
    schema = json.loads(SCHEMA.read_text("utf-8"))

    problems = [f"{each.instance_path}: {each.message}" for each in Draft7Validator(schema).iter_errors(MANIFEST)]

    assert problems == []


@pytest.mark.skipif(not SCHEMA.is_file(), reason="Slack's manifest schema is not beside this checkout")
@pytest.mark.parametrize(
    "made",
    [
        pytest.param(lambda: manifest_for_many("https://towow.example"), id="of many workspaces"),
        pytest.param(without_step, id="of a plan without steps"),
    ],
)
def test_slack_would_take_the_others(made: Callable[[], dict[str, Any]]) -> None:
    schema = json.loads(SCHEMA.read_text("utf-8"))

    assert [f"{each.instance_path}: {each.message}" for each in Draft7Validator(schema).iter_errors(made())] == []


def test_the_command_is_the_one_that_is_listened_to() -> None:
    assert [each["command"] for each in MANIFEST["features"]["slash_commands"]] == [COMMAND]


def test_the_step_is_the_one_that_is_listened_to_and_only_slack_says_who_asks() -> None:
    [(name, step)] = MANIFEST["functions"].items()
    asked = step["input_parameters"]["properties"]

    assert (name, {*asked}) == (STEP, {DEMAND, WHERE, RAN_BY})
    assert asked[RAN_BY]["type"] == "slack#/types/user_context"
    assert {*step["input_parameters"]["required"]} == {*asked}
    assert {*step["output_parameters"]["properties"]} == {"result", "status", "link"}
    assert MANIFEST["settings"]["function_runtime"] == "remote"
    assert MANIFEST["settings"]["org_deploy_enabled"] is True, "Slack takes a step from no other app"


def test_a_manifest_without_the_step_is_the_same_besides() -> None:
    made = without_step()
    app, whole = App.described_by(made), App.described_by(MANIFEST)

    assert (app.functions, {*whole.subscriptions} - {*app.subscriptions}) == ((), {RUN})
    assert app.model_copy(update={"functions": whole.functions, "subscriptions": whole.subscriptions}) == whole
    assert "function_runtime" not in made["settings"]
    assert made["settings"]["org_deploy_enabled"] is False


def test_an_app_that_any_workspace_can_install_has_no_step() -> None:
    assert "functions" not in manifest_for_many("https://towow.example")


def test_the_shortcuts_are_the_ones_that_are_listened_to() -> None:
    shortcuts = {each["callback_id"]: each["type"] for each in MANIFEST["features"]["shortcuts"]}

    assert shortcuts == {NEW: "global", FROM_MESSAGE: "message"}


def test_what_is_subscribed_to_is_what_is_listened_to() -> None:
    assert {each.split(".")[0] for each in EVENTS} | {*OF_MANY} == listened_to()
    assert EVENTS.isdisjoint(OF_MANY), "whoever installs the app by hand takes it out by hand"


@cache
def called() -> frozenset[str]:
    """The methods of Slack's that are called, as the SDK names them."""
    names = {name for name, _ in calls() if "_" in name.strip("_") and hasattr(AsyncWebClient, name)}
    return frozenset(names - {"api_call"})


def test_the_scopes_cover_the_events() -> None:
    assert {SCOPES_OF_EVENTS[each] for each in EVENTS} - {None} <= NEEDED


def test_the_scopes_cover_every_method_that_is_called() -> None:
    assert "chat_postMessage" in called()
    assert called() - SCOPES_OF_METHODS.keys() == set()
    assert {scope for name in called() for scope in SCOPES_OF_METHODS[name]} <= SCOPES


def test_no_scope_is_asked_for_that_nothing_needs() -> None:
    of_methods = {scope for name in called() for scope in SCOPES_OF_METHODS[name]}
    of_events = {SCOPES_OF_EVENTS[each] for each in EVENTS}

    assert of_methods | of_events - {None} | OF_NO_CALL == SCOPES
    assert NEEDED.isdisjoint(OPTIONAL)


def test_the_local_workspace_refuses_for_the_same_scopes() -> None:
    """It names methods as Slack does."""
    by_name = {name: each for name, each in SCOPES_OF_METHODS.items() if name in called()}
    same = {name.replace("_", "."): each for name, each in by_name.items()}

    assert {name: {scope} for name, scope in SCOPE_OF.items() if name in same} == {
        name: each for name, each in same.items() if name in SCOPE_OF
    }
    assert {name for name, each in same.items() if each and name not in SCOPE_OF} == {
        name for name in same if name in BY_CHANNEL
    } | {"conversations.open", "files.upload.v2"}


def test_it_is_declared_as_an_agent_in_few_words() -> None:
    told = MANIFEST["features"]["agent_view"]
    assert "assistant_view" not in MANIFEST["features"], "Slack takes one of the two"
    assert 0 < len(told["agent_description"]) <= 300
    assert 1 <= len(told["suggested_prompts"]) <= 4
    assert "assistant:write" in SCOPES


def test_people_can_write_to_it_and_press_its_buttons_without_a_public_address() -> None:
    home, settings = MANIFEST["features"]["app_home"], MANIFEST["settings"]

    assert home["home_tab_enabled"]
    assert home["messages_tab_enabled"]
    assert not home["messages_tab_read_only_enabled"]
    assert settings["interactivity"] == {"is_enabled": True}
    assert settings["socket_mode_enabled"]
    assert not without_step()["settings"]["org_deploy_enabled"], "only the step wants it"
