"""Slack fails once, in any way, at any call: people try again what was not taken, and in the end all is as if nothing
had happened. What Slack refused for good is missing, and in the log."""

import asyncio
import re
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from itertools import cycle
from typing import Any, Final

import pytest
from pytest import LogCaptureFixture  # noqa: PT013 - a type, not a mark

from bot.demo.demo import CHANNEL, Posted
from bot.listeners.negotiation.intake import stream_names
from bot.local_slack import Message, Outcome
from bot.posts.post_records import PostRecords
from bot.views.kit.button_values import NEXT, PREVIOUS, SHOW_ALL
from bot.views.negotiation.button_values import CHANGE, CORRECT
from bot.views.negotiation.offers.offer_form import CONTRIBUTION, DECISION
from engine.kernel import Event, StreamKey, Tenant
from engine.negotiation.answers import Assignment, ProposalDraft
from engine.negotiation.events import (
    ChangeRequested,
    FeedbackDue,
    OfferOverridden,
    PersonReached,
    PersonUnreachable,
    ProposalFeedback,
)
from engine.negotiation.state import Status
from engine.store.memory import MemoryStore

from .conftest import Begin
from .driver import ACCEPT, ALONE, AYA, BO, DEMAND, EVE, NEGOTIATE, STOP, YOU, Driver, playing, shows, text_of
from .driver import presses as press_in
from .script import AGENT
from .tame import LINK, seen
from .test_pages import long_plan

METHODS: Final = (
    "chat.postMessage", "chat.update", "response_url", "chat.postEphemeral", "conversations.open", "views.open",
    "conversations.replies", "conversations.history", "auth.test", "users.info",
    "agents.sessions.setStatus",
)  # fmt: skip
"""Called while people negotiate. Those that are called elsewhere have tests of their own, below."""
SHUT_OUT: Final = ("account_inactive", "token_revoked")
PASSING: Final[dict[str, dict[str, Any]]] = {
    "429": {"do": "status", "status": 429, "retry_after": 3},
    "500": {"do": "status", "status": 500},
    "no answer, not done": {"do": "drop_before"},
    "no answer, but done": {"do": "drop_after"},
    **{each: {"do": "error", "error": each} for each in SHUT_OUT},
}
FINAL: Final = (
    "channel_not_found", "is_archived", "not_in_channel", "msg_blocks_too_long", "message_not_found",
    "user_not_in_channel", "missing_scope",
)  # fmt: skip
FAULTS: Final = PASSING | {each: {"do": "error", "error": each} for each in FINAL}
OF_EACH_KIND: Final = frozenset(
    {"429", "no answer, but done", "channel_not_found", "msg_blocks_too_long", "missing_scope", "token_revoked"}
)
"""One of each way in which we go on. All of them are tried in make test-all."""
RUNS: Final = [*((fault, turn) for fault in PASSING for turn in range(3)), *zip(FINAL, cycle(range(3)), strict=False)]
"""What happens once to each method, and at which of its first calls; another one for each method."""
TRIES: Final = 5
MANY: Final = 20
SHORTLY: Final = 0.8
"""Seconds that Slack waits for what will not be acknowledged."""
MINUTE: Final = 60_000
TELLING: Final = ("Traceback", "Error", "Exception", "http", "ratelimited", "internal_error", "None")
INCIDENTAL: Final = (FeedbackDue, PersonReached, PersonUnreachable)
"""Events of time, and of how people were reached."""
PLAN: Final = ProposalDraft(
    summary="A long evening. " * 200,
    assignments=tuple(Assignment(agent_id=f"{AGENT}{each}", role="Host") for each in ("aya", "bo")),
)
TIMES: Final = re.compile(r"<!date[^>]*>")


@dataclass(frozen=True)
class Remains:
    """What a negotiation came to: what happened, and what stands in the channel and in direct messages."""

    events: Counter[str]
    posts: dict[str, str]
    keys: list[str]


async def played(it: Driver) -> Driver:
    """A twin corrected, everything read in full, a wish in direct messages, a second round, and *Stop*."""
    it.script.says["aggregate"] = PLAN
    await until(it, began, lambda it: it.demo.person(YOU).say(CHANNEL, f"<@U_TOWOW> {DEMAND}"))
    it = await of_the_demand(it)
    if await offers(it, CORRECT):
        await until(it, corrected, corrects)
    it.script.held.pop("aggregate").set()
    await settles(it)
    await presses(it, EVE, ACCEPT)  # she has no seat, and is told so
    if await offers(it, SHOW_ALL):
        await until(it, read, lambda it: presses(it, EVE, SHOW_ALL))
    await until(it, voted(AYA, 1), wishes)
    await until(it, voted(BO, 1), lambda it: presses(it, BO, ACCEPT))
    await it.stands(Status.NEGOTIATING, round=2)
    await until(it, voted(AYA, 2), lambda it: presses(it, AYA, ACCEPT))
    await until(it, requested, asks_for_a_change)
    await until(it, stopped, lambda it: presses(it, YOU, STOP))
    return it


