"""What somebody's App Home shows, looked up."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from bot.posts.languages import Languages
from bot.texts import texts_in
from bot.views.directory.admins import Overview
from bot.views.directory.home_page import Home, home
from bot.views.negotiation.agenda import MOST
from bot.workspace_settings import WorkspaceSettings
from engine.directory.state import Directory
from engine.kernel import Millis, StreamKey, Tenant
from engine.negotiation.inbox import OpenOffer, OpenVote
from engine.negotiation.state import Negotiation
from engine.projections.inbox import demands_of, open_offers_of, open_votes_of
from engine.store.port import Store

Read = Callable[[StreamKey], Awaitable[tuple[Any, int]]]
"""A stream's committed state and version."""


class HomeOf:
    """
    Args:
        model: who answers for the twins; empty for the rules that need no key.
        since: when ToWow was started.
    """

    def __init__(
        self, store: Store, read: Read, settings: WorkspaceSettings, languages: Languages, *, model: str, since: Millis
    ) -> None:
        self._store = store
        self._read = read
        self._house = settings
        self._languages = languages
        self._model = model
        self._since = since

    async def __call__(self, tenant: Tenant, user: str) -> dict[str, Any]:
        """
        Raises:
            EngineError
        """
        directory = await self._house.directory(tenant)
        offers = await open_offers_of(self._store, tenant, user)
        votes = await open_votes_of(self._store, tenant, user)
        demands = await demands_of(self._store, tenant, user)
        page = Home(
            user_id=user,
            twin=directory.of_user(user),
            offers=[await self._negotiation(tenant, each) for each in _streams(offers)],
            votes=[await self._negotiation(tenant, each) for each in _streams(votes)],
            demands=[await self._negotiation(tenant, each.stream) for each in demands[:MOST]],
            older=max(0, len(demands) - MOST),
            overview=await self._overview(directory) if self._house.is_admin(directory, user) else None,
        )
        await self._languages.recall(tenant, user)
        return home(page, texts_in(self._languages.known(tenant, user) or "en"))

    async def _overview(self, directory: Directory) -> Overview:
        return Overview(
            directory=directory,
            policy=self._house.policy(directory.settings),
            always_admins=self._house.admins,
            counts=await self._store.counts(),
            model=self._model,
            since=self._since,
        )

    async def _negotiation(self, tenant: Tenant, stream: str) -> Negotiation:
        state, _ = await self._read(StreamKey(tenant, stream))
        assert isinstance(state, Negotiation)  # noqa: S101 - nothing else is on anybody's agenda
        return state


def _streams(agenda: Sequence[OpenOffer | OpenVote]) -> list[str]:
    """Each once, and as many as could be shown."""
    return [*dict.fromkeys(each.stream for each in agenda)][: 2 * MOST]
