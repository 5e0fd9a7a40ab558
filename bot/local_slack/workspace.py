"""The state of the workspace."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from pathlib import Path

from .faults import Faults
from .feed import Change, ChangeKind, Feed, Panel
from .installation import App, Surfaces, Team
from .journal import Activity, Journal, LateCalls, Table
from .limits import Limits, NotPossible, Refusal
from .messages import Messages
from .model import (
    AgentSession,
    Channel,
    File,
    Json,
    Message,
    Now,
    PendingEvent,
    Prompts,
    ReadMark,
    ResponseUrl,
    StepRun,
    Timestamps,
    User,
    UserGroup,
    View,
)
from .slack_itself import SlackItself
from .sockets import REDELIVERY_DELAYS, Ack, Delivery, EnvelopeType, Sockets
from .triggers import Triggers, here, is_seen_in

ACK_TIMEOUT = 3.0  # seconds, as Slack allows


class Workspace:
    """Holds the tables, the clock, the feed and the connections; the modules beside it hold the rules."""

    def __init__(
        self,
        team: Team,
        app: App,
        *,
        now: Now,
        file: Path | None = None,
        ack_timeout: float = ACK_TIMEOUT,
        redelivery_delays: Sequence[float] = REDELIVERY_DELAYS,
        slack: SlackItself | None = None,
    ) -> None:
        self.slack = slack  # None: this workspace is all of Slack that there is, and the app is installed in it
        self.team = team
        self.app = app
        self.now = now
        self.url = ""  # known once the server listens
        self.run_id = secrets.token_hex(4)  # another one at every start, like the next two
        self.page_token = secrets.token_urlsafe(24)  # what a person's page shows whenever it changes something
        self.ticket = secrets.token_urlsafe(24)  # what the app shows when it connects
        self.panel: Panel | None = None
        self.timestamps = Timestamps(now)
        self.feed = Feed()
        self.faults = Faults()
        self.limits = Limits(now)
        self.surfaces = Surfaces()
        self.is_app_removed = False  # the app's token is good for nothing any more
        self.triggers = Triggers(now)
        self.activity = slack.activity if slack else Activity()
        self.late_calls = LateCalls()
        self.message_inputs: dict[str, dict[str, dict[str, Json]]] = {}  # user and message -> block -> action -> state
        self.journal = Journal(file)
        self.users = Table("user", User, self.journal, lambda user: self._publish("user", user=user.id))
        self.user_groups = Table("user_group", UserGroup, self.journal)
        self.channels = Table("channel", Channel, self.journal, lambda channel: self._publish("channel", channel.id))
        self.messages = Messages(self.journal, self._message_changed)
        self.homes = Table("home", View, self.journal, lambda view: self._publish("home", user=view.user))
        self.modals = Table("modal", View, self.journal, self.publish_modal_change)
        self.files = Table("file", File, self.journal, lambda _: self._publish("file"))
        self.sessions = Table(
            "session",
            AgentSession,
            self.journal,
            lambda session: self._publish("session", session.channel, session.thread_ts),
        )
        self.prompts = Table("prompts", Prompts, self.journal, lambda one: self._publish("prompts", one.channel))
        self.read_marks = Table(
            "read", ReadMark, self.journal, lambda mark: self._publish("read", mark.channel, user=mark.user)
        )
        self.step_runs = Table("step_run", StepRun, self.journal)
        self.response_urls = Table("response_url", ResponseUrl, self.journal)
        self.pending_events = Table("event", PendingEvent, self.journal)
        self.sockets = slack.sockets if slack else Sockets(app.id, self.faults, self.activity, ack_timeout)
        self.delivery = Delivery(self.pending_events, self.sockets, self.activity, redelivery_delays)

    def open(self, users: Iterable[User], channels: Iterable[Channel]) -> None:
        """Read the file; people and channels that it does not know yet are added."""
        self.journal.open()
        for table in (self.users, self.user_groups, self.channels, self.messages, self.homes, self.modals, self.files):
            table.load()
        for kept in (self.sessions, self.prompts, self.read_marks, self.response_urls, self.pending_events):
            kept.load()
        self.step_runs.load()
        self.user_groups.load()
        for message in self.messages:
            self.timestamps.advance_past(message.ts)
        for url in self.response_urls:
            if url.expires < self.now():
                self.response_urls.drop(url.id)
        bot = User(id=self.app.bot_user_id, name=self.app.bot_user_name, real_name=self.app.name, is_bot=True)
        for user in (bot, *users):
            if user.id not in self.users:
                self.users.put(user)
        for channel in channels:
            if channel.id not in self.channels:
                self.channels.put(self.with_bot(channel))

    @property
    def is_installed(self) -> bool:
        if self.slack is None:
            return not self.is_app_removed
        return self.slack.grants.of(self.team) is not None

    @property
    def is_enterprise_install(self) -> bool:
        """Is it here because the whole organisation has it?"""
        grant = self.slack.grants.of(self.team) if self.slack else None
        return grant is not None and grant.place.team_id is None

    @property
    def app_url(self) -> str:
        """Where the app calls."""
        return self.slack.url if self.slack else self.url

    def publish_installation(self) -> None:
        """The app came, or went."""
        self._publish("user", user=self.app.bot_user_id)

    def with_bot(self, channel: Channel) -> Channel:
        """The channel with the app among its members, if it was invited."""
        others = [member for member in channel.members if member != self.app.bot_user_id]
        members = [*others, self.app.bot_user_id] if channel.has_bot else others
        return channel.model_copy(update={"members": members, "created": channel.created or int(self.now())})

    def new_id(self, letter: str) -> str:
        return letter + secrets.token_hex(5).upper()

    def member(self, user_id: str) -> User:
        """The person who acts."""
        user = self.users.get(user_id)
        if user is None or user.deleted:
            raise NotPossible(f"{user_id} is not an active member of this workspace; add them first.")
        return user

    def active(self, users: Iterable[str]) -> list[str]:
        """Those of them whose accounts are open; Slack's lists leave out the others."""
        return [each for each in users if (user := self.users.get(each)) is None or not user.deleted]

    def dm(self, user_id: str) -> Channel:
        """The app's conversation with one person, opened if need be."""
        known = self.channels.get(dm_id(user_id))
        if known is not None:
            return known
        user = self.users.get(user_id)
        if user is None:
            raise Refusal("user_not_found")
        if user.is_bot:
            raise Refusal("cannot_dm_bot")
        if user.deleted:
            raise Refusal("user_disabled")
        return self.channels.put(self.with_bot(Channel(id=dm_id(user_id), is_im=True, user=user_id, members=[user_id])))

    def modal_stack(self, user_id: str, browser: str | None = None) -> list[View]:
        """The modals this person has open, the top one last.

        Args:
            browser: where they are looked for; None: where the person acts just now.
        """
        browser = here() if browser is None else browser
        return [view for view in self.modals if view.user == user_id and is_seen_in(browser, view.browser)]

    def can_see(self, user_id: str, channel: Channel) -> bool:
        """May this person read the channel? Public ones are open to everyone in the workspace."""
        if user_id in channel.members:
            return True
        return self.is_local(user_id) and channel.type == "channel"

    def team_of(self, user_id: str) -> str:
        """The company of this person; ours for whoever is not known (Slack's own bot, say)."""
        user = self.users.get(user_id)
        return (user and user.team_id) or self.team.id

    def is_local(self, user_id: str) -> bool:
        """Known here, and of this company."""
        return user_id in self.users and self.team_of(user_id) == self.team.id

    def other_teams(self, channel: Channel) -> list[str]:
        """The other companies that have people in this channel."""
        return sorted({self.team_of(member) for member in channel.members} - {self.team.id})

    def is_ext_shared(self, channel: Channel) -> bool:
        """Is it shared with another company (Slack Connect)?"""
        return channel.is_ext_shared or bool(self.other_teams(channel))

    async def send(self, kind: EnvelopeType, payload: Json, *, answers: bool = False) -> Ack:
        """Send the app what a person did, and wait for its ack; an app that was taken out gets nothing."""
        if self.is_app_removed:
            return Ack(in_time=False)
        return await self.sockets.send(kind, payload, answers=answers)

    def announce(self, subscription: str, event: Json) -> None:
        """Queue an event for the app if its manifest subscribes to it."""
        if subscription in self.app.subscriptions:
            self.enqueue(event)

    def announce_now(self, event: Json) -> None:
        """Announce an event that is subscribed to by its type, as of this moment."""
        self.announce(str(event["type"]), event | {"event_ts": self.timestamps.next()})

    def enqueue(self, event: Json) -> None:
        """Queue an event for the app, if it is installed, whether it subscribes to it or not."""
        if not self.is_installed:
            return
        team, app = self.team, self.app
        channel = self.channels.get(event.get("channel"))
        event_id = self.new_id("Ev")
        payload: Json = {
            "token": app.verification_token,
            "team_id": team.id,
            "context_team_id": team.id,
            "context_enterprise_id": team.enterprise_id,
            "api_app_id": app.id,
            "event": event,
            "type": "event_callback",
            "event_id": event_id,
            "event_time": int(self.now()),
            "authorizations": [
                {
                    "enterprise_id": team.enterprise_id,
                    "team_id": None if self.is_enterprise_install else team.id,
                    "user_id": app.bot_user_id,
                    "is_bot": True,
                    "is_enterprise_install": self.is_enterprise_install,
                }
            ],
            "is_ext_shared_channel": channel is not None and self.is_ext_shared(channel),
            "event_context": f"4-{event_id}",
        }
        if team.enterprise_id is not None:
            payload["enterprise_id"] = team.enterprise_id
        self.delivery.enqueue(PendingEvent(id=event_id, payload=payload))

    def _message_changed(self, message: Message) -> None:
        self._publish("message", message.channel, message.ts)

    def publish_modal_change(self, view: View) -> None:
        """A modal was opened, changed or closed."""
        self.feed.publish(Change(kind="modal", user=view.user, view_id=view.id))

    def _publish(
        self, kind: ChangeKind, channel: str | None = None, ts: str | None = None, user: str | None = None
    ) -> None:
        self.feed.publish(Change(kind=kind, channel=channel, ts=ts, user=user))


def dm_id(user_id: str) -> str:
    """The id that the app's DM with this person has, opened or not."""
    return "D" + user_id.removeprefix("U")
