"""Who reads what in which language: what is said to one person in theirs, what everybody shares in the demand's, and
what people and models wrote as they wrote it."""

import re
from typing import Any, Final

import pytest

from bot.demo.demo import CHANNEL
from bot.local_slack import Message, Outcome
from bot.texts import texts_in
from bot.views.kit.button_values import SHOW_ALL, Page
from bot.views.kit.notices import went_wrong
from bot.views.negotiation import notices
from bot.views.negotiation.voting.participant_card import participant_card_key
from engine.facts.language import Language

from .conftest import Begin, Given
from .driver import ACCEPT, ADMIN, AYA, BO, DEMAND, EVE, NEGOTIATE, QUIET, STOP, WITHDRAW, YOU, Driver, text_of
from .script import AGENT
from .test_clicks import posted_button
from .test_demands import DEMAND_ZH, slash
from .test_direct import clicks, direct
from .test_forged import WENT_WRONG, a_click, an_action, everything, sent
from .test_pages import long_plan, read

LOCALES: Final = {AYA: "zh-CN", BO: "en-US", EVE: "zh-TW", YOU: "en-GB"}
"""Nothing is known of the admin."""
CHINESE: Final = re.compile("[一-鿿]")
WISH: Final = "Könnten wir um neun anfangen?"


def language(text: str) -> Language:
    return "zh" if CHINESE.search(text) else "en"


def of_form(form: Outcome) -> tuple[Language, ...]:
    """Return the texts of the title and both buttons."""
    assert form.modal is not None, form
    parts: list[Any] = [form.modal.title, form.modal.submit, form.modal.close]
    return tuple(language(each["text"]) for each in parts if each)


def shape(message: Message) -> Language:
    """Check that what is ours in a card is in one language, as are its buttons."""
    return language(text_of(message))


def which_page(shown: Outcome) -> str:
    assert shown.modal is not None, shown
    return str(shown.modal.blocks[0])


async def asked_after(it: Driver) -> int:
    return (await it.demo.workspace.admin.calls())["users.info"]


# ── one negotiation, two languages ────────────────────────────────────────────────────────────────────────────────


async def test_everybody_s_own_messages_are_in_their_language_and_the_thread_in_the_demand_s(given: Given) -> None:
    it = await given(locales=LOCALES)
    await it.passes()  # to half time
    await it.goes_on()

    assert [shape(each) for each in await direct(it, AYA)] == ["zh"] * 3
    assert [shape(each) for each in await direct(it, BO)] == ["en"] * 3
    assert {shape(each) for each in await it.thread(AYA)} == {"en"}
    # Who asked, whoever was written to, and the two of these once more before their accepts count.
    assert await asked_after(it) == 5


async def test_a_demand_in_chinese_keeps_its_thread_in_chinese(given: Given) -> None:
    it = await given(DEMAND_ZH, locales=LOCALES)
    await it.goes_on()

    assert {shape(each) for each in (await it.thread(BO))[1:]} == {"zh"}
    for each in await direct(it, BO):
        assert language(text_of(each).replace(DEMAND_ZH, "")) == "en", text_of(each)


async def test_what_people_wrote_is_never_translated(given: Given) -> None:
    it = await given(locales=LOCALES)
    await it.says(AYA, NEGOTIATE, WISH)

    assert WISH in text_of(await it.card())
    [card] = await direct(it, AYA)
    assert WISH in text_of(card)
    assert shape(card) == "zh"


@pytest.mark.parametrize("action", [NEGOTIATE, WITHDRAW])
async def test_a_form_is_in_the_language_of_whoever_fills_it_in(given: Given, action: str) -> None:
    it = await given(locales=LOCALES)

    assert set(of_form(await it.clicks(AYA, action))) == {"zh"}
    assert set(of_form(await it.clicks(BO, action))) == {"en"}
    assert set(of_form(await clicks(it, AYA, action))) == {"zh"}  # as from the thread, so from the direct messages


async def test_what_is_wrong_with_a_form_is_told_in_the_language_of_whoever_filled_it_in(given: Given) -> None:
    it = await given(locales=LOCALES)
    told = {user: await it.says(user, NEGOTIATE, "  ") for user in (AYA, BO)}

    assert [language(str(told[user].errors)) for user in (AYA, BO)] == ["zh", "en"]


async def test_a_refusal_is_told_in_the_language_of_whoever_is_refused(given: Given) -> None:
    it = await given(locales=LOCALES)
    before = await everything(it)
    await it.clicks(EVE, ACCEPT)
    await it.stops(AYA)
    await it.stops(BO)

    assert (await everything(it))[:2] == before[:2]
    assert await it.told(EVE) == [notices.no_seat(texts_in("zh"))]
    [to_aya], [to_bo] = await it.told(AYA), await it.told(BO)
    assert (language(to_aya), language(to_bo)) == ("zh", "en")


