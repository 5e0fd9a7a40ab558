"""People work on their tickets in their direct messages: they start, are blocked, show what is done, and pass it on."""

from __future__ import annotations

import hashlib
from typing import Final

import pytest

from bot.local_slack import User
from bot.views.delivery.button_values import AGREE, BLOCK, DECLINE, FINISH, HAND_OVER, RESULTS, START, SUGGEST, TAKE
from bot.views.delivery.forms_owning import shown_field
from engine.delivery.commands import ChangeOwner, ReviewTicket
from engine.delivery.events import (
    HandOverAsked,
    HandOverDeclined,
    OwnerChanged,
    ProposalAnswered,
    WorkBlocked,
    WorkClaimed,
    WorkStarted,
)
from engine.delivery.state import TicketStatus
from engine.delivery.terms import ExpectedOutput, PersonNeed
from engine.kernel import Place

from .conftest import Begin
from .driver import ADMIN, EVE, YOU, text_of
from .roles import Role, forges
from .ticketing import AYA, BO, UNMANAGED, Delivering, delivered, delivering, persons, task

MOVED_ON: Final = "The ticket has moved on since"
NOTHING: Final = "Nothing is shown for this yet"


async def test_a_ticket_is_started_where_it_was_told(driver: Begin) -> None:
    it = await delivering(driver)
    assert "📋 Yours to do" in await it.reads(AYA)

    await it.clicks(AYA, START)

    [started] = await it.happened(WorkStarted)
    assert (started.by, started.attempt) == (AYA, 1)
    assert "▶️ Started" in await it.reads(AYA)
    assert await it.told(AYA) == []


async def test_whoever_asks_is_told_what_somebody_lacks(driver: Begin) -> None:
    it = await delivering(driver)
    form = await it.form(AYA, BLOCK)

    assert await it.sends(AYA, form, text="The key is missing 🔑") == {}

    [blocked] = await it.happened(WorkBlocked)
    assert blocked.issues == ("The key is missing 🔑",)
    assert "⛔ Blocked: The key is missing 🔑" in await it.reads(AYA)


async def test_each_result_is_shown_by_a_text_a_link_or_a_file(driver: Begin) -> None:
    outputs = tuple(ExpectedOutput(label=each) for each in ("Report", "Page", "Receipt"))
    it = await delivering(driver, task(outputs=outputs))
    form = await it.form(AYA, FINISH)
    receipt = await it.it.demo.person(AYA).upload("receipt.pdf", b"%PDF paid")

    said = {"shown_1": "All went well", "shown_2": "https://example.org/page", "file_3": [receipt]}
    assert await it.sends(AYA, form, **said, summary="Quick") == {}

    [claim] = await it.happened(WorkClaimed)
    report, page, file = claim.evidence
    assert (report.label, report.text, report.link) == ("Report", "All went well", "")
    assert (page.label, page.link, page.text) == ("Page", "https://example.org/page", "")
    assert (file.label, file.file_id, file.file_name) == ("Receipt", receipt, "receipt.pdf")
    assert (claim.summary, claim.by, claim.attempt) == ("Quick", AYA, 1)


@pytest.mark.parametrize(
    ("said", "link"), [("All went well", ""), ("https://example.org/page", "https://example.org/page")]
)
async def test_one_result_is_written_on_the_card_and_shown_with_one_click(driver: Begin, said: str, link: str) -> None:
    it = await delivering(driver, task(outputs=(ExpectedOutput(label="Report"),)))
    card = (await it.direct(AYA))["ticket-T-1-1"]
    await it.it.demo.person(AYA).click(card.channel, card.ts, shown_field(1), said)

    assert (await it.clicks(AYA, FINISH)).modal is None

    [claim] = await it.happened(WorkClaimed)
    [shown] = claim.evidence
    assert (shown.label, shown.link, shown.text) == ("Report", link, "" if link else said)
    assert (claim.summary, claim.by) == ("", AYA)


