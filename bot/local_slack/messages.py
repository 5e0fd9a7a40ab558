"""The table of messages, with the two orders people read them in: by channel and by thread."""

from __future__ import annotations

from collections.abc import Callable

from .journal import Journal, Table
from .model import Json, Message

NO_REPLIES: Json = {"reply_count": 0, "latest_reply": None, "reply_users": []}


class Messages(Table[Message]):
    def __init__(self, journal: Journal, changed: Callable[[Message], None]) -> None:
        super().__init__("message", Message, journal, changed)
        self._channels: dict[str, list[str]] = {}  # channel -> keys in order of ts
        self._threads: dict[tuple[str, str], list[str]] = {}  # (channel, thread_ts) -> keys of replies

    def load(self) -> None:
        super().load()
        for message in self:
            self._index(message)

    def put(self, thing: Message) -> Message:
        if thing.key not in self:
            self._index(thing)
        return super().put(thing.model_copy(update=NO_REPLIES))

    def at(self, channel: str, ts: str | None) -> Message | None:
        """The message there, unless it was deleted."""
        message = self.root(channel, ts)
        return None if message is None or message.tombstone else message

    def root(self, channel: str, ts: str | None) -> Message | None:
        """What a thread hangs from: the message there, or its tombstone."""
        message = self.get(f"{channel}/{ts}")
        return None if message is None or message.deleted else self._counted(message)

    def history(self, channel: str) -> list[Message]:
        """What stands in the channel itself, ephemerals too, oldest first."""
        return [
            self._counted(message)
            for message in map(self.__getitem__, self._channels.get(channel, []))
            if not message.deleted and (not message.is_reply or message.broadcast)
        ]

    def replies(self, channel: str, thread_ts: str) -> list[Message]:
        """The replies below a message, ephemerals too, oldest first."""
        keys = self._threads.get((channel, thread_ts), [])
        return [message for message in map(self.__getitem__, keys) if not message.deleted]

    def move(self, channel: str, to: str) -> None:
        """The channel has another id from now on: everything that stands in it goes along."""
        keys = self._channels.pop(channel, [])
        for place in [place for place in self._threads if place[0] == channel]:
            del self._threads[place]
        for message in map(self.__getitem__, keys):
            self.drop(message.key)
            self.put(message.model_copy(update={"channel": to}))

    def _counted(self, message: Message) -> Message:
        replies = [reply for reply in self.replies(message.channel, message.ts) if reply.visible_to is None]
        if not replies:
            return message
        users = list(dict.fromkeys(reply.user for reply in replies))
        counted = {"reply_count": len(replies), "latest_reply": replies[-1].ts, "reply_users": users}
        return message.model_copy(update=counted)

    def _index(self, message: Message) -> None:
        self._channels.setdefault(message.channel, []).append(message.key)
        if message.thread_ts is not None and message.is_reply:
            self._threads.setdefault((message.channel, message.thread_ts), []).append(message.key)