# ── people who do not give up ─────────────────────────────────────────────────────────────────────────────────────────


async def until(
    it: Driver, done: Callable[[Driver], Awaitable[bool]], act: Callable[[Driver], Awaitable[object]]
) -> None:
    """Try again what was not taken, and only that."""
    for _ in range(TRIES):
        if await done(it):
            return
        await act(it)
        await settles(it)
    assert await done(it), done


async def settles(it: Driver) -> None:
    """Let time pass until whatever waits for another try has had it."""
    await it.settles()
    while (due := it.demo.towow.posts.next_due) is not None and due - it.demo.clock.now() <= MINUTE:
        await it.demo.skip_to(due)
        await it.settles()


async def presses(it: Driver, user: str, action: str) -> Outcome | None:
    """Return where they see the button first: Aya in her direct messages, everybody else in the thread."""
    person = it.demo.person(user)
    cards = [each for each in await direct(it, user) + await it.everything(user) if shows(each, action)]
    cards.sort(key=lambda each: (each.channel == CHANNEL) is (user != AYA))
    if not cards:
        return None
    outcome = await press_in(person, cards[-1], action)
    await it.settles()
    return outcome


async def wishes(it: Driver) -> None:
    form = await presses(it, AYA, NEGOTIATE)
    if form is not None and form.modal is not None:
        await it.fills_in(AYA, form, "Only until ten")


async def asks_for_a_change(it: Driver) -> None:
    form = await presses(it, YOU, CHANGE)
    if form is not None and form.modal is not None:
        await it.demo.person(YOU).submit(form.modal, {"change": {"change": "An hour earlier"}})


async def corrects(it: Driver) -> None:
    form = await presses(it, AYA, CORRECT)
    if form is not None and form.modal is not None:
        said = {DECISION: {DECISION: "participate"}, CONTRIBUTION: {CONTRIBUTION: "a room and cake"}}
        await it.demo.person(AYA).submit(form.modal, said)


async def offers(it: Driver, action: str) -> bool:
    """Whether there is such a button in the thread. What Slack refused for good, or took only as text, has none."""
    return any(shows(each, action) for each in await it.everything(EVE))


async def began(it: Driver) -> bool:
    return await it.begun() == 1


async def of_the_demand(it: Driver) -> Driver:
    workspace = it.demo.workspace
    [said] = [each for each in await it.demo.person(YOU).messages(CHANNEL) if each.user == YOU]
    tenant = Tenant(workspace.team_id, workspace.enterprise_id or "")
    return replace(it, posted=Posted(said, StreamKey(tenant, next(stream_names(tenant, CHANNEL, said.ts)))))


async def corrected(it: Driver) -> bool:
    return len(await it.happened(OfferOverridden)) == 1


async def requested(it: Driver) -> bool:
    return len(await it.happened(ChangeRequested)) == 1


async def read(it: Driver) -> bool:
    return len(await it.demo.person(EVE).modals()) == 1


async def stopped(it: Driver) -> bool:
    return (await it.state()).status is Status.CANCELLED


def voted(user: str, number: int) -> Callable[[Driver], Awaitable[bool]]:
    async def has_voted(it: Driver) -> bool:
        return any((each.by, each.round) == (user, number) for each in await it.happened(ProposalFeedback))

    return has_voted


# ── what is left ──────────────────────────────────────────────────────────────────────────────────────────────────────


async def direct(it: Driver, user: str) -> list[Message]:
    person = it.demo.person(user)
    return await person.messages((await person.dm()).id)


async def remains(it: Driver) -> Remains:
    events = [each for each in await it.events() if not isinstance(each, INCIDENTAL)]
    everywhere = [*await it.everything(EVE), *await direct(it, AYA), *await direct(it, BO)]
    posts = [(key_of(each), TIMES.sub("", LINK.sub("", text_of(each)))) for each in everywhere if each.metadata]
    return Remains(Counter(map(_told, events)), dict(posts), sorted(key for key, _ in posts))


def key_of(message: Message) -> str:
    assert message.metadata is not None
    return str(message.metadata["event_payload"]["key"])


def _told(event: Event) -> str:
    """Return the events without what differs from one run to the next."""
    fields = ("agent_id", "round", "by", "feedback_type", "decision", "contribution", "reasoning", "reason")
    return " ".join([type(event).__name__, *(str(getattr(event, each, "")) for each in fields)])


