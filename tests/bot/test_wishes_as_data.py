"""Whoever wants a change chooses what it is about and says it as data: no model reads it then."""

from typing import Any, Final

import pytest

from bot.local_slack import View
from bot.views.negotiation.button_values import CHANGE as CHANGE_BUTTON
from bot.views.negotiation.voting.wish_fields import ABOUT, CHANGE
from engine.facts.circumstances import Money, People
from engine.facts.data import Datum, Days, Effort, Hours
from engine.negotiation.answers import RequestRead
from engine.negotiation.events import ChangeRequested, ProposalFeedback, RequestUnderstood
from engine.negotiation.terms import Source

from .conftest import Given
from .driver import ACCEPT, AYA, BO, NEGOTIATE, YOU, Driver, text_of

DAY: Final = "2099-05-01"


def fields(view: View) -> list[str]:
    return [each["block_id"] for each in view.blocks if each["type"] == "input"]


async def chooses(it: Driver, user: str, view: View, about: str) -> View:
    """Choose what it is about, and return the form as it goes on."""
    person = it.demo.person(user)
    await person.act(view, ABOUT, about)
    await it.settles()
    return (await person.modals())[-1]


async def votes(it: Driver) -> list[ProposalFeedback]:
    return [each for each in await it.happened(ProposalFeedback) if each.source is Source.HUMAN]


@pytest.mark.parametrize(
    ("about", "entered", "words", "change"),
    [
        ("time", {"day": DAY}, "only on Friday, May 1, 2099", Days(first=DAY, last=DAY)),
        ("time", {"start": "15:00"}, "no earlier than 15:00", Hours(start="15:00")),
        ("time", {"day": DAY, "end": "17:00"}, "only on Friday, May 1, 2099, no later than 17:00",
         Days(first=DAY, last=DAY)),
        ("part", {"number": "4.5"}, "at most 4.5 h in all", Effort(hours=4.5)),
        ("people", {"most": "20"}, "at most 20 people", People(at_most=20)),
        ("money", {"amount": "500", "currency": "eur"}, "at least €500", Money(amount=500, currency="EUR")),
    ],
    ids=["a day", "an hour", "both", "less work", "fewer people", "a fee"],
)  # fmt: skip
async def test_what_is_chosen_goes_as_data(
    given: Given, about: str, entered: dict[str, str], words: str, change: Datum
) -> None:
    it = await given(says={"read_request": RequestRead(understood="Nobody asks")})
    opened = (await it.clicks(AYA, NEGOTIATE)).modal
    assert opened is not None
    assert fields(opened)[:3] == [ABOUT, CHANGE, "why"]

    form = await chooses(it, AYA, opened, about)
    assert {*entered} < {*fields(form)}
    outcome = await it.demo.person(AYA).submit(form, {name: {name: said} for name, said in entered.items()})
    await it.settles()

    assert outcome.errors == {}
    [vote] = await votes(it)
    assert (vote.adjustment_request, vote.change) == (words, change)
    assert words in text_of(await it.card())
    assert "read_request" not in it.script.given
    await it.clicks(BO, ACCEPT)
    [wished] = it.script.given["adjust"]["understood"]
    assert wished.data == change


async def test_own_words_stand_behind_the_data_and_another_choice_takes_its_fields_away(given: Given) -> None:
    it = await given()
    opened = (await it.clicks(AYA, NEGOTIATE)).modal
    assert opened is not None
    form = await chooses(it, AYA, await chooses(it, AYA, opened, "money"), "people")
    assert fields(form)[:5] == [ABOUT, "least", "most", CHANGE, "why"]
    await it.demo.person(AYA).submit(form, {"most": {"most": "20"}, CHANGE: {CHANGE: "the room is small"}})
    await it.settles()

    [vote] = await votes(it)
    assert vote.adjustment_request == "at most 20 people – the room is small"
    assert vote.change == People(at_most=20)


async def test_a_form_that_is_sent_before_its_fields_are_there_shows_them(given: Given) -> None:
    it = await given()
    opened = (await it.clicks(AYA, NEGOTIATE)).modal
    assert opened is not None
    await it.demo.workspace.admin.fault("views.update", "error", times=None)
    await it.demo.person(AYA).act(opened, ABOUT, "time")
    await it.settles()
    outcome = await it.demo.person(AYA).submit(opened, {CHANGE: {CHANGE: " "}})
    assert outcome.modal is not None
    assert "day" in fields(outcome.modal)
    assert await votes(it) == []


async def test_nothing_entered_is_told_beside_the_words(given: Given) -> None:
    it = await given()
    opened = (await it.clicks(AYA, NEGOTIATE)).modal
    assert opened is not None
    form = await chooses(it, AYA, opened, "time")
    outcome = await it.demo.person(AYA).submit(form, {})
    assert [*outcome.errors] == [CHANGE]


async def test_whoever_asked_says_it_of_the_whole_and_it_does_not_stand_there_twice(given: Given) -> None:
    it = await given()
    opened = (await it.clicks(YOU, CHANGE_BUTTON, card=(await it.thread())[1])).modal
    assert opened is not None
    form = await chooses(it, YOU, opened, "people")
    outcome = await it.demo.person(YOU).submit(form, {"most": {"most": "20"}})
    await it.settles()

    assert outcome.errors == {}
    [asked] = await it.happened(ChangeRequested)
    [read] = await it.happened(RequestUnderstood)
    assert (asked.text, read.data, read.scope) == ("at most 20 people", People(at_most=20), "whole")
    thread: Any = "\n".join(text_of(each) for each in await it.thread())
    assert "Understood as" not in thread
    await it.clicks(AYA, ACCEPT)
    await it.clicks(BO, ACCEPT)
    [wished] = it.script.given["adjust"]["understood"]
    assert (wished.agent_id, wished.data) == (YOU, People(at_most=20))
