"""The whole product on embedded defaults: a local workspace with people in it, ToWow installed, a clock that can jump.

It is driven as people drive it: through messages, buttons and forms.
"""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bot.app import ToWow, running
from bot.config import ApiAccess, ClaudeAccess, SlackAccess
from bot.listeners.negotiation.intake import stream_names
from bot.local_slack import App, Channel, LocalWorkspace, Message, Person, PortTaken, User, View
from bot.models import offline_model
from bot.slack.manifest import manifest
from bot.views.negotiation import vote_forms
from bot.views.negotiation.button_values import ACCEPT, NEGOTIATE, WITHDRAW
from engine.directory.profile import Profiles
from engine.errors import Misconfigured, StoreUnusable, UnknownChannel
from engine.kernel import Millis, StreamKey, Tenant
from engine.negotiation.answers import FeedbackType
from engine.negotiation.policy import Policy
from engine.negotiation.state import Negotiation
from engine.runtime.clock import JumpingClock
from engine.store.memory import MemoryStore
from engine.store.port import Store
from engine.store.sqlite import SqliteStore

CHANNEL: Final = "C_GENERAL"
REQUESTER: Final = "U_YOU"

SUGGESTIONS: Final = (
    "我想在北京办一场50人的AI主题聚会，需要场地和嘉宾",
    "I want to build a prototype of a mobile app for better retrospectives; I need design and engineering in six weeks",
    "A two-hour English workshop on data privacy for 30 colleagues in Berlin, next month, no budget",
)
"""Demands to begin with."""

FOREVER: Final[Millis] = 2**62

PAGE: Final = 500
"""Events that are read at once."""

ANY: Final = ""
"""The locale of whoever is spoken to in the language they write."""

BUTTONS: Final = {
    FeedbackType.ACCEPT: ACCEPT,
    FeedbackType.NEGOTIATE: NEGOTIATE,
    FeedbackType.WITHDRAW: WITHDRAW,
}


@dataclass(frozen=True, slots=True)
class Posted:
    """A demand that stands in the channel."""

    message: Message
    key: StreamKey


@dataclass(frozen=True, slots=True)
class Demo:
    workspace: LocalWorkspace
    towow: ToWow
    clock: JumpingClock
    names: Mapping[str, str]
    """What users are called, by id."""

    @property
    def tenant(self) -> Tenant:
        return _tenant(self.workspace)

    def person(self, user_id: str = REQUESTER) -> Person:
        return self.workspace.person(user_id)

    async def post(self, demand: str) -> Posted | None:
        """Mention ToWow with a demand. None when it was refused: why is in the thread, for the requester alone."""
        you = self.person()
        message = await you.say(CHANNEL, f"<@{self.workspace.bot_user_id}> {demand}")
        await self.settle()
        for name in stream_names(self.tenant, CHANNEL, message.ts):
            key = StreamKey(self.tenant, name)
            try:
                state = await self.read(key)
            except UnknownChannel:
                return None
            if state.place.thread == message.ts:
                return Posted(message, key)
        return None

    async def read(self, key: StreamKey) -> Negotiation:
        state, _ = await self.towow.runtime.read(key)
        assert isinstance(state, Negotiation)  # noqa: S101 - a demand starts nothing else
        return state

    async def thread(self, posted: Posted, user_id: str = REQUESTER) -> list[Message]:
        return await self.person(user_id).thread(CHANNEL, posted.message.ts)

    async def settle(self, quiet: float = 0.05) -> None:
        """Until nothing can happen without a person or the clock.

        Args:
            quiet: seconds in which nothing may pass between us and the workspace.
        """
        while True:
            before = await self.workspace.admin.idle(quiet)
            await self.towow.idle()
            if before == await self.workspace.admin.calls():
                return

    async def next_due(self) -> Millis | None:
        """When something happens by itself; None when nothing ever will."""
        store = self.towow.store
        pending, _ = await store.pending_effects(0, 1)
        stalled = [] if pending else [each.since for each in await store.stalled(FOREVER, 1)]
        dues = (await store.next_due(), self.clock.next_wake, self.towow.posts.next_due, *stalled)
        return min((each for each in dues if each is not None), default=None)

    async def skip(self) -> bool:
        """Jump to the next time at which something is due; False when nothing ever will be."""
        due = await self.next_due()
        if due is None:
            return False
        await self.skip_to(due)
        return True

    async def skip_to(self, due: Millis) -> None:
        self.clock.jump(due)
        await self.towow.runtime.sweep()

    async def vote(self, posted: Posted, user_id: str, agent_id: str, vote: FeedbackType, text: str = "") -> str | None:
        """Click the button of the newest round, and fill in the form behind it.

        Returns:
            why it was refused, in a sentence; None when it is recorded.
        """
        person = self.person(user_id)
        card = next(
            (each for each in reversed(await self.thread(posted, user_id)) if _has_button(each, BUTTONS[vote])), None
        )
        if card is None:
            return "There is no open round to vote in."
        before = len(await self._told(posted, user_id))
        outcome = await person.click(CHANNEL, card.ts, BUTTONS[vote])
        if outcome.modal is not None:
            outcome = await person.submit(outcome.modal, _filled_in(outcome.modal, agent_id, text))
        if outcome.errors:
            return " ".join(outcome.errors.values())
        if not outcome.acked:
            return outcome.error or "It was not acknowledged."
        await self.settle()
        # A click that is refused is acknowledged as well: the person is told why, in private.
        return next(iter((await self._told(posted, user_id))[before:]), None)

    async def _told(self, posted: Posted, user_id: str) -> list[str]:
        """What this person alone was told in the thread, oldest first."""
        return [each.text for each in await self.thread(posted, user_id) if each.visible_to]


