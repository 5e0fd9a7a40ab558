"""Whoever asked for a delivery leads it from its thread: what has to be decided is told once, and settled in place."""

from __future__ import annotations

from typing import Any, Final

import pytest

from bot.views.delivery.button_values import (
    ADD,
    ALLOW_ONCE,
    ALLOW_TICKET,
    ANSWER,
    APPROVE,
    CHANGES,
    DROP,
    OPEN,
    OWNER,
    OWNERS,
    REFUSE,
    RESET,
    STOP,
    TICKETS,
)
from bot.views.delivery.forms_leading import AFTER, DAY, PERSON, RESULT, TEXT, TITLE, WORKER
from bot.views.delivery.forms_owning import ACTION, WHICH
from bot.views.kit.button_values import SHOW_ALL
from engine.delivery.commands import AddTicket, BlockTicket, ChangeOwner, DropTicket, HandTicketOver, TakeTicket
from engine.delivery.state import Status, TicketStatus
from engine.delivery.terms import Artifact, Owner, PermissionChoice
from engine.projections.audit import acts

from .conftest import Begin
from .driver import ADMIN, AYA, BO, YOU, Driver, shows, text_of
from .home import opens as opens_home
from .home import says
from .leading import AGENT, COMMAND, DIGEST, STRICT, Led, asking, led
from .roles import Role, forges
from .ticketing import persons, task

NEWER: Final = "Something newer has come since"


async def test_one_board_tells_who_does_what_and_what_waits_for_what(driver: Begin) -> None:
    it = await led(driver, task(), task("guests", persons(BO), depends_on=("room",), deadline="2027-02-05"))

    posts = await it.posts()

    assert [*posts] == ["board"]
    board = text_of(posts["board"])
    assert "*0 of 2 tickets are done*" in board
    assert "T-1 Do room\n*Aya* · can be started" in board
    assert "T-2 Do guests\n*Bo* · not begun · by Fri, Feb 5\nafter T-1" in board
    [plan] = [each for each in posts["board"].blocks if each["type"] == "plan"]
    assert [each["status"] for each in plan["tasks"]] == ["in_progress", "pending"]


async def test_a_workspace_without_task_cards_has_the_board_as_a_list(driver: Begin) -> None:
    async def older(**circumstances: Any) -> Driver:
        begun = await driver(**circumstances)
        await begun.demo.workspace.admin.surfaces(blocks=False)
        return begun

    it = await led(older, task(), task("guests", persons(BO), depends_on=("room",), deadline="2027-02-05"))

    board = text_of((await it.posts())["board"])
    assert "*0 of 2 tickets are done*" in board
    assert "🔵 *T-1* Do room – *Aya* · can be started" in board
    assert "⚪ *T-2* Do guests – *Bo* · not begun · by Fri, Feb 5" in board
    assert "↳ after T-1" in board


async def test_an_agent_that_asks_for_leave_gets_it_once_and_the_question_says_so(driver: Begin) -> None:
    it = await led(driver, task(owner=AGENT), outcomes=[asking()])
    card = (await it.posts())["decision-T-1-1"]
    shown = text_of(card)
    assert f"<@{YOU}> *Coder* asks for permission, and waits:" in shown
    assert COMMAND.replace("\u202e", "\\u202e") in shown
    assert DIGEST.removeprefix("sha256:")[:16] in shown

    await it.acts(YOU, ALLOW_ONCE)

    settled = (await it.posts())["decision-T-1-1"]
    assert settled.ts == card.ts
    assert text_of(settled) == f"✅ *T-1* Do room: <@{YOU}> has allowed it once: Clean up"
    ticket = await it.ticket()
    assert ticket.permissions[DIGEST].choice is PermissionChoice.ONCE
    assert ticket.status is TicketStatus.AWAITING_REVIEW


