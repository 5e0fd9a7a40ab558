"""Everybody's profiles over HTTP, by admins: listed, added, edited, disabled and reset, as in the App Home."""

from typing import Any

import pytest

from .api_harness import HERE, ApiHarness

PATH = "/api/v1/admin/profiles"
AYA = f"{PATH}/user_agent_aya"


async def profile_of(harness: ApiHarness, path: str = AYA) -> dict[str, Any]:
    told: dict[str, Any] = (await harness.as_("admin").get(path)).body
    return told


async def new(harness: ApiHarness, **fields: Any) -> dict[str, Any]:
    like: dict[str, Any] = (await profile_of(harness))["profile"]
    return like | {"agent_id": "user_agent_dan", "user_name": "Dan", "slack_user": None} | fields


async def test_everybody_is_listed_in_the_order_of_their_ids(harness: ApiHarness) -> None:
    answer = await harness.as_("admin").get(PATH)

    assert answer.body["count"] == 2
    assert [each["agent_id"] for each in answer.body["profiles"]] == ["user_agent_aya", "user_agent_bo"]
    assert [(each["is_asked"], each["is_edited"]) for each in answer.body["profiles"]] == [(True, False)] * 2


async def test_whoever_is_added_is_asked(harness: ApiHarness) -> None:
    answer = await harness.as_("admin").post(PATH, await new(harness))

    assert (answer.status, answer.body["revision"], answer.body["is_edited"]) == (201, 1, True)
    assert (await harness.as_("admin").get(PATH)).body["count"] == 3
    harness.script.cast = ("dan",)
    await harness.asks()
    assert "respond/dan" in harness.script.asked


async def test_adding_somebody_twice_adds_them_once_and_somebody_else_of_that_name_not_at_all(
    harness: ApiHarness,
) -> None:
    dan, named = await new(harness), {"Idempotency-Key": "hire-dan"}
    first = await harness.as_("admin").post(PATH, dan, headers=named)

    assert (await harness.as_("admin").post(PATH, dan, headers=named)).body == first.body
    other = await harness.as_("admin").post(PATH, dan | {"location": "Rome"})
    assert (other.status, other.code) == (409, "E010")
    assert await profile_of(harness, f"{PATH}/user_agent_dan") == first.body


async def test_an_edit_holds_until_it_is_reset(harness: ApiHarness) -> None:
    before = await profile_of(harness)
    edited = before["profile"] | {"location": "Rome"}

    answer = await harness.as_("admin").put(AYA, {"profile": edited, "revision": before["revision"]})

    assert (answer.status, answer.body["profile"]["location"], answer.body["is_edited"]) == (200, "Rome", True)
    reset = await harness.as_("admin").post(f"{AYA}/reset")
    assert (reset.body["profile"], reset.body["is_edited"]) == (before["profile"], False)


async def test_an_edit_of_what_somebody_else_has_changed_is_refused(harness: ApiHarness) -> None:
    before = await profile_of(harness)
    edited = {"profile": before["profile"] | {"location": "Rome"}, "revision": before["revision"]}
    await harness.as_("admin").put(AYA, edited)

    answer = await harness.as_("admin").put(AYA, edited | {"profile": before["profile"]})

    assert (answer.status, answer.code) == (409, "E010")
    assert (await profile_of(harness))["profile"]["location"] == "Rome"


async def test_who_is_disabled_is_not_asked_until_enabled(harness: ApiHarness) -> None:
    answer = await harness.as_("admin").post(f"{AYA}/disable")

    assert (answer.body["is_disabled"], answer.body["is_asked"]) == (True, False)
    await harness.asks()
    assert "respond/aya" not in harness.script.asked
    assert (await harness.as_("admin").post(f"{AYA}/enable")).body["is_asked"]


async def test_whoever_was_made_here_is_gone_after_a_reset_and_can_be_made_anew(harness: ApiHarness) -> None:
    dan, path = await new(harness), f"{PATH}/user_agent_dan"
    await harness.as_("admin").post(PATH, dan)

    answer = await harness.as_("admin").post(f"{path}/reset")

    assert answer.body == {"agent_id": "user_agent_dan", "profile": None}
    assert (await harness.as_("admin").get(path)).status == 404
    assert (await harness.as_("admin").post(PATH, dan)).status == 201


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        pytest.param({"profile_summary": "short"}, "profile_summary", id="too short"),
        pytest.param({"agent_id": "dan"}, "agent_id", id="no agent id"),
        pytest.param({"tags": []}, "tags", id="no tags"),
        pytest.param({"wealth": 7}, "wealth", id="a field of no meaning"),
        pytest.param({"slack_user": "dan@else"}, "", id="nobody of Slack"),
        pytest.param({"slack_user": "U_AYA"}, "", id="a person with a twin"),
        pytest.param({"capabilities": {"chess": "a little"}}, "", id="what is no tag"),
    ],
)
async def test_a_profile_that_cannot_be_is_refused(harness: ApiHarness, fields: dict[str, Any], field: str) -> None:
    answer = await harness.as_("admin").post(PATH, await new(harness, **fields))

    assert (answer.status, answer.code) == (400, "E001")
    assert [each["field"] for each in answer.body["errors"]] == ([field] if field else [])
    assert (await harness.as_("admin").get(PATH)).body["count"] == 2


@pytest.mark.parametrize("act", ["disable", "enable", "reset"])
async def test_of_somebody_unknown_nothing_can_be_done(harness: ApiHarness, act: str) -> None:
    answer = await harness.as_("admin").post(f"{PATH}/user_agent_nobody/{act}")

    assert (answer.status, answer.code) == (404, "E008")


