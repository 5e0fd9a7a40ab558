"""Every route, called with the names of another tenant's things: it shows nothing of theirs, and changes nothing.

The routes are those that are served. A new one fails here until it says with what body a stranger would call it.
"""

from collections.abc import Mapping
from typing import Any, Final

import pytest

from bot.api.route import Route
from bot.listeners.deliberation import planning
from bot.listeners.delivery import beginning
from bot.listeners.negotiation import intake
from bot.workspace_settings import directory_key
from engine.deliberation.terms import Brief
from engine.delivery.planning.briefs import brief_of_goal
from engine.directory.messages import SaveProfile
from engine.directory.profile import Profile
from engine.directory.rules import RULEBOOK as DIRECTORY
from engine.kernel import FieldKind, Place, StreamKey, Tenant, Who
from engine.negotiation.actions import ACTIONS
from engine.store.port import Store

from .api_harness import ALL, AYA, HERE, ROUTES, YOU, ApiHarness, token
from .conftest import Begin

THERE: Final = Tenant("T_THERE")
CANARY: Final = "canaryofthere"
NAMED: Final = f"user_agent_{CANARY}"
TOKENS: Final = (token("all", *ALL), token(YOU, *ALL, user=YOU), token(AYA, *ALL, user=AYA))

ABOUT: Final[Mapping[str, Any]] = {"agent_id": "user_agent_aya", "round": 1, "digest": "0", "key": "1"}
ENTERED: Final[Mapping[FieldKind, Any]] = {
    FieldKind.TEXT: "I am ill",
    FieldKind.FLAG: True,
    FieldKind.PICKS: ["user_agent_aya"],
    FieldKind.PERSON: AYA,
    FieldKind.DATUM: {"kind": "people", "at_most": 20},
}


def acts() -> dict[str, Any]:
    """What each action of a negotiation is called with."""
    return {
        each.name.replace(".", "_"): {
            **{name: ABOUT[name] for name in each.about},
            **{field.name: ENTERED[field.kind] for field in each.fields},
            **({"user_id": YOU} if each.who is Who.OWNER else {}),
        }
        for each in ACTIONS
    }


BODIES: Final[Mapping[str, Any]] = {
    **acts(),
    "submit": {"raw_input": "A venue for 50 people", "user_id": YOU},
    "begin_deliberation": {"message": "Plan an evening", "userId": YOU},
    "stop_deliberation": {"userId": YOU},
    "choose_position": {"chosen": "planner", "userId": YOU},
    "raise_point": {"text": "Rain"},
    "ask_critic": {"text": "Why?"},
    "begin_delivery": {"goal": "Set up the hall", "userId": YOU},
    "answer_questions": {"userId": YOU, "number": 1, "answers": ["Yes"]},
    "add_ticket": {"userId": YOU, "title": "Chairs"},
    "raise_budget": {"userId": YOU, "tokens": 1_000_000},
    "stop_delivery": {"userId": YOU},
    "review_ticket": {"userId": YOU, "decision": "approved"},
    "answer_block": {"userId": YOU, "text": "Go on"},
    "answer_permission": {"userId": YOU, "digest": f"sha256:{0:064x}", "choice": "refuse"},
    "change_owner": {"userId": YOU, "owner_user_id": AYA},
    "change_checking": {"userId": YOU, "risk": "high", "checked_by": AYA},
    "drop_ticket": {"userId": YOU},
    "reset_ticket": {"userId": YOU},
    "block_ticket": {"why": "No key"},
    "finish_ticket": {"evidence": [{"label": "Chairs", "text": "Done"}], "summary": "Done"},
    "answer_proposal": {"agrees": True},
    "hand_ticket_over": {"to": AYA},
    "take_ticket": {},
    "decline_ticket": {},
    "take_envelope": {},
    "say_of_limit": {"state": "off"},
    "choose_reach": {"twin": "prepares"},
    "say_of_own_limit": {"state": "off"},
    "add": {"agent_id": "user_agent_new"},
    "change": {"revision": 0},
}
"""By the names of handlers; those of profiles are filled with one of ours."""