@pytest.mark.parametrize(
    ("action", "choice"), [(ALLOW_TICKET, PermissionChoice.TICKET), (REFUSE, PermissionChoice.REFUSE)]
)
async def test_leave_is_given_for_the_ticket_or_refused_by_an_admin(driver: Begin, action: str, choice: Any) -> None:
    it = await led(driver, task(owner=AGENT), outcomes=[asking()])

    await it.acts(ADMIN, action)

    asked = (await it.ticket()).permissions[DIGEST]
    assert (asked.choice, asked.answered_by) == (choice, ADMIN)


async def test_a_click_on_a_question_that_was_answered_changes_nothing_and_says_so(driver: Begin) -> None:
    it = await led(driver, task(owner=AGENT), outcomes=[asking(), asking("sha256:" + "cd" * 32)])
    card = (await it.posts())["decision-T-1-1"]
    await it.acts(YOU, ALLOW_ONCE)
    before = await it.events()

    await forges(it.it, Role("the requester", YOU), card, REFUSE)

    assert await it.events() == before
    assert len(await it.private(YOU)) == 1
    assert shows((await it.posts())["decision-T-1-2"], ALLOW_ONCE)


async def test_a_long_command_is_shown_whole_by_show_all(driver: Begin) -> None:
    long = "\n".join(f"echo {number} && sleep 1" for number in range(1_000))
    it = await led(driver, task(owner=AGENT), outcomes=[asking(detail=long)])
    card = (await it.posts())["decision-T-1-1"]
    assert shows(card, ALLOW_ONCE)

    modal = await it.opens(YOU, SHOW_ALL)

    shown = [each for each in says(modal).split("\n") if each.startswith("echo ")]
    assert shown == long.split("\n")


async def test_a_link_is_unread_until_somebody_opens_it_from_the_card(driver: Begin) -> None:
    link = Artifact(
        label="Result", uri="https://example.org/site", digest=DIGEST, content_type="text/uri-list", size_bytes=24,
        is_link=True,
    )  # fmt: skip
    it = await led(driver, task(owner=AGENT), outcomes=[{"artifacts": (link,)}])
    card = (await it.posts())["decision-T-1-1"]
    assert "• Result (a link to " in text_of(card)
    assert f"<{link.uri}" not in str(card.blocks)  # a click on a text is told to nobody
    assert "unread: nobody has opened it from here" in text_of(card)

    await it.acts(AYA, OPEN)
    assert "That is for somebody else" in (await it.private(AYA))[-1]
    await it.acts(YOU, OPEN)

    assert "opened by" in text_of((await it.posts())["decision-T-1-1"])
    await it.acts(YOU, APPROVE)
    assert "They have not opened" not in text_of((await it.posts())["decision-T-1-1"])


async def test_who_approves_what_they_have_not_opened_is_said_so(driver: Begin) -> None:
    it = await led(driver, task(owner=AGENT))

    outcome = await it.acts(YOU, APPROVE, confirm=False)
    assert "Your approval will say that you had not opened this: Result" in str(outcome.confirm)
    assert (await it.ticket()).status is TicketStatus.AWAITING_REVIEW

    await it.acts(YOU, APPROVE)
    assert "They have not opened: Result" in text_of((await it.posts())["decision-T-1-1"])


async def test_whoever_may_not_approve_is_not_offered_it(driver: Begin) -> None:
    it = await led(driver, task(owner=AGENT, checked_by=BO))
    chosen = await it.fills(YOU, await it.opens(YOU, TICKETS), **{WHICH: "T-1"})
    assert chosen.modal is not None
    [field] = [each for each in chosen.modal.blocks if each.get("block_id") == ACTION]
    assert APPROVE not in {each["value"] for each in field["element"]["options"]}


