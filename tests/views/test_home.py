"""The App Home and its forms, whatever people wrote: Slack takes them, they harm nobody, and are read as shown."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.local_slack.blocks import view_problems
from bot.texts import Texts, texts_in
from bot.views.directory.admins import AdminOverview, find_form, import_form, person_card
from bot.views.directory.buttons import PREPARES, VOTES
from bot.views.directory.home_page import Home, home
from bot.views.directory.limit_form import limits_form, read_limits
from bot.views.directory.notifications_form import Told, notifications_form, read_notifications
from bot.views.directory.profile_form import OpenedProfileForm, profile_form, read_profile
from bot.views.directory.settings_form import read_settings, settings_form
from bot.views.directory.twin import TwinVotes, own_twin_blocks
from bot.views.kit.blocks import section
from bot.views.kit.days import duration
from bot.views.kit.fields import InvalidForm
from bot.views.kit.home_part import Agenda, HomeSections
from bot.views.kit.mrkdwn import slack_length
from bot.views.negotiation.home import sections
from bot.views.negotiation.settings import NegotiationSettings
from engine.directory.held import Notifications, QuietHours
from engine.directory.messages import Settings
from engine.directory.profile import Limits, Profile, Words
from engine.directory.state import Directory, Entry
from engine.negotiation.policy import Policy
from engine.negotiation.state import Negotiation
from tests.examples import examples
from tests.negotiation.scenario import REQUESTER
from tests.profiles.people import person, shipped
from tests.views.corpus import negotiations
from tests.views.message_contents import CALL_TO_ALL, ESCAPED, OURS, Json, schema, texts_within
from tests.views.stories import voting, words

anything = settings(
    max_examples=examples(8), deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
LANGUAGES = ("en", "zh")
OPENED = OpenedProfileForm(agent_id="user_agent_bo", revision=3, for_user="U_BO")
PARTS = (NegotiationSettings(),)
LONG = "<!channel> & <@U1> *bold* `code` " * 20
HOSTILE = person(
    user_name=LONG[:80],
    profile_summary=LONG[:500],
    location=LONG[:200],
    tags=[f"{LONG[:200]}{number}" for number in range(40)],
    capabilities={f"{LONG[:200]}{number}": LONG for number in range(40)},
    languages=[LONG[:100]] * 12,
    availability=LONG,
    slack_user="U_BO",
    limits=Limits(
        busy=Words(en=LONG),
        min_attendees=2,
        max_attendees=9,
        locations=(LONG,) * 20,
        never=(LONG,) * 50,
        paid_only=True,
    ),
)


NIGHT = QuietHours(start="22:00", end="07:30")
TOLD = (
    Told(),
    Told(Notifications(when="step", quiet=NIGHT), time_zone="America/Argentina/ComodRivadavia"),
    Told(Notifications(when="digest", quiet=NIGHT), ("06:00", "09:00", "12:00", "15:00", "18:00", "21:00")),
)


def said(view: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """What is sent where nobody has changed anything."""
    return {
        block["block_id"]: {block["element"]["action_id"]: _state(block["element"])}
        for block in view["blocks"]
        if block["type"] == "input"
    }


def _state(element: Json) -> Json:
    return {
        "value": element.get("initial_value"),
        "selected_option": element.get("initial_option"),
        "selected_options": element.get("initial_options", []),
        "selected_time": element.get("initial_time"),
        "selected_user": element.get("initial_user"),
        "selected_users": element.get("initial_users", []),
        "selected_conversations": element.get("initial_conversations", []),
    }


def sent(view: Mapping[str, Any], **instead: str) -> dict[str, Any]:
    values = said(view)
    for name, value in instead.items():
        values[name][name]["value"] = value
    return {**view, "state": {"values": values}}


def is_fine(view: Mapping[str, Any]) -> None:
    """Slack takes it, and it calls nobody."""
    assert view_problems(dict(view)) == []
    assert len(json.dumps(view["blocks"])) < 250_000
    for text in texts_within(list(view["blocks"])):
        assert slack_length(text["text"]) <= 3_000
        assert not CALL_TO_ALL.search(text["text"])
        if text["type"] == "mrkdwn":
            rest = OURS.sub("", text["text"])
            assert "<" not in rest
            assert "&" not in ESCAPED.sub("", rest)


def overview(*people: Profile, **more: Any) -> AdminOverview:
    entries = {each.agent_id: Entry(loaded=each) for each in people}
    counts = {"open_streams": 3, "owed": 1, "alarms": 2, "parked": 1}
    decided = [*NegotiationSettings().lines(Policy(), texts_in("en"))]
    return AdminOverview(
        Directory(entries, **more), decided, frozenset({"U_ADMIN"}), counts, "Claude", 1_800_000_000_000
    )


@anything
@given(st.lists(negotiations(most_people=8), max_size=2), st.sampled_from(LANGUAGES), st.booleans(), st.data())
def test_whatever_waits_for_somebody_fits_and_is_harmless(
    states: Sequence[Negotiation], language: Any, is_paused: bool, data: st.DataObject
) -> None:
    twin = ("user_agent_bo", Entry(edited=HOSTILE.model_copy(update={"availability": data.draw(words())})))
    texts, agenda = texts_in(language), Agenda([*states] * 3, [*states] * 6, [*states] * 2, older=4, promised=states)
    page = Home(REQUESTER, twin, [sections(agenda, REQUESTER, texts)], overview=overview(HOSTILE))

    is_fine(home(page, texts))


@pytest.mark.parametrize("language", LANGUAGES)
def test_slacks_schemas_take_them(language: Any) -> None:
    speaks = texts_in(language)
    entry = Entry(loaded=person(), edited=HOSTILE, is_disabled=True)
    views = [
        home(Home("U_BO", ("user_agent_bo", entry), [], overview=overview(HOSTILE)), speaks),
        home(Home("U_BO", None, [sections(Agenda(), "U_BO", speaks)]), speaks),
        *(home(Home("U_BO", None, [], told=each), speaks) for each in TOLD),
        *forms(speaks),
        person_card("user_agent_bo", entry, speaks),
        person_card("user_agent_bo", Entry(edited=HOSTILE), speaks),
    ]
    for view in views:
        is_fine(view)
        assert [error.message for error in schema("views.schema.json").iter_errors(view)] == []


def asked_settings(revision: int, settings: Settings, speaks: Texts) -> dict[str, Any]:
    return settings_form(revision, settings, [(each, Policy()) for each in PARTS], speaks)


def forms(speaks: Texts) -> list[dict[str, Any]]:
    many = {f"user_agent_p{number}": Entry(loaded=person(f"p{number}", user_name=LONG[:60])) for number in range(950)}
    return [
        profile_form(OPENED, HOSTILE, speaks),
        profile_form(OpenedProfileForm(), None, speaks, by_admin=True),
        limits_form(OPENED, HOSTILE, speaks),
        asked_settings(4, Settings(human_window=90, channels=("C1",), admins=("U1",)), speaks),
        find_form(many, speaks),
        import_form(speaks),
        *(notifications_form(each, speaks) for each in TOLD),
    ]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("profile", shipped().values(), ids=lambda each: each.agent_id)
def test_a_form_that_is_sent_as_it_was_shown_changes_nothing(profile: Profile, language: Any) -> None:
    speaks = texts_in(language)
    opened = OpenedProfileForm(agent_id=profile.agent_id, for_user=profile.slack_user)

    view = profile_form(opened, profile, speaks)
    assert read_profile(sent(view), opened, profile, speaks) == profile
    assert read_limits(sent(limits_form(opened, profile, speaks)), profile.limits, speaks) == profile.limits


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("told", TOLD, ids=lambda each: each.chosen.when)
def test_how_somebody_is_told_is_read_as_it_was_shown(told: Told, language: Any) -> None:
    speaks = texts_in(language)

    assert read_notifications(sent(notifications_form(told, speaks)), speaks) == told.chosen


@pytest.mark.parametrize(
    ("times", "beside"),
    [({"quiet_from": "22:00"}, "quiet_to"), ({"quiet_to": "07:00"}, "quiet_from"),
     ({"quiet_from": "07:00", "quiet_to": "07:00"}, "quiet_to")],
)  # fmt: skip
def test_half_a_time_is_told_beside_the_other_half(times: Mapping[str, str], beside: str) -> None:
    speaks = texts_in("en")
    view = sent(notifications_form(Told(), speaks))
    for name, value in times.items():
        view["state"]["values"][name][name]["selected_time"] = value

    with pytest.raises(InvalidForm) as refused:
        read_notifications(view, speaks)
    assert [*refused.value.errors] == [beside]


@pytest.mark.parametrize("chosen", [None, {"value": "never"}, {"value": ""}])
def test_a_choice_that_is_none_of_ours_is_told_beside_the_field(chosen: Any) -> None:
    speaks = texts_in("en")
    view = sent(notifications_form(Told(), speaks))
    view["state"]["values"]["when"]["when"]["selected_option"] = chosen

    with pytest.raises(InvalidForm) as refused:
        read_notifications(view, speaks)
    assert [*refused.value.errors] == ["when"]


@pytest.mark.parametrize(
    ("written", "times"),
    [
        ("9:00, 16:00", ("09:00", "16:00")),
        ("09:00、14：30", ("09:00", "14:30")),
        ("08:00 08:00", ("08:00",)),
        ("", None),
        ("nine", "digests"),
        (" ".join(f"{hour:02}:00" for hour in range(8, 15)), "digests"),
    ],
)
def test_an_admin_writes_when_digests_are_sent(written: str, times: Any) -> None:
    speaks = texts_in("en")
    view = sent(asked_settings(1, Settings(quiet_hours=NIGHT), speaks), digests=written)

    if times == "digests":
        with pytest.raises(InvalidForm) as refused:
            read_settings(view, PARTS, speaks)
        assert [*refused.value.errors] == ["digests"]
    else:
        assert read_settings(view, PARTS, speaks) == (1, Settings(quiet_hours=NIGHT, digest_times=times))


def test_every_protocol_has_its_part_of_each_section() -> None:
    first = HomeSections(asked=[section("a1")], undecided=[section("u1")], own=[section("o1")])
    page = home(Home(REQUESTER, None, [first, HomeSections(), replace(first, own=[section("o2")])]), texts_in("en"))

    shown = [each["text"]["text"] for each in page["blocks"] if each["type"] in ("header", "section")]
    assert shown[: shown.index("Your digital twin")] == [
        "You are asked", "a1", "a1", "Waiting for you", "u1", "u1", "o1", "o2",
    ]  # fmt: skip


def test_a_demand_with_several_seats_to_vote_for_is_said_once() -> None:
    story = voting("aya", "bo", "chen", linked={"aya": REQUESTER})
    votes = [story.state, voting("dai").state]
    page = home(Home(REQUESTER, None, [sections(Agenda(undecided=votes), REQUESTER, texts_in("en"))]), texts_in("en"))

    lines = [each["text"]["text"] for each in page["blocks"] if each["type"] == "section"]
    assert [("An AI meetup" in each, each.count("for *")) for each in lines[:4]] == [
        (True, 0), (False, 1), (False, 1), (True, 1),
    ]  # fmt: skip
    assert sum(block["type"] == "actions" and len(block["elements"]) == 3 for block in page["blocks"]) == 4


def test_settings_that_are_sent_as_they_were_shown_change_nothing() -> None:
    speaks = texts_in("en")
    for stands in (
        Settings(),
        Settings(policy="story05", human_window=90, feedback_timeout=1, channels=("C1", "C2"), admins=("U1",)),
        Settings(blind_votes=True),
        Settings(blind_votes=False, policy="balanced"),
        Settings(prepares=True),
        Settings(prepares=False),
    ):
        view = asked_settings(7, stands, speaks)
        assert read_settings(sent(view), PARTS, speaks) == (7, stands)


def test_what_an_admin_says_of_twins_is_part_of_the_policy_and_told() -> None:
    speaks, part = texts_in("en"), NegotiationSettings()
    told = [*part.lines(part.policy(Settings(prepares=True), Policy()), speaks)]

    assert "• How far may twins go? They prepare votes, and people give them" in told
    assert not part.policy(Settings(), Policy()).prepares


@pytest.mark.parametrize("of_another", [True, False])
def test_how_far_a_twin_goes_is_kept_where_the_form_does_not_ask(of_another: bool) -> None:
    speaks, profile = texts_in("en"), person("bo", twin="prepares", slack_user="U_BO")
    view = profile_form(OPENED, profile, speaks, by_admin=True, of_another=of_another)

    assert ("reach" in said(view)) is not of_another
    assert read_profile(sent(view), OPENED, profile, speaks).only_prepares


def own_twin(profile: Profile, **counted: Any) -> tuple[str, list[str]]:
    """What is written of it, and the buttons."""
    shown = own_twin_blocks("user_agent_bo", Entry(edited=profile), texts_in("en"), said=TwinVotes(**counted))
    buttons = [each["action_id"] for block in shown for each in block.get("elements", ()) if "action_id" in each]
    return "\n".join(each["text"] for each in texts_within(shown)), buttons


def test_how_often_a_twin_was_overruled_stands_there() -> None:
    written, buttons = own_twin(person("bo"), votes=7, overruled=2, in_a_row=2)

    assert "🗳️ It votes for you, unless you do.\nYou have overruled 2 of its last 7 votes." in written
    assert "in a row" not in written
    assert PREPARES not in buttons
    assert "overruled" not in own_twin(person("bo"))[0]


def test_after_three_times_in_a_row_it_is_offered_that_it_only_prepares() -> None:
    written, buttons = own_twin(person("bo"), votes=9, overruled=4, in_a_row=3)

    assert "You have overruled your twin 3 times in a row. Shall it only prepare your votes from now on?" in written
    assert buttons.count(PREPARES) == 1
    for other in ({"profile": person("bo", twin="prepares")}, {"profile": person("bo"), "is_bound": True}):
        told, shown = own_twin(votes=9, overruled=4, in_a_row=3, **other)
        assert "in a row" not in told
        assert PREPARES not in shown


def test_one_that_only_prepares_can_vote_again() -> None:
    written, buttons = own_twin(person("bo", twin="prepares"))

    assert "✍️ In new demands it prepares your votes, and you give them: without you, your part has no vote." in written
    assert VOTES in buttons
    assert "an admin wants people to give them" in own_twin(person("bo"), is_bound=True)[0]


def test_a_line_that_a_condition_is_about_is_kept() -> None:
    speaks = texts_in("en")
    profile = shipped()["user_agent_lin_xiao"]
    opened = OpenedProfileForm(agent_id=profile.agent_id)

    with pytest.raises(InvalidForm) as refused:
        read_profile(sent(profile_form(opened, profile, speaks), abilities="cooking: soup"), opened, profile, speaks)

    assert refused.value.errors == {"abilities": "The twin has conditions or wishes about “场地”: keep that line."}


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [(30, "30 s"), (90, "1.5 min"), (3600, "1 h"), (5400, "1.5 h"), (86400, "24 h"), (0.5, "0.5 s")],
)
def test_how_long_is_said_in_the_largest_unit_that_is_short(seconds: float, shown: str) -> None:
    assert duration(seconds, texts_in("en")) == shown


def test_a_time_zone_is_told_by_its_name_and_not_by_its_id() -> None:
    for zone, name in (("Etc/UTC", "UTC"), ("Europe/Berlin", "Berlin"), ("America/Argentina/ComodRivadavia", "")):
        drawn = str(notifications_form(Told(time_zone=zone), texts_in("en")))
        assert zone not in drawn, "an id"
        assert name in drawn