async def test_nobody_else_shows_a_result_by_what_they_have_written(driver: Begin) -> None:
    it = await delivering(driver, task(outputs=(ExpectedOutput(label="Report"),)))
    card = (await it.direct(AYA))["ticket-T-1-1"]
    written = {shown_field(1): {shown_field(1): {"type": "plain_text_input", "value": "Not mine"}}}

    await forges(it.it, Role("a stranger", EVE), card, FINISH, written=written)

    assert await it.happened(WorkClaimed) == []


async def test_a_result_without_anything_is_refused_at_its_field(driver: Begin) -> None:
    it = await delivering(driver, task(outputs=(ExpectedOutput(label="Report"), ExpectedOutput(label="Page"))))
    form = await it.form(AYA, FINISH)

    errors = await it.sends(AYA, form, shown_1="  \n ", shown_2="It is online")

    assert [*errors] == ["shown-1"]
    assert errors["shown-1"].startswith(NOTHING)
    assert await it.happened(WorkClaimed) == []
    assert await it.sends(AYA, form, shown_1="Here it is", shown_2="It is online") == {}
    assert len(await it.happened(WorkClaimed)) == 1


async def test_a_text_and_a_file_for_one_result_are_refused_at_its_field(driver: Begin) -> None:
    it = await delivering(driver)
    form = await it.form(AYA, FINISH)
    file = await it.it.demo.person(AYA).upload("a.txt", b"a")
    assert [*await it.sends(AYA, form, shown_1="Text", file_1=[file])] == ["shown-1"]
    assert await it.happened(WorkClaimed) == []


async def test_a_form_for_a_ticket_that_is_somebody_elses_by_now_changes_nothing(driver: Begin) -> None:
    it = await delivering(driver)
    form = await it.form(AYA, FINISH)
    await it.does(ChangeOwner, by=YOU, ticket_id="T-1", owner=persons(BO))

    errors = await it.sends(AYA, form, shown_1="Mine all the same")

    assert [*errors.values()] == [
        "This ticket is somebody else’s, so nothing was changed. Write to them, or to whoever asked for the delivery."
    ]
    assert await it.happened(WorkClaimed) == []
    assert "not yours any more" in await it.reads(AYA)


# ── passing it on ─────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_colleague_takes_a_ticket_over(driver: Begin) -> None:
    it = await delivering(driver)
    assert await it.sends(AYA, await it.form(AYA, HAND_OVER), to=BO) == {}
    assert (await it.ticket()).owner.user_id == AYA
    assert [*await it.direct(BO)] == ["take-T-1-1"]

    await it.clicks(BO, TAKE)

    [changed] = await it.happened(OwnerChanged)
    assert (changed.owner.user_id, changed.by, changed.why) == (BO, BO, "taken")
    assert "📋 Yours to do" in await it.reads(BO, "ticket-T-1-2")
    assert f"<@{BO}> has taken" in await it.reads(AYA, "handed-T-1-1")
    assert "not yours any more" in await it.reads(AYA)


async def test_a_colleague_declines_and_both_are_told(driver: Begin) -> None:
    it = await delivering(driver)
    await it.sends(AYA, await it.form(AYA, HAND_OVER), to=BO)

    await it.clicks(BO, DECLINE)

    assert len(await it.happened(HandOverDeclined)) == 1
    assert "You have declined." in await it.reads(BO, "take-T-1-1")
    assert "still yours" in await it.reads(AYA, "handed-T-1-1")


async def test_a_request_that_was_answered_is_answered_once(driver: Begin) -> None:
    it = await delivering(driver)
    await it.sends(AYA, await it.form(AYA, HAND_OVER), to=BO)
    card = (await it.direct(BO))["take-T-1-1"]
    await it.it.keeps_old_cards()
    await it.clicks(BO, DECLINE, card)

    await it.clicks(BO, TAKE, card)

    assert (await it.ticket()).owner.user_id == AYA
    assert [each.startswith(MOVED_ON) for each in await it.told(BO)] == [True]


