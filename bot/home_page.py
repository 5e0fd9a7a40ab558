"""Looks up what somebody's App Home shows, and draws it."""

import json
from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import partial
from operator import itemgetter
from typing import Any, Final

from bot.calendars.records import Standing
from bot.posts.languages import Languages
from bot.posts.post_records import THREAD, PostRecords, WebAddress, address_of
from bot.posts.stream_reconciler import may_be_told
from bot.texts import Texts, texts_in
from bot.views.directory.admins import AdminOverview
from bot.views.directory.calendar_form import CalendarShown
from bot.views.directory.home_page import Home, home
from bot.views.directory.notifications_form import Told
from bot.views.directory.twin import TwinVotes
from bot.views.kit.home_part import COUNTED, MOST, Agenda, HomePart, HomeSections
from bot.views.kit.presenter import Presenter
from bot.views.kit.story.buttons import without_pages
from bot.workspace_settings import WorkspaceSettings
from engine.directory.state import Directory
from engine.kernel import Millis, StreamKey, Tenant, iso
from engine.llm.port import ModelStanding
from engine.store.port import Store

DAY: Final[Millis] = 86_400_000
UNDATED: Final[Millis] = 30 * DAY
"""How long a promise without a date is shown after it was asked for."""
MOST_VOTES: Final = 50
"""Of a twin, the latest, which are counted."""
MOST_PROMISES: Final = 100
"""Of the latest days, which are looked through."""

Read = Callable[[StreamKey], Awaitable[tuple[Any, int]]]
"""A stream's committed state and version."""


