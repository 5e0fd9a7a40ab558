"""Who sends a tenant's digests looks at everybody again once another process may have told them something."""

from collections.abc import Sequence

from slack_sdk.web.async_client import AsyncWebClient

from bot.posts import UNLIMITED, ResponseUrls
from bot.posts.difference import HeldBack
from bot.posts.digests import Digests, NoDigests, Reader
from bot.posts.going_out import Choices, nothing_chosen
from bot.posts.languages import DirectMessages, Languages, SharedChannels
from bot.posts.pauses import known_to_one
from bot.posts.rate_limits import RateLimits
from bot.posts.readmission import Readmission
from bot.posts.slack_calls import SlackCalls
from bot.posts.stored_posts import RestoredTenants
from bot.posts.tools import Tools
from bot.posts.waiting import Waiting
from bot.views.kit.digest import Waiting as Decision
from engine.kernel import StreamKey, Tenant
from engine.llm.port import never_paused
from engine.runtime.activity import Activity
from engine.runtime.clock import JumpingClock
from engine.store.memory import MemoryStore
from tests.negotiation.scenario import NOON
from tests.posts.driver import AYA, BO, TENANT

MEETUP = StreamKey(TENANT, "meetup")


class TwoReaders(NoDigests):
    """Another process lets go of the digests while it is looked up whom a stream concerns."""

    def __init__(self) -> None:
        self.digests: Digests | None = None
        self.looked_at: list[str] = []

    async def readers(self, tenant: Tenant) -> Sequence[Reader]:
        return [Reader(user, Choices(wants_digest=True)) for user in (AYA, BO)]

    async def concerned(self, key: StreamKey) -> frozenset[str]:
        if self.digests is not None:
            self.digests.go_on(key.tenant)
            self.digests = None
        return frozenset({AYA})

    async def waiting(self, tenant: Tenant, user: str) -> Sequence[Decision]:
        self.looked_at.append(user)
        return ()


async def test_everybody_is_looked_at_again_though_it_is_asked_for_in_the_middle_of_a_look() -> None:
    store, clock, source = MemoryStore(), JumpingClock(NOON), TwoReaders()
    await store.open()
    waiting, languages = Waiting(clock, Activity()), Languages(store, clock)
    calls = SlackCalls(AsyncWebClient(retry_handlers=[]), ResponseUrls(clock))
    rate_limits = RateLimits(UNLIMITED, waiting)
    tools = Tools(
        calls,
        rate_limits,
        waiting,
        DirectMessages(store, clock),
        languages,
        SharedChannels(clock),
        RestoredTenants(store),
        HeldBack(nothing_chosen, languages, clock),
        Readmission(calls.check, rate_limits, waiting),
        known_to_one(never_paused),
    )
    digests = Digests(store, source, tools, lambda _key: None)
    digests.notice(MEETUP)
    await waiting.idle()
    assert source.looked_at == [AYA, BO]

    source.digests = digests
    digests.notice(MEETUP)
    await waiting.idle()

    assert source.looked_at == [AYA, BO, AYA, AYA, BO]
    await digests.close()