class Stranger:
    """Another tenant's things in the same store, and their names."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self.names = names

    def path(self, route: Route) -> str:
        path = route.path
        for name, value in self.names.items():
            path = path.replace("{" + name + "}", value)
        if "{session_id}" in path:
            path = path.replace("{session_id}", self.names["plan" if "deliberations" in path else "delivery"])
        return path


async def living_there(it: ApiHarness, like: Mapping[str, Any]) -> Stranger:
    services = it.server.context.services
    demand = await intake.begin(services, THERE, cause="c1", by=YOU, text=f"A hall for {CANARY}", place=Place())
    plan = await planning.begin(
        services, THERE, cause="c2", by=YOU, brief=Brief(title=CANARY, goal=f"A day for {CANARY}"), place=Place()
    )
    goal = brief_of_goal(f"Chairs for {CANARY}", by=YOU, today="2027-01-15", time_zone="UTC")
    delivery = await beginning.begin(services, THERE, cause="c3", by=YOU, brief=goal, place=Place())
    saved = SaveProfile(
        command_id="c4", at=it.clock.now(), by=YOU, as_admin=True, agent_id=NAMED, revision=0,
        profile=Profile.model_validate({**like, "agent_id": NAMED, "user_name": CANARY, "slack_user": None}),
    )  # fmt: skip
    await services.gateway.begin(directory_key(THERE), DIRECTORY, saved, is_admitted=True)
    await it.runtime.activity.idle()
    return Stranger(
        {
            "demand_id": "d-" + demand.key.stream.removeprefix("collab-"),
            "plan": plan.key.stream,
            "delivery": delivery.key.stream,
            "agent_id": NAMED,
            "ticket_id": "T-1",
            "number": "1",
            "key": "0123456789abcdef",
        }
    )


def with_profile(name: str, body: Any, like: Mapping[str, Any]) -> Any:
    match name:
        case "add":
            return {**like, **body, "slack_user": None}
        case "change":
            return {"profile": {**like, "agent_id": NAMED, "slack_user": None}, **body}
        case _:
            return body


async def everything_there(store: Store) -> Any:
    events = await store.events(THERE, 0, 10_000)
    return events, [await store.load(StreamKey(THERE, each)) for each in {event.key.stream for event in events}]


def test_every_route_with_a_body_is_tried() -> None:
    assert {each.handler.__name__ for each in ROUTES if each.body is not None} == BODIES.keys()


@pytest.mark.parametrize("name", [each.name for each in TOKENS])
async def test_no_route_shows_or_moves_anything_of_another_tenant(begin: Begin, name: str) -> None:
    it = await begin(tokens=TOKENS)
    like = (await it.as_("all").get("/api/v1/admin/profiles/user_agent_aya")).body["profile"]
    there = await living_there(it, like)
    before = await everything_there(it.store)
    assert CANARY in repr(before)

    for route in ROUTES:
        called = route.handler.__name__
        path, body = there.path(route), with_profile(called, BODIES.get(called), like)
        assert "{" not in path
        answer = await it.as_(name).calls(route.method, path, body)
        said = str(answer.body).replace(NAMED, "")  # a refusal may repeat what was asked for
        assert CANARY not in said, f"{route.method} {path} tells of another tenant"
        is_about_theirs = path != route.path
        assert not is_about_theirs or answer.status in (403, 404, 422), f"{route.method} {path} finds {answer}"
    await it.runtime.activity.idle()

    assert await everything_there(it.store) == before
    assert not [each for each in await it.store.tenants() if each not in (HERE, THERE)]


@pytest.mark.parametrize("path", ["/api/v1/deliberations", "/api/v1/deliveries"])
async def test_nothing_goes_on_from_what_another_tenant_has(begin: Begin, path: str) -> None:
    it = await begin(tokens=TOKENS)
    like = (await it.as_("all").get("/api/v1/admin/profiles/user_agent_aya")).body["profile"]
    there = await living_there(it, like)
    before = await everything_there(it.store)

    for origin in (there.names["demand_id"].replace("d-", "collab-"), there.names["plan"], there.names["delivery"]):
        answer = await it.as_("all").post(path, {"origin": origin, "userId": YOU})
        assert (answer.status, answer.code) == (404, "E007"), answer
    assert await everything_there(it.store) == before