@pytest.mark.parametrize(
    ("to", "says"),
    [
        pytest.param(None, "Choose a colleague", id="nobody"),
        pytest.param(AYA, "already", id="who has it"),
        pytest.param("U_TOWOW", "bots and guests", id="a bot"),
    ],
)
async def test_only_a_colleague_is_asked(driver: Begin, to: str | None, says: str) -> None:
    it = await delivering(driver)
    form = await it.form(AYA, HAND_OVER)
    assert says in (await it.sends(AYA, form, to=to))["to"]
    assert await it.happened(HandOverAsked) == []


# ── proposals ─────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_whoever_has_a_ticket_with_risks_agrees_to_how_it_is_done(driver: Begin) -> None:
    it = await delivering(driver, task(needs_proposal=True))
    assert "Way 1" in await it.reads(AYA, "proposal-T-1-1/U_AYA")

    await it.clicks(AYA, AGREE)

    [answer] = await it.happened(ProposalAnswered)
    assert (answer.by, answer.agrees) == (AYA, True)
    assert "📋 Yours to do" in await it.reads(AYA)


async def test_a_suggestion_leads_to_another_proposal(driver: Begin) -> None:
    it = await delivering(driver, task(needs_proposal=True))
    form = await it.form(AYA, SUGGEST)
    first = (await it.direct(AYA))["proposal-T-1-1/U_AYA"]
    await it.it.keeps_old_cards()

    assert await it.sends(AYA, form, text="The small hall") == {}

    assert [each.answers for each in await it.happened(ProposalAnswered)] == [("The small hall",)]
    assert "Way 2" in await it.reads(AYA, "proposal-T-1-2/U_AYA")
    await it.clicks(AYA, AGREE, first)
    assert len(await it.happened(ProposalAnswered)) == 1
    assert [each.startswith(MOVED_ON) for each in await it.told(AYA)] == [True]


# ── twice, late, and much ─────────────────────────────────────────────────────────────────────────────────────────


async def test_a_second_start_says_so_and_changes_nothing(driver: Begin) -> None:
    it = await delivering(driver)
    card = (await it.direct(AYA))["ticket-T-1-1"]
    await it.it.keeps_old_cards()
    await it.clicks(AYA, START, card)

    await it.clicks(AYA, START, card)

    assert len(await it.happened(WorkStarted)) == 1
    assert [each.startswith(MOVED_ON) for each in await it.told(AYA)] == [True]


async def test_a_ticket_that_waits_is_told_once_it_can_be_worked_on(driver: Begin) -> None:
    it = await delivering(driver, task("room"), task("guests", persons(BO), depends_on=("room",)))
    assert [*await it.direct(BO)] == []
    assert (await it.ticket("T-2")).status is TicketStatus.PENDING


async def test_an_admin_and_the_requester_have_no_ticket_to_read(driver: Begin) -> None:
    it = await delivering(driver)
    assert [[*await it.direct(each)] for each in (YOU, ADMIN)] == [[], []]


async def test_the_ticket_of_somebody_without_an_account_waits_for_another_owner(driver: Begin) -> None:
    begin = await driver(linked=[], protocols=UNMANAGED)
    aya = User(id=AYA, name="aya", real_name="Aya", deleted=True)
    await begin.demo.workspace.admin.put_user(aya)

    it = await delivered(begin)

    assert (await it.ticket()).need is PersonNeed.OWNER
    [question] = [each for each in await it.it.everything(YOU) if "no account in Slack any more" in text_of(each)]
    assert "Who does it instead?" in text_of(question)


async def test_people_get_their_tickets_also_where_nothing_is_shown_in_a_channel(driver: Begin) -> None:
    begin = await driver(linked=[], protocols=UNMANAGED)
    it = await delivered(begin, place=Place())
    assert [*await it.direct(AYA)] == ["ticket-T-1-1"]
    assert "its thread is in" not in await it.reads(AYA)


