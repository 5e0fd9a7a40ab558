"""What somebody holds to, as they read it, and the form in which they say what of it holds."""

from typing import Any

import pytest

from bot.texts import texts_in
from bot.views.directory.admins import person_card
from bot.views.directory.buttons import LimitButton
from bot.views.directory.datum_fields import kind_words
from bot.views.directory.held import MOST_SHOWN, held_modal
from bot.views.directory.home_page import Home, home
from bot.views.directory.limit_form import (
    AS_DATA,
    IN_WORDS,
    OFF,
    limit_form,
    opened_form,
    other_kind,
    read_limit,
    read_opened_limit,
)
from bot.views.kit.fields import InvalidForm
from engine.directory.profile import HeldLimit, Leave, Limits, Profile, StatedLimit, TwinTerms, Words
from engine.directory.state import Entry
from engine.facts.circumstances import Money, People
from engine.facts.data import KINDS, Datum, Days, Deadline, Effort, Hours, Notice, Place, Weeks
from tests.profiles.people import person
from tests.views.message_contents import schema, texts_within
from tests.views.test_home import HOSTILE, LANGUAGES, LONG, is_fine, said

DATA: tuple[Datum, ...] = (
    Days(weekdays=("mon", "sun"), first="2026-12-01", last="2027-01-31", allowed=False),
    Days(weekdays=("sat",)),
    Hours(start="22:00", end="06:30", time_zone="Asia/Tokyo", allowed=False),
    Weeks(first=2, last=3),
    People(at_least=2, at_most=20),
    Money(amount=500, currency="EUR", per_head=20),
    Place(city="München", online=True),
    Place(online=True, allowed=False),
    Notice(days=3),
    Effort(hours=2.5, per="week"),
    Deadline(day="2026-12-11"),
)
AYAS = "user_agent_aya"
EN = texts_in("en")


def limit(data: Datum | None = None, **more: Any) -> HeldLimit:
    return HeldLimit(**{"words": "周一不行", "source": "from_now_on", "data": data, **more})


def shown(view: Any) -> str:
    return "\n".join(each["text"] for each in texts_within(list(view["blocks"])))


def sent(view: dict[str, Any], **instead: Any) -> dict[str, Any]:
    values = said(view)
    for block in view["blocks"]:
        if block["type"] == "input":
            element = block["element"]
            values[block["block_id"]][element["action_id"]]["selected_date"] = element.get("initial_date")
    for name, value in instead.items():
        values[name][name] |= value
    return {**view, "state": {"values": values}}


def picked(value: str) -> dict[str, Any]:
    return {"selected_option": {"value": value}}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("datum", DATA, ids=str)
def test_a_form_that_is_sent_as_it_was_shown_says_what_was_read(datum: Datum, language: Any) -> None:
    texts, read = texts_in(language), limit(datum, scope="whole")
    view = limit_form(opened_form(AYAS, read), read, texts)

    is_fine(view)
    assert [error.message for error in schema("views.schema.json").iter_errors(view)] == []
    found = read_limit(sent(view), read_opened_limit(view), texts)
    assert found == ("on", datum, "whole")


def test_every_kind_has_fields_and_a_name() -> None:
    assert {kind for kind, _ in kind_words(EN)} == {str(each.__struct_config__.tag) for each in KINDS}
    assert {type(each) for each in DATA} == {*KINDS}


def test_another_kind_shows_its_fields_first() -> None:
    view = limit_form(opened_form(AYAS, limit()), limit(), EN)
    going = sent(view, how=picked(AS_DATA), kind=picked("people"), scope=picked("whole"))

    opened = other_kind(going, read_opened_limit(view))

    assert opened is not None
    again = limit_form(opened, limit(), EN, how=AS_DATA)
    assert other_kind(sent(again), read_opened_limit(again)) is None
    found = read_limit(sent(again, most={"value": "20"}), read_opened_limit(again), EN)
    assert found == ("on", People(at_most=20), "whole")


def test_it_may_stay_in_words_or_be_off() -> None:
    read = limit(DATA[0])
    view = limit_form(opened_form(AYAS, read), read, EN)
    opened = read_opened_limit(view)

    assert read_limit(sent(view, how=picked(IN_WORDS)), opened, EN) == ("on", None, "own")
    assert read_limit(sent(view, how=picked(OFF)), opened, EN).state == "off"


@pytest.mark.parametrize("datum", DATA, ids=str)
def test_data_that_demands_nothing_are_none(datum: Datum) -> None:
    read = limit(datum)
    view = limit_form(opened_form(AYAS, read), read, EN)
    nothing: dict[str, Any] = {"value": None, "selected_date": None, "selected_time": None, "selected_options": []}
    emptied = sent(view, **{name: nothing for name in said(view) if name not in ("how", "scope", "kind")})
    with pytest.raises(InvalidForm):
        read_limit(emptied, read_opened_limit(view), EN)


