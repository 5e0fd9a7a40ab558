"""Who is told that a stream has changed, and what has happened to it."""

import logging
from collections.abc import Callable, Sequence

from engine.kernel import Event, StreamKey

log = logging.getLogger(__name__)

Watcher = Callable[[StreamKey], None]
Listener = Callable[[StreamKey, Sequence[Event]], None]


class Observers:
    """Those who only look: nothing that has been committed depends on them."""

    def __init__(self) -> None:
        self._watchers: list[Watcher] = []
        self._hearers: list[Watcher] = []
        self._listeners: list[Listener] = []

    def watch(self, watcher: Watcher) -> None:
        """Call ``watcher`` after every commit that changed a stream."""
        self._watchers.append(watcher)

    def hear(self, hearer: Watcher) -> None:
        """Call ``hearer`` a moment after events were committed to a stream by any process, where several share a store:
        this one among them."""
        self._hearers.append(hearer)

    def listen(self, listener: Listener) -> None:
        """Tell ``listener`` what has happened, at most once: of a commit of unknown outcome it hears nothing."""
        self._listeners.append(listener)

    def notify_change(self, key: StreamKey) -> None:
        for watcher in self._watchers:
            watcher(key)

    def notify_news(self, key: StreamKey) -> None:
        for hearer in self._hearers:
            hearer(key)

    def notify_events(self, key: StreamKey, events: Sequence[Event]) -> None:
        for listener in self._listeners if events else ():
            try:
                listener(key, events)
            except Exception:
                # It is committed and answered: whoever only listens can change nothing of that.
                log.exception("what happened to %s could not be told", key.stream)