async def nobody_read_an_exception(it: Driver) -> None:
    for each in await seen(it):
        text = text_of(each) if isinstance(each, Message) else str(each.blocks)
        said = LINK.sub("", f"{text} {each.model_dump().get('text', '')}")
        assert not [word for word in (*FINAL, *SHUT_OUT, *TELLING) if word in said]


@pytest.fixture(scope="module")
def undisturbed() -> Remains:
    async def left() -> Remains:
        async with playing(MemoryStore(), held=["aggregate"]) as it:
            return await remains(await played(it))

    with asyncio.Runner() as runner:
        return runner.run(left())


@pytest.mark.parametrize(
    ("fault", "turn"),
    [
        pytest.param(
            fault,
            turn,
            marks=() if fault in OF_EACH_KIND and not (fault in PASSING and turn) else pytest.mark.exhaustive,
        )
        for fault, turn in RUNS
    ],
)
async def test_one_fault_of_every_method_changes_nothing_in_the_end(
    driver: Begin, undisturbed: Remains, store: MemoryStore, caplog: LogCaptureFixture, fault: str, turn: int
) -> None:
    it = await driver(held=["aggregate"], ack_timeout=SHORTLY)
    for number, method in enumerate(METHODS):
        await it.demo.workspace.admin.fault(method, **FAULTS[fault], nth=1 + (number + turn) % 3)

    it = await played(it)

    left = await remains(it)
    table = await PostRecords(store, it.key).read()
    lost = {key for key, entry in table.items() if entry.state in ("given_up", "deleted") or entry.is_plain}
    assert not lost or fault in FINAL
    kept = dict(undisturbed.events)
    if not await corrected(it):
        assert f"offers of {it.key.stream} is given up: {fault}" in caplog.text  # there was nothing to be clicked
        kept = {each: count for each, count in kept.items() if not each.startswith("OfferOverridden")}
        lost |= {"offers"}
    assert left.events == kept
    assert sum(undisturbed.events.values()) > MANY
    assert {key: text for key, text in left.posts.items() if key not in lost} == {
        key: text for key, text in undisturbed.posts.items() if key not in lost
    }
    assert left.keys == sorted(left.posts) or fault == "message_not_found"  # so it is posted anew
    assert all(f"{key} of {it.key.stream} is given up: {fault}" in caplog.text for key in lost if table[key].why)
    if fault in PASSING:
        assert [each.status for each in await it.demo.person(YOU).sessions()] == ["closed"]
    await nobody_read_an_exception(it)


@pytest.mark.parametrize("fault", [*PASSING, "channel_not_found", "missing_scope"])
async def test_a_command_is_begun_or_refused_in_words_whatever_becomes_of_the_look_at_the_channel(
    driver: Begin, fault: str
) -> None:
    it = await driver(alone=["chen"], linked=[], policy=ALONE)
    await it.demo.workspace.admin.fault("conversations.info", **FAULTS[fault])

    outcome = await it.demo.person(YOU).slash(CHANNEL, "/towow", DEMAND)
    await settles(it)

    assert outcome.acked
    if fault == "channel_not_found":
        assert outcome.message is not None
        assert outcome.message.text.startswith("I am not in this channel")
        await it.demo.person(YOU).slash(CHANNEL, "/towow", DEMAND)
        await settles(it)
    assert [each.status for each in await it.negotiations()] == [Status.FINALIZED]


async def test_a_page_that_could_not_be_turned_is_turned_at_the_next_click(driver: Begin) -> None:
    it = await long_plan(driver)
    person = it.demo.person(EVE)
    shown = (await it.clicks(EVE, SHOW_ALL)).modal
    before = await it.events(), await it.thread()

    for fault in ("429", "no answer, not done", "no answer, but done", "missing_scope"):
        assert shown is not None
        await it.demo.workspace.admin.fault("views.update", **FAULTS[fault])
        await it.expects_no_ack()
        assert not (await person.act(shown, NEXT)).acked
        [shown] = await person.modals()
        there = NEXT if NEXT in str(shown.blocks) else PREVIOUS
        assert (await person.act(shown, there)).acked
        [shown] = await person.modals()
        back = PREVIOUS if there == NEXT else NEXT
        assert (await person.act(shown, back)).acked
        [shown] = await person.modals()

    assert (await it.events(), await it.thread()) == before


@pytest.mark.parametrize("fault", ["500", "no answer, not done", "account_inactive"])
async def test_a_connection_that_could_not_be_opened_anew_is_opened_at_another_try(driver: Begin, fault: str) -> None:
    it = await (await driver()).asks()
    admin = it.demo.workspace.admin
    opened = (await admin.status()).opened
    failing = await admin.fault("apps.connections.open", **FAULTS[fault])

    await admin.disconnect("close")
    await failing.reached()
    await admin.connected(more_than=opened)

    assert (await it.clicks(AYA, ACCEPT)).acked
    assert (await it.votes())["aya"] == "accept"
