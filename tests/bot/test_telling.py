"""*From now on…*: whoever overrules their twin may tell it for good, and it knows from the next demand on."""

from typing import Any

import pytest

from bot.views.directory.buttons import TELL
from bot.views.directory.telling_form import LINE
from bot.views.negotiation.button_values import ACCEPT, NEGOTIATE, WITHDRAW
from engine.directory.messages import ProfileSaved
from engine.directory.profile import MOST_TOLD
from engine.negotiation.voting.kinds import FeedbackType

from .conftest import Given
from .driver import ADMIN, AYA, BO, EVE, YOU, Driver
from .home import filled, opens, says, sends, top
from .test_direct import direct
from .test_forged import sent as forged
from .test_forged import sent_in
from .test_home import clicks_home
from .test_offers import collecting, form_of

MONDAYS = "Not on Mondays"


async def knows(it: Driver, name: str = "aya") -> tuple[str, ...]:
    """Return what the twin is given with the next demand."""
    await it.asks("Another evening, please")
    lines: tuple[str, ...] = it.script.given[f"respond/{name}"]["profile"].from_now_on
    return lines


async def sent(it: Driver, user: str, form: Any, **said: str) -> Any:
    outcome = await it.demo.person(user).submit(form, filled(form, said))
    await it.settles()
    return outcome


@pytest.mark.parametrize(("action", "field"), [(NEGOTIATE, "change"), (WITHDRAW, "why")])
async def test_whoever_overrules_their_twin_may_say_so_for_good(given: Given, action: str, field: str) -> None:
    it = await given()
    form = (await it.clicks(AYA, action)).modal
    assert form is not None

    await sent(it, AYA, form, **{field: "Tuesday, please", LINE: f"  {MONDAYS} "})

    voted = FeedbackType.NEGOTIATE if action == NEGOTIATE else FeedbackType.WITHDRAW
    assert (await it.votes())["aya"] is voted
    assert f"“{MONDAYS}”" in says(await opens(it, AYA))
    assert await knows(it) == (MONDAYS,)
    assert it.script.given["respond/bo"]["profile"].from_now_on == ()


async def test_a_vote_without_it_tells_nothing(given: Given) -> None:
    it = await given()
    await it.says(AYA, NEGOTIATE, "An hour later")
    assert await knows(it) == ()


async def test_a_corrected_offer_may_say_it_too(given: Given) -> None:
    it = await collecting(given)
    form = (await form_of(it, AYA)).modal
    assert form is not None
    said = {"decision": "participate", "contribution": "My room", LINE: MONDAYS}
    await sent(it, AYA, form, **said)
    assert f"“{MONDAYS}”" in says(await opens(it, AYA))


async def test_it_can_be_said_in_home_and_changed_there(given: Given) -> None:
    it = await given()
    await clicks_home(it, AYA, TELL)
    await sends(it, AYA, await top(it, AYA), **{LINE: MONDAYS})
    assert f"“{MONDAYS}”" in says(await opens(it, AYA))

    await clicks_home(it, AYA, "twin.profile")
    outcome = await sends(it, AYA, await top(it, AYA), told="Not on Tuesdays\n\n Not on Tuesdays \nOnly online")

    assert not outcome.errors
    assert await knows(it) == ("Not on Tuesdays", "Only online")


async def test_where_there_is_no_room_nothing_is_done_and_it_is_said_beside_the_field(given: Given) -> None:
    it = await given()
    await clicks_home(it, AYA, "twin.profile")
    await sends(it, AYA, await top(it, AYA), told="\n".join(f"Line {n}" for n in range(MOST_TOLD)))
    before = await it.events()
    form = (await it.clicks(AYA, NEGOTIATE)).modal
    assert form is not None

    refused = await sent(it, AYA, form, change="Tuesday, please", **{LINE: MONDAYS})

    assert "as many lines as it can keep to" in refused.errors[LINE]
    assert await it.events() == before
    mended = await sent(it, AYA, form, change="Tuesday, please", **{LINE: ""})
    assert not mended.errors
    assert (await it.votes())["aya"] is FeedbackType.NEGOTIATE


@pytest.mark.parametrize("user", [BO, EVE, ADMIN])
async def test_nobody_tells_somebody_elses_twin(given: Given, user: str) -> None:
    it = await given()
    await clicks_home(it, AYA, TELL)
    values = {LINE: {LINE: {"type": "plain_text_input", "value": MONDAYS}}}
    form = (await top(it, AYA)).model_dump(mode="json") | {"state": {"values": values}}
    somebody = {"id": user, "name": "somebody", "team_id": it.demo.workspace.team_id}

    status, answer = await forged(it, sent_in(form) | {"user": somebody})

    assert (status, [*answer["errors"]]) == (200, [LINE])
    assert await knows(it) == ()
    assert not await it.happened(ProfileSaved)


async def test_whoever_votes_for_another_is_not_asked_what_a_twin_should_know(given: Given) -> None:
    it = await given(linked=["aya"], alone=["chen"])
    form = (await it.clicks(YOU, NEGOTIATE)).modal
    assert form is not None
    assert LINE not in {each["block_id"] for each in form.blocks}


async def test_the_card_offers_it_once_a_person_has_voted_against_their_twin(given: Given) -> None:
    it = await given(twins={("aya", 1): "withdraw"})
    assert TELL not in str((await direct(it, AYA))[-1].blocks)
    await it.clicks(AYA, ACCEPT)
    assert TELL in str((await direct(it, AYA))[-1].blocks)