def test_what_was_stated_as_data_holds_or_not() -> None:
    stated = HeldLimit(words="", source="field", data=DATA[0], state="on")
    view = limit_form(opened_form(AYAS, stated), stated, EN)

    assert {*said(view)} == {"how", "scope"}
    assert read_limit(sent(view), read_opened_limit(view), EN) == ("on", DATA[0], "own")
    assert read_limit(sent(view, how=picked(OFF)), read_opened_limit(view), EN).state == "off"


def test_a_button_carries_all_that_was_seen() -> None:
    for datum in DATA:
        button = LimitButton(agent_id=AYAS, key="k", data=datum, scope="whole")
        assert LimitButton.read(button.value()) == button
        assert len(button.value()) < 2_000


# ── what is read ──────────────────────────────────────────────────────────────────────────────────────────────────


def aya(**more: Any) -> Profile:
    return person("aya", **{"slack_user": "U_AYA", **more})


def lines_of(profile: Profile, language: str = "en", **more: Any) -> str:
    return shown(home(Home("U_AYA", (AYAS, Entry(loaded=profile)), [], **more), texts_in(language)))


def test_each_limit_says_its_words_its_data_and_whether_it_holds() -> None:
    profile = aya(
        from_now_on=("周一不行", "Höchstens 20", "pas de réunions", "no music"),
        limits=Limits(max_attendees=60, paid_only=True, locations=("Berlin",), never=("overnight",)),
        preferences=TwinTerms(leaves_if=(Leave(plan_says=("直播",), because=Words(said="x")),)),
        limit_data=(
            limit(Days(weekdays=("mon",), allowed=False)),
            limit(People(at_most=20), words="Höchstens 20", scope="whole", state="on"),
            limit(words="no music", state="off"),
        ),
    )
    page = lines_of(profile)
    for line in (
        "✓ at most 60 people · the whole",
        "✓ only in Berlin or online · own part",
        "✓ only if it is paid · the whole",
        "○ never: “overnight” · in words",
        "○ “周一不行” · read as: not on Mondays · own part?",
        "✓ “Höchstens 20” · held as: at most 20 people · the whole",
        "○ “pas de réunions” · in words",
        "○ leaves a plan that says “直播” · in words",
        "~“no music”~ (off)",
    ):
        assert line in page.splitlines()
    assert "○ “周一不行” · 读作：不在周一 · 自己那部分？" in lines_of(profile, "zh").splitlines()


def test_home_says_that_rules_protect_nobody_but_by_their_own_words() -> None:
    worded = aya(limits=Limits(never=("overnight",)))
    said_so = "Simple rules answer here, and no model."
    assert said_so in lines_of(worded, has_model=False)
    assert said_so not in lines_of(worded, has_model=True)
    assert said_so not in lines_of(aya(), has_model=False), "nothing of theirs is in words"


def test_an_admin_reads_nothing_that_was_read_of_somebody() -> None:
    profile = aya(from_now_on=("周一不行",), limit_data=(limit(Days(weekdays=("mon",), allowed=False)),))
    nobodys = profile.model_copy(update={"slack_user": None})

    assert "Mondays" not in str(person_card(AYAS, Entry(loaded=profile), EN))
    assert "What I hold to" not in str(person_card(AYAS, Entry(loaded=profile), EN))
    assert "not on Mondays" in str(person_card(AYAS, Entry(loaded=nobodys), EN))


@pytest.mark.parametrize("language", LANGUAGES)
def test_slack_takes_whatever_people_say(language: Any) -> None:
    texts = texts_in(language)
    words = [f"{LONG[:200]}{number}" for number in range(12)]
    hostile = HOSTILE.model_copy(
        update={
            "from_now_on": tuple(words),
            "limits": HOSTILE.limits.model_copy(
                update={
                    "never": tuple(f"{LONG}{number}" for number in range(60)),
                    "locations": (LONG,),
                    "data": tuple(StatedLimit(data=each) for each in DATA),
                }
            ),
            "limit_data": tuple(limit(Place(city=LONG), words=each) for each in words),
        }
    )
    views = [
        held_modal(AYAS, hostile, texts),
        held_modal(AYAS, aya(), texts),
        home(Home("U_BO", (AYAS, Entry(edited=hostile)), [], has_model=False), texts),
        *(limit_form(opened_form(AYAS, each), each, texts) for each in hostile.stated_limits[:3]),
        *(limit_form(opened_form(AYAS, each), each, texts) for each in hostile.limit_data[:1]),
    ]
    for view in views:
        is_fine(view)
        assert [error.message for error in schema("views.schema.json").iter_errors(view)] == []
    assert len(hostile.stated_limits) > MOST_SHOWN