async def test_all_tickets_that_nobody_has_are_one_question(driver: Begin) -> None:
    named = Owner(person_id="carlos", name="Carlos")
    it = await led(driver, task("room", owner=Owner()), task("site", owner=named), task("guests", owner=Owner()))
    posts = await it.posts()
    [key] = [each for each in posts if each.startswith(("owners-", "decision-"))]
    assert "3 tickets have nobody yet. Who does which?" in text_of(posts[key])
    assert "*T-2* Do site – agreed for Carlos, who has no account here" in text_of(posts[key])

    form = await it.opens(YOU, OWNERS)
    await it.fills(YOU, form, person_T_1=AYA, worker_T_2="coder")

    state = await it.state()
    assert [each.owner.user_id or each.owner.role_id for each in state.tickets.values()] == [AYA, "coder", ""]
    assert "1 ticket has nobody yet" in text_of((await it.posts())[key])


async def test_somebody_without_an_account_is_asked_about_once(driver: Begin) -> None:
    named = Owner(person_id="carlos", name="Carlos")
    it = await led(driver, task("room", owner=named), task("site", owner=Owner()), task("guests", owner=named))

    form = await it.opens(YOU, OWNERS)
    asked = [each for each in form.blocks if str(each.get("block_id")).startswith("person-")]
    assert [each["label"]["text"] for each in asked] == ["Carlos: T-1, T-3", "T-2 Do site"]
    await it.fills(YOU, form, person_T_1=AYA)

    assert [each.owner.user_id for each in (await it.state()).tickets.values()] == [AYA, "", AYA]


async def test_a_ticket_that_is_added_later_is_asked_about_on_a_card_of_its_own(driver: Begin) -> None:
    it = await led(driver, task("room", owner=Owner()), task("site", owner=persons(AYA)))
    for title in ("Print", "Paint"):
        await it.does(AddTicket, by=YOU, title=title)

    asked = [key for key in await it.posts() if key.startswith(("owners-", "decision-"))]
    assert asked == ["decision-T-1-1", "decision-T-3-1", "decision-T-4-1"]


async def test_of_many_tickets_those_that_nobody_has_are_seen_first(driver: Begin) -> None:
    it = await led(driver, *(task(f"t{number}", owner=Owner()) for number in range(1, 46)))
    for number in range(1, 41):
        await it.does(ChangeOwner, by=YOU, ticket_id=f"T-{number}", owner=persons(AYA))

    [card] = [text_of(post) for key, post in (await it.posts()).items() if key.startswith("owners-")]
    assert [f"*T-{number}* " in card for number in (41, 42, 43, 44, 45)] == [True] * 5


async def test_what_was_given_meanwhile_is_not_given_anew(driver: Begin) -> None:
    it = await led(driver, task("room", owner=Owner()), task("site", owner=Owner()), task("guests", owner=Owner()))
    form = await it.opens(YOU, OWNERS)
    await it.does(ChangeOwner, by=ADMIN, as_admin=True, ticket_id="T-1", owner=persons(AYA))
    await it.does(DropTicket, by=ADMIN, as_admin=True, ticket_id="T-3")

    sent = await it.fills(YOU, form, person_T_1=BO, person_T_2=BO, person_T_3=BO)

    assert [each.owner.user_id for each in (await it.state()).tickets.values()] == [AYA, BO, ""]
    assert [*sent.errors] == ["person-T-1", "person-T-3"]
    assert "T-1 since this form was opened" in sent.errors["person-T-1"]


async def test_a_ticket_that_is_handed_on_was_given_to_whom_it_was_given(driver: Begin) -> None:
    it = await led(driver, task("room", owner=Owner()), task("site", owner=persons(AYA)))
    await it.does(ChangeOwner, by=YOU, ticket_id="T-1", owner=persons(AYA))
    await it.does(HandTicketOver, by=AYA, ticket_id="T-1", to=BO)
    await it.does(TakeTicket, by=BO, ticket_id="T-1")

    assert f"<@{YOU}> has given it to *Aya*" in text_of((await it.posts())["decision-T-1-1"])


