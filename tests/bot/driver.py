"""Drives the whole product with a scripted model and a clock that stands still.

People act in the local workspace. Tests look at what they see, what was recorded and what they were told.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, TypeVar

import yaml

from bot.api_config import ApiAccess
from bot.app import running
from bot.calendars_config import CalendarAccess
from bot.config import SlackAccess
from bot.demo.demo import ANY, CHANNEL, REQUESTER, Demo, Posted
from bot.demo.negotiation.ask import post, read
from bot.listeners.colleagues import MOST_OPEN
from bot.listeners.negotiation.intake import stream_names
from bot.local_slack import App, Channel, FaultHandle, LocalWorkspace, Message, Outcome, Person, Team, User, View
from bot.protocol_row import Protocol
from bot.registry import PROTOCOLS
from bot.views.kit.menu import MORE, buttons_in, choice_of
from bot.views.negotiation.action_forms import HOW
from bot.views.negotiation.button_values import ACCEPT, NEGOTIATE, PROCEED, STOP, WITHDRAW
from bot.views.negotiation.voting.vote_forms import SEAT, WHY
from bot.views.negotiation.voting.wish_fields import CHANGE
from bot.workspace_settings import directory_key
from engine.directory.profile import Profiles
from engine.errors import ModelError
from engine.kernel import Event, Millis, ModelAnswer, StreamKey, Tenant
from engine.llm.port import Model
from engine.negotiation.events import EVENTS
from engine.negotiation.policy import Policy
from engine.negotiation.state import Negotiation, Status
from engine.negotiation.voting.kinds import FeedbackType
from engine.runtime.clock import Clock, JumpingClock
from engine.runtime.streams import opened
from engine.runtime.tracing import Tracing
from engine.store.port import Store

from .script import AGENT, Script, people

NOON: Final[Millis] = 1_800_000_000_000
QUIET: Final = 0.001
"""Seconds of silence after which nothing more comes; everything is in one process here."""
A_MOMENT: Final = 0.3
"""Seconds that Slack waits for what nobody will acknowledge."""
YOU, AYA, BO, EVE, ADMIN = REQUESTER, "U_AYA", "U_BO", "U_EVE", "U_ADMIN"
"""Who asked; two with a seat of their own, whenever they are linked; somebody who only reads along; and an admin."""
EVERYBODY: Final = (YOU, AYA, BO, EVE, ADMIN)
YOUR_TIME_ZONE: Final = "Asia/Tokyo"
USERS: Final = tuple(
    User(
        id=each,
        name=each[2:].lower(),
        real_name=each[2:].title(),
        locale=ANY,
        tz=YOUR_TIME_ZONE if each == YOU else "UTC",
    )
    for each in EVERYBODY
)
LINKS: Final = {"aya": AYA, "bo": BO}
DEMAND: Final = "I need a venue for 50 people in Berlin"

MANIFEST: Final = yaml.safe_load((Path(__file__).parents[2] / "manifest.yml").read_text("utf-8"))
SCOPES: Final = App.described_by(MANIFEST).scopes
FUNCTIONS: Final = App.described_by(MANIFEST).functions
SUBSCRIPTIONS: Final = tuple(MANIFEST["settings"]["event_subscriptions"]["bot_events"])
PATIENT: Final = Policy(human_window=3600, override_window=30)
"""Seconds."""
ALONE: Final = Policy(human_window=0, override_window=0)
"""Nobody but the twins is waited for."""

Kind = TypeVar("Kind", bound=Event)


@dataclass(frozen=True)
class Driver:
    """ToWow in a workspace; ``posted`` is the demand that stands in the channel."""

    demo: Demo
    script: Script
    posted: Posted | None = None
    leaving: AsyncExitStack = field(default_factory=AsyncExitStack)
    protocols: Sequence[Protocol] = PROTOCOLS

    # ── when ──────────────────────────────────────────────────────────────────────────────────────────────────────

    async def asks(self, demand: str = DEMAND) -> Driver:
        """Post the demand, and return its driver once everything has happened that needs neither person nor clock."""
        if not self.script.held:
            return replace(self, posted=await post(self.demo, demand))
        workspace = self.demo.workspace
        message = await self.demo.person().say(CHANNEL, f"<@{workspace.bot_user_id}> {demand}")
        await self.script.thinking.wait()
        await self.settles()
        tenant = Tenant(workspace.team_id, workspace.enterprise_id or "")
        key = StreamKey(tenant, next(stream_names(tenant, CHANNEL, message.ts)))
        return replace(self, posted=Posted(message, key))

    async def settles(self) -> None:
        """Wait until nothing more happens without a person, the clock or an answer that the model holds back."""
        if not self.script.held:
            await self.demo.settle(QUIET)
            return
        towow = self.demo.towow
        await self.demo.workspace.idle(QUIET)
        await towow.posts.idle()
        await towow.services.background.activity.idle()

    async def clicks(self, user: str, action: str, *, card: Message | None = None, confirm: bool = True) -> Outcome:
        """Click a button of the newest round, or of the card given."""
        card = card or (await self.card())
        outcome = await presses(self.demo.person(user), card, action, confirm=confirm)
        await self.settles()
        return outcome

    async def goes(self, user: str, way: str, *, card: Message) -> Outcome:
        """Click *Go…* on the card of a plan, choose a way, and send the form."""
        opened = await self.clicks(user, PROCEED, card=card)
        return await self.chooses(user, opened.modal, way) if opened.modal else opened

    async def chooses(self, user: str, form: View, way: str) -> Outcome:
        outcome = await self.demo.person(user).submit(form, {HOW: {HOW: way}})
        await self.settles()
        return outcome

    async def says(self, user: str, action: str, text: str, seat: str = "") -> Outcome:
        """Click *Negotiate* or *Withdraw*, and send the form behind it."""
        outcome = await self.clicks(user, action)
        assert outcome.modal is not None, outcome
        return await self.fills_in(user, outcome, text, seat)

    async def fills_in(self, user: str, form: Outcome, text: str = "", seat: str = "") -> Outcome:
        assert form.modal is not None, form
        asked = {block["block_id"] for block in form.modal.blocks if block["type"] == "input"}
        field = CHANGE if CHANGE in asked else WHY
        values = {name: {name: said} for name, said in {field: text, SEAT: AGENT + seat}.items() if name in asked}
        outcome = await self.demo.person(user).submit(form.modal, values)
        await self.settles()
        return outcome

    async def stops(self, user: str, *, card: Message | None = None, confirm: bool = True) -> Outcome:
        return await self.clicks(user, STOP, card=card or (await self.thread())[1], confirm=confirm)

    async def passes(self) -> None:
        """Let time pass until the next thing is due."""
        assert await self.demo.skip(), "nothing will ever be due"
        await self.settles()

    async def time_is_up(self) -> None:
        """Let time pass until the deadline of the open round, and whatever is due before it."""
        deadline = (await self.state()).rounds[-1].window.deadline
        while self.demo.clock.now() < deadline:
            await self.passes()

    async def goes_on(self) -> Driver:
        """Let time pass until it is over, without anybody doing anything."""
        while (await self.state()).is_open:
            await self.passes()
        return self

    async def expects_no_ack(self, kind: str = "interactive") -> None:
        """Let Slack wait for a moment only once it sends the next envelope of this kind, which nobody acknowledges."""
        await self.demo.workspace.admin.fault(kind, "hurry", seconds=A_MOMENT)

    async def leaves(self) -> None:
        """End ToWow as it ends when it is told to; the workspace stays."""
        await self.leaving.aclose()

    async def keeps_old_cards(self) -> FaultHandle:
        """Let Slack change no message from now on, so that buttons stay which should be gone."""
        await self.demo.workspace.admin.fault("response_url", "status", times=None)
        return await self.demo.workspace.admin.fault("chat.update", "error", times=None)

    # ── then ──────────────────────────────────────────────────────────────────────────────────────────────────────

    @property
    def key(self) -> StreamKey:
        assert self.posted is not None, "the demand was refused"
        return self.posted.key

    async def state(self) -> Negotiation:
        return await read(self.demo, self.key)

    async def stands(self, status: Status, *, round: int | None = None) -> Negotiation:  # noqa: A002 - the domain's
        state = await self.state()
        assert state.status is status, state.outcome
        assert round in (None, state.round)
        return state

    async def events(self) -> Sequence[Event]:
        stored = await self.demo.towow.store.load(self.key)
        assert stored is not None
        return [opened(each, EVENTS) for each in stored.events]

    async def happened(self, kind: type[Kind]) -> list[Kind]:
        return [each for each in await self.events() if isinstance(each, kind)]

    async def refusals(self) -> list[str]:
        """Return the kinds of refusals that are on record."""
        stored = await self.demo.towow.store.load(self.key)
        assert stored is not None
        return [each.partition(":")[0] for each in stored.commands.values() if each]

    async def votes(self) -> dict[str, FeedbackType | None]:
        """Return the effective votes of the latest round, by short name."""
        seats = (await self.state()).rounds[-1].seats
        return {
            each.removeprefix(AGENT): seat.vote.feedback_type if seat.vote else None for each, seat in seats.items()
        }

    async def thread(self, user: str = YOU) -> list[Message]:
        """Return the messages of the thread that everybody sees."""
        assert self.posted is not None
        return [each for each in await self.demo.thread(self.posted, user) if each.visible_to is None]

    async def card(self) -> Message:
        """Return the newest message that one can vote in."""
        return next(each for each in reversed(await self.thread()) if shows(each, ACCEPT))

    async def root(self) -> str:
        return text_of((await self.thread())[1])

    async def told(self, user: str) -> list[str]:
        """Return what only this person was told, oldest first."""
        return (await self.whispers())[user]

    async def whispers(self) -> dict[str, list[str]]:
        """Return what each person was told that nobody else sees, oldest first."""
        seen = {reader: await self.everything(reader) for reader in EVERYBODY}
        assert all(each.visible_to in (None, reader) for reader, messages in seen.items() for each in messages)
        readers = Counter(each.ts for messages in seen.values() for each in messages)
        private = {reader: [each for each in seen[reader] if each.visible_to is not None] for reader in seen}
        assert all(readers[each.ts] == 1 for messages in private.values() for each in messages)
        return {reader: [each.text for each in messages] for reader, messages in private.items()}

    async def negotiations(self) -> list[Negotiation]:
        """Return all negotiations that have begun here, in the order of their cards."""
        cards = [each.metadata for each in await self.everything(YOU) if each.metadata is not None]
        streams = dict.fromkeys(each["event_payload"]["stream"] for each in cards)
        workspace = self.demo.workspace
        tenant = Tenant(workspace.team_id, workspace.enterprise_id or "")
        assert len(streams) == await self.begun()
        return [await read(self.demo, StreamKey(tenant, each)) for each in streams]

    async def begun(self) -> int:
        """Count the negotiations that have begun here, also where nothing of them is to be seen."""
        store, workspace = self.demo.towow.store, self.demo.workspace
        tenant = Tenant(workspace.team_id, workspace.enterprise_id or "")
        besides = await store.load(directory_key(tenant)) is not None
        return (await store.counts())["streams"] - besides

    async def everything(self, user: str) -> list[Message]:
        """Return the messages that somebody sees in the channel and in its threads."""
        return await self.demo.person(user).conversation(CHANNEL)


@asynccontextmanager
async def nothing_changed(it: Driver, *, by: str, told: str) -> AsyncIterator[None]:
    """Check that whatever is clicked in this block has no consequence but one private sentence."""
    before, thread, private = await it.events(), await it.thread(), await it.told(by)
    yield
    assert await it.events() == before
    assert await it.thread() == thread
    whispers = await it.whispers()
    [sentence] = whispers[by][len(private) :]
    assert told in sentence, sentence
    for other in {*EVERYBODY} - {by}:
        assert sentence not in whispers[other]


def shows(message: Message, action: str) -> bool:
    """Whether the message has this button."""
    return any(each.get("action_id") == action for each in buttons_in(elements_of(message)))


def elements_of(message: Message) -> list[dict[str, Any]]:
    """Return what can be pressed or chosen in a message."""
    rows = ((*block.get("elements", ()), block.get("accessory", {})) for block in message.blocks)
    return [each for row in rows for each in row]


async def presses(person: Person, card: Message, action: str, **more: Any) -> Outcome:
    """Press a button of a message, or choose it in the message's menu."""
    choice = choice_of(elements_of(card), action)
    if choice is not None:
        return await person.click(card.channel, card.ts, MORE, choice)
    return await person.click(card.channel, card.ts, action, **more)


