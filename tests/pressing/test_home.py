"""Nobody's Home shows a button that is refused, nor opens a form that is refused as it stands: about their own twin,
and those of an admin, whatever was paused, changed, removed or taken out."""

import json
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from typing import Any, Final

import pytest

from bot.local_slack.blocks.inputs import initial_values, input_problems
from bot.texts import texts_in
from bot.views.directory.admins import WHO, AdminOverview
from bot.views.directory.buttons import PEOPLE
from bot.views.directory.home_page import Home, home
from bot.views.directory.twin import IN_A_ROW, TwinVotes
from engine.directory.messages import ChooseReach, DisableProfile, PauseTwin, ReadProfiles, RecordReading, ResetProfile
from engine.directory.state import Directory
from tests.bot.driver import ADMIN, NOON
from tests.directory.test_limits import NOT_MONDAYS
from tests.directory.test_rules import ABOUT, AYA, AYAS, BO, Book, aya, bo
from tests.given import Moment
from tests.profiles.people import person, shipped

from .still import EVE, Pressing, buttons, pressing

OVERRULED: Final = TwinVotes(votes=9, overruled=9, in_a_row=IN_A_ROW)
WORDED: Final = {
    "limits": {"never": ["night shifts"], "max_attendees": 20, "locations": ["Berlin", "Bonn"]},
    "from_now_on": ["not on Mondays"],
}


def paused() -> Book:
    return switched(PauseTwin(**ABOUT, by=AYA, agent_id=AYAS, paused=True))


def disabled() -> Book:
    return switched(DisableProfile(**ABOUT, by=ADMIN, as_admin=True, agent_id=AYAS, disabled=True))


def preparing() -> Book:
    return switched(ChooseReach(**ABOUT, by=AYA, agent_id=AYAS, twin="prepares"))


def switched(command: Any) -> Book:
    book = Book(aya(**WORDED), bo())
    assert book.does(command)
    return book


def made_here() -> Book:
    book = Book(bo())
    book.saves(AYA, aya(**WORDED))
    book.saves(ADMIN, person("cy"), as_admin=True)
    return book


def changed_here() -> Book:
    book = Book(aya(), person("cy"))
    book.saves(AYA, aya(availability="never"))
    book.saves(ADMIN, person("cy", **WORDED), as_admin=True)
    return book


def removed() -> Book:
    book = made_here()
    assert book.does(ResetProfile(**ABOUT, by=AYA, agent_id=AYAS))
    return book


def bound() -> Book:
    book = Book(aya(), bo())
    book.sets(prepares=True, admins=(BO,))
    return book


def read() -> Book:
    """What a model has read of their limits waits for whoever may say that it holds."""
    book = Book(aya(**WORDED), person("cy", **WORDED))
    for agent_id, each in book.state.people.items():
        assert each.profile is not None
        found = tuple(one.model_copy(update={"data": NOT_MONDAYS}) for one in each.profile.stated_limits)
        book.does(ReadProfiles(**ABOUT, agent_ids=(agent_id,), with_model=True))
        assert book.does(RecordReading(**ABOUT, agent_id=agent_id, limits=found, model="claude"))
    return book


def everybody() -> Book:
    return Book(*(each.model_copy(update={"slack_user": None}) for each in shipped().values()))


DIRECTORIES: Final[Mapping[str, Callable[[], Book]]] = {
    "nobody": Book,
    "from files": lambda: Book(aya(**WORDED), bo(), person("cy", **WORDED)),
    "paused": paused,
    "taken out": disabled,
    "only prepares": preparing,
    "made here": made_here,
    "changed here": changed_here,
    "removed": removed,
    "limits that were read": read,
    "all only prepare": bound,
    "everybody who is shipped": everybody,
}


@pytest.fixture
async def product() -> AsyncIterator[Pressing]:
    async with pressing() as it:
        yield it


def page(directory: Directory, user: str) -> Mapping[str, Any]:
    is_admin = user == ADMIN or user in directory.settings.admins
    overview = AdminOverview(directory, [], frozenset({ADMIN}), None, "", NOON) if is_admin else None
    shown = Home(user, directory.of_user(user), [], overview, twin_votes=OVERRULED)
    return home(shown, texts_in("en"))


@pytest.mark.parametrize("name", DIRECTORIES)
async def test_nothing_is_refused_that_a_home_shows(product: Pressing, name: str) -> None:
    directory = DIRECTORIES[name]().state
    product.streams.directory = Moment("directory", directory, (), NOON)
    faults = [
        fault
        for user in (AYA, BO, EVE, ADMIN)
        async for fault in refused_in(product, directory, user, page(directory, user), set())
    ]
    assert not faults, "\n".join(faults)


async def refused_in(
    product: Pressing, directory: Directory, user: str, view: Mapping[str, Any], seen: set[str]
) -> AsyncIterator[str]:
    """Press every button of a view, send every form that it opens as it stands, and go on in whatever that shows."""
    if (looks := json.dumps([view["blocks"], view.get("callback_id")])) in seen:
        return
    seen.add(looks)
    following = []
    for button in buttons(view["blocks"]):
        pressed = await product.press(user, button, view)
        if pressed.status != 200 or pressed.is_refused:
            yield f"refused: {pressed}"
        elif pressed.view is not None:
            following.append((pressed.text, {"type": "modal", **pressed.view}))
    for said in answers(directory, view):
        answer = await product.send(user, view, **said)
        if "view" in answer:
            following.append(("its form", {"type": "modal", **answer["view"]}))
        elif "errors" in answer or not product.streams.done:
            yield f"{user} sends {view['callback_id']} with {said or 'nothing changed'}: {answer}"
    for after, each in following:
        async for fault in refused_in(product, directory, user, each, seen):
            yield f"{fault}, after {after!r}"


def answers(directory: Directory, view: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """What somebody can send who has opened a form: everything that Slack lets through as it stands."""
    if view.get("callback_id") == PEOPLE:
        for agent_id in directory.people:
            yield {WHO: {"type": "static_select", "selected_option": {"value": agent_id}}}
    elif "submit" in view and not input_problems(view["blocks"], initial_values(view["blocks"])):
        yield {}