async def test_what_is_reported_is_approved_and_everything_is_summed_up(driver: Begin) -> None:
    it = await led(driver, task(owner=AGENT))
    card = (await it.posts())["decision-T-1-1"]
    assert "• Result · 2 kB · sha256 abababababab…" in text_of(card)

    await it.acts(YOU, APPROVE)

    posts = await it.posts()
    assert (await it.state()).status is Status.COMPLETED
    assert f"<@{YOU}> has approved it." in text_of(posts["decision-T-1-1"])
    assert not shows(posts["board"], STOP)
    assert "*✅ Everything is done*" in text_of(posts["board"])
    report = text_of(posts["report"])
    assert "✅ Delivered" in report
    said = f"• *T-1* Do room – *Coder* · Result · approved by <@{YOU}> · They have not opened: Result\n"
    assert said in report
    assert "T-1" not in text_of(posts["board"])  # the report names each ticket, once


async def test_changes_are_requested_and_the_next_report_is_a_decision_of_its_own(driver: Begin) -> None:
    it = await led(driver, task(owner=AGENT))
    first = (await it.posts())["decision-T-1-1"]

    await it.fills(YOU, await it.opens(YOU, CHANGES), **{TEXT: "A bigger room"})

    posts = await it.posts()
    assert text_of(posts["decision-T-1-1"]) == f"↩️ *T-1* Do room: <@{YOU}> has requested changes."
    assert shows(posts["decision-T-1-2"], APPROVE)
    before = await it.events()
    await forges(it.it, Role("the requester", YOU), first, APPROVE)
    assert await it.events() == before
    assert (await it.private(YOU))[-1].startswith(NEWER)


async def test_a_blocked_ticket_is_answered_and_its_owner_goes_on(driver: Begin) -> None:
    it = await led(driver, task())
    await it.does(BlockTicket, by=AYA, ticket_id="T-1", why="Which room?")
    assert "T-1 Do room\n*Aya* · blocked: an answer is needed" in text_of((await it.posts())["board"])
    form, late = await it.opens(YOU, ANSWER), await it.opens(ADMIN, ANSWER)
    assert "Which room?" in says(form)

    await it.fills(YOU, form, **{TEXT: "The big one"})

    assert (await it.ticket()).answers == ("The big one",)
    assert f"<@{YOU}> has answered." in text_of((await it.posts())["decision-T-1-1"])
    refused = await it.fills(ADMIN, late, **{TEXT: "The small one"})
    assert refused.errors[TEXT].startswith(NEWER)
    assert (await it.ticket()).answers == ("The big one",)


async def test_a_ticket_that_nobody_has_is_given_to_somebody_and_they_are_told(driver: Begin) -> None:
    it = await led(driver, task(owner=Owner(name="A twin")))
    form = await it.opens(YOU, OWNER)

    refused = await it.fills(YOU, form, **{PERSON: BO, WORKER: "coder"})
    assert "not both" in refused.errors[PERSON]
    await it.fills(YOU, form, **{PERSON: BO, WORKER: None})

    assert (await it.ticket()).owner.user_id == BO
    assert any(key.startswith("ticket-T-1") for key in await it.direct(BO))
    assert text_of((await it.posts())["decision-T-1-1"]).startswith(f"✅ *T-1* Do room: <@{YOU}> has given it to")


async def test_an_agent_gets_what_a_person_had(driver: Begin) -> None:
    it = await led(driver, task())
    form = await it.opens(YOU, TICKETS)
    shown = await it.fills(YOU, form, **{WHICH: "T-1"})
    assert shown.modal is not None
    assert "*T-1* Do room" in says(shown.modal)
    owner = await it.fills(YOU, shown.modal, **{ACTION: OWNER})
    assert owner.modal is not None

    await it.fills(YOU, owner.modal, **{PERSON: None, WORKER: "coder"})

    assert (await it.ticket()).owner == AGENT
    assert (await it.ticket()).status is TicketStatus.AWAITING_REVIEW