def text_of(message: Message) -> str:
    """Return everything that is written in a message's blocks."""
    return "\n".join(texts_of(message.blocks)) or message.text


def _rich(element: Mapping[str, Any]) -> str:
    """One element of a rich text, as mrkdwn says it."""
    match element:
        case {"type": "user", "user_id": str(user)}:
            return f"<@{user}>"
        case {"type": "text", "text": str(text), "style": {"bold": True}}:
            return f"*{text}*"
        case _:
            return str(element.get("text", ""))


def texts_of(value: Any) -> list[str]:
    match value:
        case {"type": "mrkdwn" | "plain_text", "text": str(text)}:
            return [text]
        case {"type": "plan" | "task_card", "title": str(title), **rest}:
            return [title, *texts_of(rest)]
        case {"type": "rich_text_section", "elements": list(elements)}:
            return ["".join(map(_rich, elements))]
        case dict():
            return [text for each in value.values() for text in texts_of(each)]
        case list():
            return [text for each in value for text in texts_of(each)]
    return []


@asynccontextmanager
async def playing(
    store: Store,
    *,
    linked: Sequence[str] = ("aya", "bo"),
    alone: Sequence[str] = (),
    twins: Mapping[tuple[str, int], str] | None = None,
    fails: Mapping[str, ModelError] | None = None,
    says: Mapping[str, ModelAnswer] | None = None,
    held: Sequence[str] = (),
    said_by: Profiles | None = None,
    locales: Mapping[str, str] | None = None,
    policy: Policy = PATIENT,
    team: Team | None = None,
    ack_timeout: float = 3.0,
    api: ApiAccess | None = None,
    is_called: bool = False,
    protocols: Sequence[Protocol] = PROTOCOLS,
    model: Callable[[Clock], Model] | None = None,
    tracing: Tracing | None = None,
    most_open: int = MOST_OPEN,
    keep_days: int | None = None,
    calendars: CalendarAccess | None = None,
) -> AsyncIterator[Driver]:
    """
    Args:
        linked: those of aya and bo who have a seat of their own.
        alone: names of twins that belong to no one here.
        twins: what they vote, by name and round; accept, unless it says otherwise.
        fails: what the model cannot answer, by prompt or prompt/name.
        says: what the model answers instead, by prompt.
        held: prompts that the model never answers.
        said_by: the profiles of everybody, where they are not ours.
        locales: of users, where Slack tells one.
        is_called: whether Slack is to call over HTTP instead of by Socket Mode.
        model: makes what is asked instead of the script, which then only says who is there.
        ack_timeout: seconds that Slack waits for us before it delivers again, at once.
    """
    channel = Channel(id=CHANNEL, name="general", members=[each.id for each in USERS])
    script = Script((*linked, *alone), dict(twins or {}), dict(fails or {}))
    script.says |= says or {}
    script.held |= {prompt: asyncio.Event() for prompt in held}
    profiles = said_by or people({each: LINKS[each] for each in linked}, alone)
    clock = JumpingClock(NOON)
    async with LocalWorkspace(
        users=[each.model_copy(update={"locale": (locales or {}).get(each.id, ANY)}) for each in USERS],
        channels=[channel],
        app=App(scopes=SCOPES, subscriptions=SUBSCRIPTIONS, functions=FUNCTIONS),
        team=team,
        ack_timeout=ack_timeout,
        redelivery_delays=(0.0,) * 20,
    ) as workspace:
        slack = SlackAccess(
            workspace.bot_token,
            "" if is_called else workspace.app_token,
            workspace.api_url,
            ping_seconds=0.5,
            limited=False,
        )
        async with AsyncExitStack() as leaving:
            towow = await leaving.enter_async_context(
                running(
                    slack,
                    store,
                    model(clock) if model else script,
                    profiles,
                    clock,
                    policy,
                    protocols,
                    frozenset({ADMIN}),
                    api,
                    tracing=tracing,
                    most_open=most_open,
                    keep_days=keep_days,
                    calendars=calendars,
                )
            )
            names = {each.id: each.real_name for each in USERS}
            yield Driver(Demo(workspace, towow, clock, names, PROTOCOLS), script, leaving=leaving, protocols=protocols)


__all__ = [
    "ACCEPT",
    "ADMIN",
    "ALONE",
    "AYA",
    "A_MOMENT",
    "BO",
    "DEMAND",
    "EVE",
    "EVERYBODY",
    "NEGOTIATE",
    "NOON",
    "PATIENT",
    "QUIET",
    "STOP",
    "WITHDRAW",
    "YOU",
    "YOUR_TIME_ZONE",
    "Driver",
    "nothing_changed",
    "playing",
    "shows",
    "text_of",
]  # fmt: skip