async def test_a_card_in_full_is_in_the_thread_s_language_and_the_modal_around_it_in_the_reader_s(
    driver: Begin,
) -> None:
    it = await long_plan(driver, locales=LOCALES)

    shown = {user: await it.clicks(user, SHOW_ALL) for user in (AYA, BO)}

    assert [set(of_form(shown[user])) for user in (AYA, BO)] == [{"zh"}, {"en"}]
    assert [language(which_page(shown[user])) for user in (AYA, BO)] == ["zh", "en"]
    assert read(shown[AYA]) == read(shown[BO])
    assert language(read(shown[AYA])) == "en"


async def test_one_s_own_card_in_full_is_in_one_s_own_language_and_nobody_else_s_is_shown(given: Given) -> None:
    it = await given(locales=LOCALES)
    cards = {
        user: await posted_button(
            it, SHOW_ALL, Page(stream=it.key.stream, post=participant_card_key(1, AGENT + name)).value()
        )
        for user, name in ((AYA, "aya"), (BO, "bo"))
    }

    shown = {user: await it.clicks(user, SHOW_ALL, card=card) for user, card in cards.items()}
    await it.clicks(AYA, SHOW_ALL, card=cards[BO])

    assert [language(read(shown[user])) for user in (AYA, BO)] == ["zh", "en"]
    assert [language(each) for each in await it.told(AYA)] == ["zh"]


# ── without a negotiation ─────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("user", "text", "answer"),
    [
        pytest.param(AYA, "help", "zh", id="Chinese person, English word"),
        pytest.param(BO, "帮助", "en", id="English person, Chinese word"),
        pytest.param(ADMIN, "帮助", "en", id="nobody knows, Chinese word"),
        pytest.param(ADMIN, "help", "en", id="nobody knows, English word"),
        pytest.param(EVE, "", "zh", id="no word"),
    ],
)
async def test_the_command_answers_in_the_language_of_whoever_asks(
    driver: Begin, user: str, text: str, answer: Language
) -> None:
    it = await driver(locales=LOCALES)

    for _ in range(2):
        outcome = await slash(it, text, user)
        assert outcome.message is not None
        assert language(outcome.message.text) == answer
    assert await asked_after(it) == 1


async def test_a_demand_that_cannot_be_read_is_told_so_in_the_language_of_whoever_wrote_it(driver: Begin) -> None:
    it = await driver(locales=LOCALES)

    outcome = await slash(it, "…", AYA)

    assert outcome.message is not None
    assert language(outcome.message.text) == "zh"


# ── where Slack does not tell ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("error", ["missing_scope", "user_not_found", "ratelimited", "internal_error"])
async def test_where_nobody_knows_it_is_the_demand_s(driver: Begin, error: str) -> None:
    it = await driver(locales=LOCALES)
    await it.demo.workspace.admin.fault("users.info", "error", error=error, times=None)
    it = await it.asks(DEMAND)
    form = await it.clicks(AYA, NEGOTIATE)
    await it.clicks(EVE, ACCEPT)

    assert form.acked
    assert set(of_form(form)) == {"en"}
    assert await it.told(EVE) == [notices.no_seat(texts_in("en"))]
    assert {shape(each) for each in await direct(it, AYA)} == {"en"}


async def test_whoever_clicks_waits_a_moment_for_slack_and_no_longer_and_the_next_time_it_is_known(
    given: Given,
) -> None:
    it = await given(locales=LOCALES)
    held = await it.demo.workspace.admin.fault("users.info", "hold")
    card = await it.card()

    first = await it.demo.person(EVE).click(CHANNEL, card.ts, ACCEPT)
    await held.release()
    await it.settles()
    await it.clicks(EVE, ACCEPT)

    assert first.acked
    assert [language(each) for each in await it.told(EVE)] == ["en", "zh"]


async def test_a_language_that_a_payload_claims_is_nobody_s(given: Given) -> None:
    """Slack puts none into a click; and what is wrong with a payload is said in the language that is known."""
    it = await given(locales=LOCALES)
    before = await everything(it)
    somebody = {"id": BO, "name": "bo", "team_id": it.demo.workspace.team_id, "locale": "zh-CN"}
    forged = await a_click(it, user=somebody, locale="zh-CN", actions=[an_action("", STOP)])

    status, _ = await sent(it, forged)
    await it.demo.settle(QUIET)

    assert status == 400
    assert await everything(it) == before
    assert await it.told(BO) == [WENT_WRONG]


async def test_what_went_wrong_is_told_in_the_language_that_is_known(given: Given) -> None:
    it = await given(locales=LOCALES)

    await sent(it, await a_click(it, actions=[an_action("", STOP)]))
    await it.demo.settle(QUIET)

    assert await it.told(AYA) == [went_wrong(texts_in("zh"))]