async def test_whose_token_it_was_is_on_record(harness: ApiHarness) -> None:
    await harness.as_("admin").post(f"{AYA}/disable")

    events = await harness.store.events(("T_HERE", ""), 0, 100)  # type: ignore[arg-type]

    assert '"by":"token:admin"' in events[-1].public


# ── what somebody holds to ────────────────────────────────────────────────────────────────────────────────────────

OWN = "/api/v1/twin/limits"
NOT_MONDAYS = {"kind": "days", "weekdays": ["mon"], "first": "", "last": "", "allowed": False}


async def says_mondays(harness: ApiHarness, path: str = AYA) -> str:
    """Let the twin be told a line, and return where it is said what of it holds."""
    before = await profile_of(harness, path)
    told = before["profile"] | {"from_now_on": ["周一不行"]}
    await harness.as_("admin").put(path, {"profile": told, "revision": before["revision"]})
    entry = (await harness.server.context.services.settings.directory(HERE)).entry(path.rpartition("/")[2])
    assert entry.profile is not None
    return entry.profile.stated_limits[0].key


async def test_somebody_says_over_http_what_they_hold_to(harness: ApiHarness) -> None:
    key = await says_mondays(harness)
    [told] = (await harness.as_("U_AYA").get(OWN)).body["limits"]
    assert (told["words"], told["state"], told["data"], told["holds_as_data"]) == ("周一不行", "read", None, False)

    answer = await harness.as_("U_AYA").put(f"{OWN}/{key}", {"state": "on", "data": NOT_MONDAYS})

    assert answer.status == 200
    assert answer.body == (await harness.as_("U_AYA").get(OWN)).body
    [told] = answer.body["limits"]
    assert (told["data"], told["scope"], told["holds_as_data"]) == (NOT_MONDAYS, "own", True)


async def test_nobody_else_is_told_or_says_it_not_even_an_admin(harness: ApiHarness) -> None:
    key = await says_mondays(harness)
    await harness.as_("U_AYA").put(f"{OWN}/{key}", {"state": "on", "data": NOT_MONDAYS})

    for name in ("U_BO", "admin"):
        assert (await harness.as_(name).put(f"{OWN}/{key}", {"state": "off"})).status in (403, 404)
    for call in (harness.as_("admin").get(f"{AYA}/limits"),
                 harness.as_("admin").put(f"{AYA}/limits/{key}", {"state": "off"})):  # fmt: skip
        answer = await call
        assert (answer.status, answer.code) == (403, "E012")
    assert "mon" not in str((await profile_of(harness))["profile"]["limit_data"])
    [told] = (await harness.as_("U_AYA").get(OWN)).body["limits"]
    assert told["holds_as_data"]


async def test_of_a_twin_that_is_nobodys_an_admin_says_it(harness: ApiHarness) -> None:
    path = f"{PATH}/user_agent_dan"
    await harness.as_("admin").post(PATH, await new(harness))
    key = await says_mondays(harness, path)

    answer = await harness.as_("admin").put(f"{path}/limits/{key}", {"state": "on", "data": NOT_MONDAYS})

    assert (answer.status, answer.body["limits"][0]["holds_as_data"]) == (200, True)
    assert (await harness.as_("admin").put(f"{path}/limits/0123", {"state": "off"})).status == 404


async def test_a_profile_that_is_changed_keeps_what_its_owner_has_said_and_brings_nothing_of_its_own(
    harness: ApiHarness,
) -> None:
    key = await says_mondays(harness)
    await harness.as_("U_AYA").put(f"{OWN}/{key}", {"state": "on", "data": NOT_MONDAYS})
    before = await profile_of(harness)
    forged = {"words": "周一不行", "source": "from_now_on", "state": "off"}

    changed = before["profile"] | {"location": "Rome", "limit_data": [forged]}
    answer = await harness.as_("admin").put(AYA, {"profile": changed, "revision": before["revision"]})

    assert (answer.status, answer.body["profile"]["location"]) == (200, "Rome")
    [told] = (await harness.as_("U_AYA").get(OWN)).body["limits"]
    assert told["holds_as_data"]


# ── how far a twin goes ───────────────────────────────────────────────────────────────────────────────────────────────

TWIN = "/api/v1/twin"


async def test_somebody_says_over_http_how_far_their_twin_goes(harness: ApiHarness) -> None:
    told = {"agent_id": "user_agent_aya", "twin": "votes"}
    assert (await harness.as_("U_AYA").get(TWIN)).body == told

    answer = await harness.as_("U_AYA").put(TWIN, {"twin": "prepares"})

    assert (answer.status, answer.body) == (200, told | {"twin": "prepares"})
    assert (await profile_of(harness))["profile"]["twin"] == "prepares"
    assert (await harness.as_("U_AYA").put(TWIN, {"twin": "never"})).status == 400
    assert (await harness.as_("program").put(TWIN, {"twin": "votes"})).status in (403, 404)


async def test_an_admin_who_changes_the_rest_changes_nothing_of_it(harness: ApiHarness) -> None:
    await harness.as_("U_AYA").put(TWIN, {"twin": "prepares"})
    before = await profile_of(harness)
    changed = before["profile"] | {"location": "Rome", "twin": "votes"}

    answer = await harness.as_("admin").put(AYA, {"profile": changed, "revision": before["revision"]})

    assert (answer.body["profile"]["location"], answer.body["profile"]["twin"]) == ("Rome", "prepares")