def _has_button(message: Message, action_id: str) -> bool:
    return any(
        element.get("action_id") == action_id for block in message.blocks for element in block.get("elements", ())
    )


def _filled_in(view: View, agent_id: str, text: str) -> dict[str, dict[str, object]]:
    answers = {vote_forms.SEAT: agent_id, vote_forms.CHANGE: text}
    asked = {str(block.get("block_id")) for block in view.blocks if block.get("type") == "input"}
    if vote_forms.CHANGE not in asked:
        answers[vote_forms.WHY] = text
    return {name: {name: answer} for name, answer in answers.items() if name in asked}


@dataclass(frozen=True, slots=True)
class DemoSettings:
    """What a demand is played in."""

    profiles: Profiles
    policy: Policy
    database: Path | None = None
    """Kept here, with the workspace's messages beside it; in memory without."""
    claude: ClaudeAccess | None = None
    """Answers for the twins; the offline model does without."""
    admins: frozenset[str] = frozenset()
    port: int = 0
    """Of the workspace; 0 takes any that is free."""
    api: ApiAccess | None = None
    """Whether it is served over HTTP as well."""


@asynccontextmanager
async def running_demo(setting: DemoSettings, people: Sequence[User] = ()) -> AsyncIterator[Demo]:
    """
    Args:
        people: who is in the workspace besides the requester; those that profiles are linked to.

    Raises:
        Misconfigured, StoreUnusable
    """
    database, model = setting.database, setting.claude or offline_model()
    you = User(id=REQUESTER, name="you", real_name="You", locale=ANY)
    users = [you, *people]
    channel = Channel(id=CHANNEL, name="general", members=[each.id for each in users])
    clock = JumpingClock()
    async with AsyncExitStack() as stack:
        store, journal = _kept(database)
        stack.push_async_callback(store.close)
        await store.open()  # first: nothing is put beside a file that cannot be used
        workspace = LocalWorkspace(
            users=users,
            channels=[channel],
            app=_app(),
            file=journal,
            port=setting.port,
            now=lambda: clock.now() / 1000,
        )
        clock.jump(await _last(store, _tenant(workspace)))
        try:
            await stack.enter_async_context(workspace)
        except PortTaken as taken:
            raise Misconfigured([f"{taken}"]) from taken
        except (OSError, ValueError) as error:
            raise StoreUnusable(f"The messages in {journal} cannot be used ({error}); choose another path.") from error
        slack = SlackAccess(workspace.bot_token, workspace.app_token, workspace.api_url, ping_seconds=1, limited=False)
        towow = await stack.enter_async_context(
            running(slack, store, model, setting.profiles, clock, setting.policy, setting.admins, setting.api)
        )
        names = {each.id: each.real_name for each in users} | {workspace.bot_user_id: "ToWow"}
        yield Demo(workspace, towow, clock, names)


def _app() -> App:
    """As the manifest describes it."""
    app = App.described_by(manifest())
    return app.model_copy(update={"suggestions": SUGGESTIONS})


def _tenant(workspace: LocalWorkspace) -> Tenant:
    return Tenant(workspace.team_id, workspace.enterprise_id or "")


async def _last(store: Store, tenant: Tenant) -> Millis:
    """When the last thing happened: where a clock had jumped, that is later than now, and time does not go back."""
    last, after = 0, 0
    while page := await store.events(tenant, after, PAGE):
        last, after = max(last, *(each.at for each in page)), page[-1].position
    return last


def _kept(database: Path | None) -> tuple[Store, Path | None]:
    """The store, and where the workspace's messages are kept: beside it.

    Raises:
        StoreUnusable
    """
    if database is None:
        return MemoryStore(), None
    if database.is_dir():
        raise StoreUnusable(f"The store {database} is a folder; choose a file in it.")
    return SqliteStore(database), database.with_name(f"{database.name}.workspace")