async def test_what_the_requester_had_approved_can_still_be_sent_back(driver: Begin) -> None:
    it = await led(driver, task(owner=AGENT), task("guests", depends_on=("room",)))
    await it.acts(YOU, APPROVE)
    form = await it.opens(YOU, TICKETS)
    shown = (await it.fills(YOU, form, **{WHICH: "T-1"})).modal
    assert shown is not None
    changes = (await it.fills(YOU, shown, **{ACTION: CHANGES})).modal
    assert changes is not None

    await it.fills(YOU, changes, **{TEXT: "Too small after all"})

    assert (await it.ticket()).status is TicketStatus.AWAITING_REVIEW
    assert len((await it.ticket()).reports) == 2


async def test_what_failed_is_tried_again_or_dropped(driver: Begin) -> None:
    it = await led(driver, task(owner=AGENT), outcomes=[{"failure": "timeout"}] * 2, policy=STRICT)
    failed = text_of((await it.posts())["decision-T-1-1"])
    assert "It took too long. It was tried 1 time." in failed

    await it.acts(YOU, RESET)

    posts = await it.posts()
    assert "lets it be tried again" in text_of(posts["decision-T-1-1"])
    assert "It was tried 2 times." in text_of(posts["decision-T-1-2"])
    await it.fills(YOU, await drop_form(it), **{TEXT: "Not needed"})
    assert (await it.ticket()).dropped_why == "Not needed"
    assert f"<@{YOU}> has dropped it." in text_of((await it.posts())["decision-T-1-2"])
    assert (await it.state()).status is Status.INCOMPLETE


async def drop_form(it: Led) -> Any:
    form = await it.opens(YOU, TICKETS)
    shown = (await it.fills(YOU, form, **{WHICH: "T-1"})).modal
    assert shown is not None
    drop = (await it.fills(YOU, shown, **{ACTION: DROP})).modal
    assert drop is not None
    return drop


async def test_a_ticket_is_added_with_all_that_was_filled_in(driver: Begin) -> None:
    it = await led(driver, task())

    await it.fills(
        YOU, await it.opens(YOU, ADD),
        **{TITLE: "Print badges", TEXT: "Fifty", RESULT: "A box", PERSON: BO, DAY: "2027-02-10", AFTER: ["T-1"]},
    )  # fmt: skip

    added = await it.ticket("T-2")
    assert (added.task.title, added.task.deadline, added.owner.user_id) == ("Print badges", "2027-02-10", BO)
    assert [each.label for each in added.task.outputs] == ["A box"]
    assert added.task.depends_on == ("room",)
    assert "T-2 Print badges" in text_of((await it.posts())["board"])


async def test_stopping_ends_it_and_is_asked_about_first(driver: Begin) -> None:
    it = await led(driver, task())

    await it.acts(YOU, STOP, confirm=False)
    assert (await it.state()).status is Status.WORKING
    await it.acts(YOU, STOP)

    assert (await it.state()).status is Status.INCOMPLETE
    posts = await it.posts()
    assert "⏹ Ended before everything was done" in text_of(posts["report"])
    assert "• *T-1* Do room – *Aya*" in text_of(posts["report"])


async def test_home_tells_what_waits_and_lets_it_be_decided(driver: Begin) -> None:
    it = await led(driver, task(), task("code", AGENT))
    home = await opens_home(it.it, YOU)
    assert "Your deliveries" in says(home)
    assert "*T-2* Do code: waits for a review" in says(home)
    assert "*Your tickets*" in says(await opens_home(it.it, AYA))

    outcome = await it.it.demo.person(YOU).act(home, APPROVE)
    await it.it.settles()

    assert outcome.acked
    assert (await it.ticket("T-2")).status is TicketStatus.DONE


async def test_what_people_do_is_on_record(driver: Begin) -> None:
    it = await led(driver, task(owner=AGENT), outcomes=[asking()])
    await it.acts(ADMIN, ALLOW_ONCE)
    await it.acts(YOU, APPROVE)

    told = await acts(it.it.demo.towow.store, it.key.tenant, it.key.stream)

    assert [(each.act, each.by, each.as_admin) for each in told] == [
        ("carry_out", YOU, False), ("answer_permission", ADMIN, True), ("review_ticket", YOU, False),
    ]  # fmt: skip
