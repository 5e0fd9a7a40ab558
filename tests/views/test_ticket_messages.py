"""What is written to people about their tickets: what they have to do, how it stands, and what has become of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import pytest
from msgspec.structs import replace

from bot.local_slack.blocks import block_problems
from bot.texts import texts_in
from bot.views.delivery.button_values import (
    AGREE,
    BLOCK,
    DECLINE,
    FINISH,
    HAND_OVER,
    OWNER,
    RESULTS,
    START,
    SUGGEST,
    TAKE,
    OwnTicketButton,
)
from bot.views.delivery.decisions import decisions
from bot.views.delivery.owners_asked import posts, readers
from bot.views.kit.fit import LONGEST_MESSAGE, draw_whole, size
from bot.views.kit.post import Post
from bot.views.kit.presenter import no_known_language
from engine.delivery import commands as asked
from engine.delivery.events import PersonNeeded
from engine.delivery.rules import RULEBOOK
from engine.delivery.state import Delivery
from engine.delivery.terms import ExpectedOutput, Owner, WorkerKind
from tests.delivery.scenario import (
    ANN,
    BO,
    FOR_AGENT,
    REQUESTER,
    Scenario,
    artifact,
    evidence,
    instructed,
    opened,
    reported,
    task,
)
from tests.views.message_contents import CALL_TO_ALL, ESCAPED, OURS, buttons, mrkdwn, schema, shown, texts_within

WORKING: Final = {START, FINISH, BLOCK, HAND_OVER}
FOR_BO: Final = Owner(kind=WorkerKind.PERSON, user_id=BO, name="Bo")


def told(scenario: Scenario, user: str = ANN) -> dict[str, Post]:
    """What somebody is to be written, by key, without what it is too late for."""
    return {each.key: each for each in posts(scenario.state, no_known_language) if each.to == user and not each.is_late}


def drawn(scenario: Scenario, key: str) -> str:
    return shown(next(each for each in posts(scenario.state, no_known_language) if each.key == key))


def fields(scenario: Scenario) -> list[dict[str, Any]]:
    """Return what can be written into on the card of a ticket."""
    [card] = [each for each in posts(scenario.state, no_known_language) if each.key == "ticket-T-1-1"]
    return [each for each in card.blocks if each["type"] == "input"]


def acts(scenario: Scenario, key: str = "ticket-T-1-1") -> set[str]:
    return set(buttons(next(each for each in posts(scenario.state, no_known_language) if each.key == key)))


def hands_over(scenario: Scenario, to: str = BO) -> Scenario:
    return scenario.does(asked.HandTicketOver, by=ANN, ticket_id="T-1", to=to)


# ── the ticket ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_nobody_is_written_to_before_there_is_something_to_do() -> None:
    assert told(opened()) == {}
    assert list(told(instructed())) == ["ticket-T-1-1"]


def test_a_ticket_says_what_why_how_and_by_when() -> None:
    wanted = task(
        description="Two rooms, one with a stage.",
        deadline="2027-03-12",
        acceptance=("Both are confirmed",),
        risks=("It is a holiday",),
        outputs=(ExpectedOutput(label="The contract"),),
    )
    scenario = opened(wanted).instructs(
        summary="Ask the town hall first.", steps=("Call", "Write"), resources=("List",)
    )
    card = drawn(scenario, "ticket-T-1-1")

    for each in ("T-1 · Do room", "Two rooms", "An evening about AI", f"<@{REQUESTER}>", "<#C_LOBBY>", "Mar 12"):
        assert each in card
    for each in (
        "Ask the town hall first.",
        "1. Call",
        "2. Write",
        "• List",
        "• Both are confirmed",
        "• It is a holiday",
    ):
        assert each in card
    assert "A text or a link\nThe contract\nDone…" in card  # what is expected is the field beside the button
    [field] = fields(scenario)
    assert field["label"]["text"] == "The contract"
    two = opened(replace(wanted, outputs=(*wanted.outputs, ExpectedOutput(label="The key")))).instructs()
    assert "*What to show in the end*\n• The contract\n• The key" in drawn(two, "ticket-T-1-1")
    assert not fields(two)
    assert acts(scenario) == WORKING


def test_a_ticket_says_what_earlier_tickets_have_made() -> None:
    scenario = instructed(task("room"), task("guests", FOR_BO, depends_on=("room",)))
    link = artifact(uri="https://example.org/contract", is_link=True)
    scenario.finishes().worked(artifacts=(link,)).decides().instructs("T-2")
    assert "• T-1 – Result: https://example.org/contract" in drawn(scenario, "ticket-T-2-1")
    assert RESULTS not in acts(scenario, "ticket-T-2-1")


def test_files_of_earlier_tickets_can_be_had() -> None:
    scenario = instructed(task("room"), task("guests", FOR_BO, depends_on=("room",)))
    scenario.finishes().worked().reviews().instructs("T-2")
    assert "• T-1 – Result: result.md, 10 bytes" in drawn(scenario, "ticket-T-2-1")
    assert RESULTS in acts(scenario, "ticket-T-2-1")


def _started() -> Scenario:
    return instructed().does(asked.StartTicket, by=ANN, ticket_id="T-1")


def _blocked() -> Scenario:
    return _started().does(asked.BlockTicket, by=ANN, ticket_id="T-1", why="No key for the hall")


def _refused() -> Scenario:
    return _started().finishes().worked(failure="artifact_refused", detail="It is a link.")


STANDINGS: Final[dict[str, tuple[Any, str, set[str]]]] = {
    "to do": (instructed, "📋 Yours to do", WORKING),
    "started": (_started, "▶️ Started", WORKING - {START}),
    "being checked": (lambda: _started().finishes(), "🔎", set()),
    "not taken": (_refused, "was not taken. It is a link.", WORKING),
    "blocked": (_blocked, "⛔ Blocked: No key for the hall", {HAND_OVER}),
    "shown": (reported, "📨 Shown; the Manager looks at it.", set()),
    "approved": (lambda: reported().decides(), f"approved by <@{REQUESTER}>", set()),
    "dropped": (
        lambda: instructed().does(asked.DropTicket, by=REQUESTER, ticket_id="T-1", why="No guests"),
        "not needed any more: No guests",
        set(),
    ),
    "stopped": (lambda: _started().does(asked.StopDelivery, by=REQUESTER), "🛑", set()),
    "given to somebody else": (
        lambda: instructed().does(asked.ChangeOwner, by=REQUESTER, ticket_id="T-1", owner=FOR_BO),
        f"not yours any more: <@{BO}>",
        set(),
    ),
    "given to an agent": (
        lambda: instructed().does(asked.ChangeOwner, by=REQUESTER, ticket_id="T-1", owner=FOR_AGENT),
        "not yours any more: *Agent*",
        set(),
    ),
}


@pytest.mark.parametrize("standing", STANDINGS)
def test_a_ticket_says_how_it_stands_and_offers_what_can_be_done(standing: str) -> None:
    begun, says, offers = STANDINGS[standing]
    scenario = begun()
    assert says in drawn(scenario, "ticket-T-1-1")
    assert acts(scenario) == offers


def test_a_button_says_which_ticket_it_is_of() -> None:
    [post] = told(instructed()).values()
    assert {
        (OwnTicketButton.read(each["value"]).ticket, OwnTicketButton.read(each["value"]).stream)
        for each in buttons(post).values()
    } == {("T-1", instructed().state.session_id)}


# ── news ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_requested_changes_are_told_with_a_way_to_send_it_again() -> None:
    scenario = reported().reviews("changes_requested", requested_changes=("Name the hall",))
    assert list(told(scenario)) == ["ticket-T-1-1", "changes-T-1-1"]
    assert "Name the hall" in drawn(scenario, "changes-T-1-1")
    assert "The Manager requests changes" in drawn(scenario, "changes-T-1-1")
    assert acts(scenario, "changes-T-1-1") == {FINISH}
    scenario.finishes()
    assert acts(scenario, "changes-T-1-1") == set()


def test_changes_of_the_requester_are_told_by_name() -> None:
    scenario = reported().decides(approves=False, changes="The other hall")
    assert f"<@{REQUESTER}> requests changes" in drawn(scenario, "changes-T-1-1")
    assert "The other hall" in drawn(scenario, "changes-T-1-1")


def test_what_was_not_taken_is_told_once_for_each_attempt() -> None:
    scenario = _refused()
    assert list(told(scenario)) == ["ticket-T-1-1", "refused-T-1-1"]
    scenario.finishes().worked(failure="evidence_missing")
    assert list(told(scenario)) == ["ticket-T-1-1", "refused-T-1-2"]
    assert acts(scenario, "refused-T-1-1") == set()
    assert acts(scenario, "refused-T-1-2") == {FINISH}


def test_an_answer_to_what_somebody_lacked_is_told() -> None:
    scenario = _blocked().does(asked.AnswerBlock, by=REQUESTER, ticket_id="T-1", text="Under the mat")
    assert list(told(scenario)) == ["ticket-T-1-1", "answer-T-1-1"]
    assert "Under the mat" in drawn(scenario, "answer-T-1-1")
    assert "*What you were told*\n• Under the mat" in drawn(scenario, "ticket-T-1-1")


def test_a_reminder_and_what_is_overdue_are_one_message() -> None:
    scenario = opened(task(deadline="2027-01-20")).instructs()
    scenario.rings("remind-T-1")
    assert list(told(scenario)) == ["ticket-T-1-1", "due-T-1-1"]
    assert "is near" in drawn(scenario, "due-T-1-1")
    scenario.now += 10 * 86_400_000
    scenario.rings("due-T-1")
    assert list(told(scenario)) == ["ticket-T-1-1", "due-T-1-1"]
    assert "is over" in drawn(scenario, "due-T-1-1")
    assert "⏰" in drawn(scenario, "ticket-T-1-1")


def test_whoever_loses_a_ticket_is_told_so() -> None:
    scenario = _started().does(asked.ChangeOwner, by=REQUESTER, ticket_id="T-1", owner=FOR_BO)
    assert list(told(scenario)) == ["over-T-1-1"]
    assert list(told(scenario, BO)) == ["ticket-T-1-2"]


def test_whoever_has_a_ticket_that_is_dropped_is_told_so() -> None:
    scenario = _started().does(asked.DropTicket, by=REQUESTER, ticket_id="T-1", why="No guests")
    assert list(told(scenario)) == ["over-T-1-1"]


def test_everybody_is_told_once_that_the_whole_was_ended() -> None:
    scenario = instructed(task("room"), task("guests"), task("food", FOR_BO)).does(asked.StopDelivery, by=REQUESTER)
    assert list(told(scenario)) == ["ended/U_ANN"]
    assert "• T-1 “Do room”\n• T-2 “Do guests”" in drawn(scenario, "ended/U_ANN")
    assert list(told(scenario, BO)) == ["ended/U_BO"]


# ── what is asked ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_colleague_is_asked_before_a_ticket_is_theirs() -> None:
    scenario = hands_over(instructed())
    assert list(told(scenario, BO)) == ["take-T-1-1"]
    assert f"<@{ANN}> asks you to take T-1" in drawn(scenario, "take-T-1-1")
    assert acts(scenario, "take-T-1-1") == {TAKE, DECLINE}
    assert f"<@{BO}> was asked to take it" in drawn(scenario, "ticket-T-1-1")
    assert BO in readers(scenario.state)


@pytest.mark.parametrize(
    ("answer", "colleague", "former", "theirs"),
    [
        pytest.param(asked.TakeTicket, "You have taken it.", "has taken T-1", ["ticket-T-1-2"], id="taken"),
        pytest.param(asked.DeclineTicket, "You have declined.", "still yours", [], id="declined"),
    ],
)
def test_both_are_told_what_became_of_a_hand_over(
    answer: type[Any], colleague: str, former: str, theirs: list[str]
) -> None:
    scenario = hands_over(instructed()).does(answer, by=BO, ticket_id="T-1")
    assert colleague in drawn(scenario, "take-T-1-1")
    assert acts(scenario, "take-T-1-1") == set()
    assert former in drawn(scenario, "handed-T-1-1")
    assert list(told(scenario, BO)) == theirs
    assert "over-T-1-1" not in {each.key for each in posts(scenario.state, no_known_language)}


def test_an_earlier_request_ends_with_a_later_one() -> None:
    scenario = hands_over(hands_over(instructed()), "U_CHEN")
    assert acts(scenario, "take-T-1-1") == set()
    assert "not asked any more" in drawn(scenario, "take-T-1-1")
    assert acts(scenario, "take-T-1-2") == {TAKE, DECLINE}


def test_a_proposal_is_asked_about_before_the_ticket_is_told() -> None:
    scenario = opened(task(needs_proposal=True)).proposes(draft_steps=("Call first",), open_questions=("Which hall?",))
    assert list(told(scenario)) == ["proposal-T-1-1/U_ANN"]
    asking = told(scenario)["proposal-T-1-1/U_ANN"]
    assert asking.until == scenario.state.tickets["T-1"].discussed_until > 0, "quiet hours must not outlast it"
    card = drawn(scenario, "proposal-T-1-1/U_ANN")
    assert "Call first" in card
    assert "Which hall?" in card
    assert acts(scenario, "proposal-T-1-1/U_ANN") == {AGREE, SUGGEST}
    scenario.does(asked.AnswerProposal, by=ANN, ticket_id="T-1", agrees=False, text="Write instead")
    assert acts(scenario, "proposal-T-1-1/U_ANN") == set()
    assert f"<@{ANN}> suggests: Write instead" in drawn(scenario, "proposal-T-1-1/U_ANN")


# ── any text, both languages ──────────────────────────────────────────────────────────────────────────────────────

HOSTILE: Final = (
    "x" * 3_000,
    "<!channel> @everyone <@U_EVE> `code` *bold* &amp; " * 40,
    "😀🇩🇪👩‍👩‍👧 " * 200,
    "一" * 2_900,
    "\u202e\x00\n\n\n",
)


def everything(text: str) -> Iterator[Scenario]:
    wanted = task(
        title=text[:300],
        description=text,
        outputs=tuple(ExpectedOutput(label=f"{number}{text[:300]}") for number in range(8)),
        acceptance=(text,) * 20,
        risks=(text,) * 20,
        deadline="2027-01-20",
    )
    shown_of = tuple(evidence(each.label) for each in wanted.outputs)
    yield opened(task(title=text[:300], needs_proposal=True)).proposes(
        summary=text, draft_steps=(text,) * 20, risks=(text,)
    )
    yield (scenario := opened(wanted).instructs(summary=text, steps=(text,) * 30, resources=(text,) * 9))
    yield hands_over(scenario)
    yield scenario.does(asked.FinishTicket, by=ANN, ticket_id="T-1", evidence=shown_of, summary="done")
    yield scenario.worked()
    yield scenario.reviews("changes_requested", requested_changes=(text,) * 20, notes=text)
    yield scenario.does(asked.BlockTicket, by=ANN, ticket_id="T-1", why=text or "…")
    yield scenario.does(asked.AnswerBlock, by=REQUESTER, ticket_id="T-1", text=text or "…")
    yield scenario.does(asked.FinishTicket, by=ANN, ticket_id="T-1", evidence=shown_of).worked(
        failure="check_failed", detail=text
    )
    yield scenario.does(asked.DropTicket, by=REQUESTER, ticket_id="T-1", why=text)


def states(text: str) -> Iterator[Delivery]:
    return (each.state for each in everything(text))


def in_both(state: Delivery) -> list[Post]:
    return [*posts(state, lambda user, key: "en"), *posts(state, lambda user, key: "zh")]


@pytest.mark.parametrize("text", HOSTILE, ids=["long", "markup", "emoji", "Chinese", "nothing to see"])
def test_whatever_people_say_every_message_fits_and_calls_nobody(text: str) -> None:
    for state in states(text):
        for post in in_both(state):
            assert block_problems(list(post.blocks), "message") == []
            assert len(post.blocks) <= 50
            assert size(post.blocks) <= LONGEST_MESSAGE
            assert 0 < len(post.text) <= 4_000
    for each in mrkdwn([post for state in states(text) for post in in_both(state)]):
        rest = OURS.sub("", each)
        assert "<" not in rest
        assert "&" not in ESCAPED.sub("", rest)
        assert not CALL_TO_ALL.search(rest)


def test_every_block_is_as_slacks_types_say() -> None:
    validator = schema("blockkit.schema.json")
    for state in states("A text"):
        for post in in_both(state):
            assert [error.message for error in validator.iter_errors({"blocks": list(post.blocks)})] == []


def test_what_is_cut_stands_behind_show_all() -> None:
    scenario = opened(task(description="begin " + "word " * 500 + "end")).instructs()
    [post] = told(scenario).values()
    assert "post.show_all" in buttons(post)
    assert post.card is not None
    assert any(each["text"].endswith("end") for each in texts_within(draw_whole(post.card)))


def test_nothing_is_written_once_all_words_are_erased() -> None:
    assert posts(instructed().does(asked.EraseWords).state, no_known_language) == []


# ── deliveries of before ──────────────────────────────────────────────────────────────────────────────────────────


def test_owners_that_an_earlier_towow_asked_for_one_by_one_keep_their_cards() -> None:
    now = opened(task("a", Owner()), task("b", Owner()))
    [together] = [each.key for each in decisions(now.state, texts_in("en"))]
    assert together.startswith("owners-")

    events = [replace(each, is_together=False) if isinstance(each, PersonNeeded) else each for each in now.history]
    then = Scenario(state=RULEBOOK.fold(events))

    cards = decisions(then.state, texts_in("en"))
    assert [each.key for each in cards] == ["decision-T-1-1", "decision-T-2-1"]
    assert all(OWNER in buttons(each) for each in cards)
    then.does(asked.ChangeOwner, by=REQUESTER, ticket_id="T-1", decision=1, owner=FOR_BO)
    assert then.refused is None
    assert [each.key for each in decisions(then.state, texts_in("en"))] == ["decision-T-1-1", "decision-T-2-1"]