class HomeOf:
    """
    Args:
        parts: what each protocol adds, and what it says of its posts.
        web: says where the workspace is on the web, for links to threads.
        has_pages: whether stories have pages that a button may open.
        model: what answers for the twins; empty for the rules that need no key.
        since: when ToWow was started.
        now: says what time it is.
        standing: says how the model stands; None where rules answer.
        is_only_one: whether there is one workspace, so that what is counted is its own.
        calendar: says how somebody's calendar stands; None where nobody may give one.
    """

    def __init__(
        self,
        store: Store,
        read: Read,
        settings: WorkspaceSettings,
        languages: Languages,
        parts: Sequence[tuple[HomePart, Presenter[Any]]],
        web: WebAddress,
        *,
        has_pages: bool,
        model: str,
        since: Millis,
        now: Callable[[], Millis],
        standing: Callable[[], ModelStanding] | None = None,
        is_only_one: bool = True,
        calendar: Callable[[Tenant, str], Awaitable[Standing | None]] | None = None,
    ) -> None:
        self._store = store
        self._read = read
        self._settings = settings
        self._languages = languages
        self._parts = parts
        self._web = web
        self._has_pages = has_pages
        self._model = model
        self._since = since
        self._now = now
        self._standing = standing
        self._is_only_one = is_only_one
        self._calendar = calendar

    async def __call__(self, tenant: Tenant, user: str) -> dict[str, Any]:
        directory = await self._settings.directory(tenant)
        await self._languages.recall(tenant, user)
        texts = texts_in(self._languages.known(tenant, user) or "en")
        is_admin = await self._settings.is_admin(tenant, user)
        page = Home(
            user_id=user,
            twin=directory.of_user(user),
            protocols=[await self._sections(*each, tenant, user, texts) for each in self._parts],
            overview=await self._overview(tenant, directory, texts) if is_admin else None,
            told=Told(directory.notifications(user), directory.digest_times, self._languages.time_zone(tenant, user)),
            twin_votes=await self._twin_votes(tenant, user, is_bound=bool(directory.settings.prepares)),
            has_model=bool(self._model),
            calendar=CalendarShown(await self._calendar(tenant, user)) if self._calendar else None,
        )
        view = home(page, texts)
        return view if self._has_pages else view | {"blocks": without_pages(view["blocks"])}

    async def _sections(
        self, part: HomePart, presenter: Presenter[Any], tenant: Tenant, user: str, texts: Texts
    ) -> HomeSections:
        asked = await self._records(tenant, part.asked, user) if part.asked else []
        undecided = await self._records(tenant, part.undecided, user)
        own = [
            *await self._records(tenant, part.own, user),
            *await self._records(tenant, part.ended, user, latest=MOST + COUNTED + 1),
        ]
        own.sort(key=lambda each: -int(each["since"]))
        told_of = partial(self._without_unannounced, presenter, tenant, user)
        found = {
            "asked": await told_of(await self._states(tenant, asked, 2 * MOST)),
            "undecided": await told_of(await self._states(tenant, undecided, 2 * MOST)),
            "promised": await told_of(await self._states(tenant, await self._promised(tenant, part, user), MOST)),
            "own": await self._states(tenant, own, MOST),
        }
        told = {stream: state for states in found.values() for stream, state in states.items()}
        threads = {stream: await self._thread(tenant, stream, state, presenter) for stream, state in told.items()}
        agenda = Agenda(
            **{name: [*states.values()] for name, states in found.items()},
            older=min(max(0, len(own) - MOST), COUNTED + 1),
            threads=threads,
        )
        return part.draw(agenda, user, texts)

    async def _without_unannounced(
        self, presenter: Presenter[Any], tenant: Tenant, user: str, states: dict[str, Any]
    ) -> dict[str, Any]:
        """Leave out what nobody is told of yet."""
        return {
            stream: state
            for stream, state in states.items()
            if await may_be_told(self._store, StreamKey(tenant, stream), presenter, state, user)
        }

    async def _twin_votes(self, tenant: Tenant, user: str, *, is_bound: bool) -> TwinVotes:
        kinds = [part.twin_votes for part, _ in self._parts if part.twin_votes]
        found = [each for kind in kinds for each in await self._records(tenant, kind, user, latest=MOST_VOTES)]
        overruled = [bool(each["was_overruled"]) for each in found]
        in_a_row = overruled.index(False) if False in overruled else len(overruled)
        return TwinVotes(len(overruled), sum(overruled), in_a_row, is_bound)

    async def _thread(self, tenant: Tenant, stream: str, state: Any, presenter: Presenter[Any]) -> str:
        """Return the address of a stream's thread; empty where it has none."""
        place = presenter.place(state)
        if place is None or not place.channel or not self._web(tenant):
            return ""
        records = PostRecords(self._store, StreamKey(tenant, presenter.origin(state) or stream))
        return address_of(self._web(tenant), THREAD, place, await records.read())

    async def _promised(self, tenant: Tenant, part: HomePart, user: str) -> list[dict[str, Any]]:
        """What they have promised from today on, the soonest first; what has no date stays for a while, and is last."""
        if not part.promised:
            return []
        now = self._now()
        today, lately = (iso(each)[:10] for each in (now - DAY, now - UNDATED))
        found = await self._store.records(tenant, part.promised, f"{user}/", limit=MOST_PROMISES, reverse=True)
        kept = [(key.split("/")[1], json.loads(each)) for key, each in found.items()]
        dated = sorted(((day, each) for day, each in kept if each["last"] >= today), key=itemgetter(0))
        undated = [each for day, each in kept if not each["last"] and day >= lately]
        return [*(each for _, each in dated), *undated]

    async def _records(
        self, tenant: Tenant, kind: str, user: str, *, latest: int | None = None
    ) -> list[dict[str, Any]]:
        found = await self._store.records(tenant, kind, f"{user}/", limit=latest, reverse=latest is not None)
        return [json.loads(each) for each in found.values()]

    async def _states(self, tenant: Tenant, records: Iterable[dict[str, Any]], most: int) -> dict[str, Any]:
        """Read each stream once, and at most so many; by their names."""
        streams = [*dict.fromkeys(str(each["stream"]) for each in records)][:most]
        return {each: (await self._read(StreamKey(tenant, each)))[0] for each in streams}

    async def _overview(self, tenant: Tenant, directory: Directory, texts: Texts) -> AdminOverview:
        parts = self._settings.parts.items()
        policies = [(part, self._settings.policy(name, directory.settings)) for name, part in parts]
        return AdminOverview(
            directory=directory,
            decided=[line for part, policy in policies for line in part.lines(policy, texts)],
            always_admins=await self._settings.always_admins(tenant),
            counts=await self._store.counts() if self._is_only_one else None,
            model=self._model,
            since=self._since,
            standing=self._standing() if self._standing else None,
        )