async def test_whoever_asked_without_a_channel_is_told_and_asked_by_direct_message(driver: Begin) -> None:
    begin = await driver(linked=[], protocols=UNMANAGED)
    it = await delivered(begin, place=Place())
    assert [*await it.direct(YOU)] == ["board/alone"]
    form = await it.form(AYA, FINISH)
    assert await it.sends(AYA, form, shown_1="The room is booked for fifty people.") == {}
    assert [*await it.direct(YOU)] == ["board/alone", "decision-T-1-1/alone"]
    assert all(each.channel for each in await begin.everything(YOU))


@pytest.mark.parametrize("by", ["token:program", "user-17", "alice@example.com"])
async def test_whoever_slack_does_not_know_is_told_nothing_and_nothing_is_tried(
    driver: Begin, by: str, caplog: pytest.LogCaptureFixture
) -> None:
    begin = await driver(linked=[], protocols=UNMANAGED)
    it = await delivered(begin, place=Place(), by=by)
    assert [*await it.direct(AYA)] == ["ticket-T-1-1"]
    assert [each.text for each in await begin.everything(YOU)] == ["Everything is in this thread."]
    assert [each for each in caplog.records if not each.name.startswith("engine.llm")] == []


# ── files ─────────────────────────────────────────────────────────────────────────────────────────────────────────


async def shows_a_file(it: Delivering, content: bytes = b"%PDF paid", **said: str) -> str:
    """Aya shows a file as what is done; its id."""
    file = await it.it.demo.person(AYA).upload("receipt.pdf", content)
    assert await it.sends(AYA, await it.form(AYA, FINISH), file_1=[file], **said) == {}
    return file


async def test_a_file_is_fetched_and_registered_with_its_digest(driver: Begin) -> None:
    it = await delivering(driver)

    await shows_a_file(it)

    [artifact] = (await it.ticket()).artifacts
    assert artifact.digest == f"sha256:{hashlib.sha256(b'%PDF paid').hexdigest()}"
    assert artifact.size_bytes == 9
    assert "📨 Shown" in await it.reads(AYA)


async def test_a_file_that_is_gone_is_told_in_words_and_can_be_sent_again(driver: Begin) -> None:
    it = await delivering(driver)
    await it.it.demo.workspace.admin.fault("files.info", "error", error="file_not_found")

    await shows_a_file(it)

    assert (await it.ticket()).status is TicketStatus.IN_PROGRESS
    for key in ("ticket-T-1-1", "refused-T-1-1"):
        assert "The file is not there any more, or ToWow may not read it." in await it.reads(AYA, key)
    await shows_a_file(it)
    assert (await it.ticket()).status is TicketStatus.AWAITING_REVIEW


async def test_whoever_comes_next_is_sent_the_files(driver: Begin) -> None:
    it = await delivering(driver, task("room"), task("guests", persons(BO), depends_on=("room",)))
    await shows_a_file(it)
    await it.does(ReviewTicket, by=YOU, ticket_id="T-1", approves=True)

    await it.clicks(BO, RESULTS)

    bo = it.it.demo.person(BO)
    [file] = await bo.files()
    assert await bo.download(file.id) == b"%PDF paid"
    assert await it.told(BO) == []
    assert await it.it.demo.person(EVE).files() == []


async def test_a_file_that_was_changed_since_is_not_sent(driver: Begin) -> None:
    it = await delivering(driver, task("room"), task("guests", persons(BO), depends_on=("room",)))
    await shows_a_file(it)
    await it.does(ReviewTicket, by=YOU, ticket_id="T-1", approves=True)
    [artifact] = (await it.ticket()).artifacts
    kept = it.it.demo.towow.services.workers.access.sessions / it.key.stream / artifact.uri
    kept.chmod(0o600)
    kept.write_bytes(b"%PDF fake")

    await it.clicks(BO, RESULTS)

    assert await it.it.demo.person(BO).files() == []
    [told] = await it.told(BO)
    assert told.startswith("Not everything could be sent: Result")
