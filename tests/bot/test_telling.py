"""*From now on…*: whoever overrules their twin may tell it for good, and it knows from the next demand on."""

from typing import Any

import pytest

from bot.local_slack import Outcome
from bot.views.directory.buttons import RATE, TELL, Rating
from bot.views.directory.telling_form import LINE
from bot.views.negotiation.button_values import ACCEPT, NEGOTIATE, WITHDRAW
from engine.directory.messages import ProfileSaved
from engine.directory.profile import MOST_TOLD
from engine.negotiation.voting.kinds import FeedbackType

from .conftest import Begin, Given
from .driver import ADMIN, AYA, BO, EVE, YOU, Driver, presses
from .home import filled, opens, says, sends, top
from .script import AGENT
from .test_direct import direct, part
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


THANKS = "Thank you. Your twin goes on like this: nothing was changed."


async def private(it: Driver, user: str) -> list[str]:
    """Return what only they see among their direct messages."""
    return [each.text for each in await direct(it, user) if each.visible_to == user]


async def rates(it: Driver, user: str, *, suits: bool) -> Outcome:
    card = await part(it, user)
    value = Rating(agent_id=f"{AGENT}aya", suits=suits).value()
    outcome = await it.demo.person(user).click(card.channel, card.ts, RATE, value)
    await it.settles()
    return outcome


async def test_a_thumb_down_below_a_twins_vote_tells_the_twin_for_good(given: Given) -> None:
    it = await given()
    form = (await rates(it, AYA, suits=False)).modal
    assert form is not None

    await sends(it, AYA, form, **{LINE: MONDAYS})

    assert f"“{MONDAYS}”" in says(await opens(it, AYA))
    assert await knows(it) == (MONDAYS,)


async def test_a_thumb_up_is_heard_and_changes_nothing(given: Given) -> None:
    it = await given()
    before = await it.events()
    outcome = await rates(it, AYA, suits=True)
    assert outcome.acked
    assert outcome.modal is None
    assert await private(it, AYA) == [THANKS]
    assert await it.events() == before
    assert not await it.happened(ProfileSaved)


async def test_only_whoever_the_twin_speaks_for_is_shown_the_feedback_and_only_below_what_it_said(given: Given) -> None:
    it = await given()
    assert RATE not in str([each.blocks for each in await it.thread()])
    assert f"{AGENT}bo" not in str((await part(it, AYA)).blocks)
    await it.clicks(AYA, ACCEPT)
    assert RATE not in str((await part(it, AYA)).blocks)
    assert RATE in str((await part(it, BO)).blocks)


@pytest.mark.parametrize("suits", [True, False], ids=["up", "down"])
@pytest.mark.parametrize(
    "somebody",
    [
        pytest.param({"id": BO}, id="a colleague with a twin"),
        pytest.param({"id": EVE}, id="whoever reads along"),
        pytest.param({"id": YOU}, id="whoever asked"),
        pytest.param({"id": ADMIN}, id="an admin"),
        pytest.param({"id": AYA, "team_id": "T_PARTNER"}, id="the same id of another company"),
    ],
)
async def test_feedback_from_the_wrong_hand_does_nothing(
    given: Given, somebody: dict[str, str], *, suits: bool
) -> None:
    it = await given()
    card, before = await part(it, AYA), await it.events()
    value = Rating(agent_id=f"{AGENT}aya", suits=suits).value()
    where = {"channel_id": card.channel, "message_ts": card.ts, "is_ephemeral": False}
    text = {"type": "plain_text", "text": "👎", "emoji": True}
    pressed = {"type": "feedback_buttons", "action_id": RATE, "block_id": "b", "action_ts": "1.1", "value": value}
    click = {
        "type": "block_actions",
        "container": {"type": "message", **where},
        "channel": {"id": card.channel, "name": "directmessage"},
        "message": {"ts": card.ts, "text": card.text},
        "actions": [pressed | {"text": text}],
        "user": {"name": "somebody", "team_id": it.demo.workspace.team_id} | somebody,
    }

    status, _ = await forged(it, click)
    await it.settles()

    assert status == 200
    assert not await it.demo.person(AYA).modals()
    assert await it.events() == before
    assert not await it.happened(ProfileSaved)
    assert await knows(it) == ()


async def test_a_workspace_without_feedback_buttons_gets_plain_ones(driver: Begin) -> None:
    it = await driver()
    await it.demo.workspace.admin.surfaces(blocks=False)
    it = await it.asks()
    card = await part(it, AYA)
    assert "feedback_buttons" not in str(card.blocks)
    thanked = await it.demo.person(AYA).click(card.channel, card.ts, RATE)
    await it.settles()
    assert thanked.modal is None
    assert await private(it, AYA) == [THANKS]

    form = (await presses(it.demo.person(AYA), card, TELL)).modal
    assert form is not None
    await sends(it, AYA, form, **{LINE: MONDAYS})
    assert await knows(it) == (MONDAYS,)
