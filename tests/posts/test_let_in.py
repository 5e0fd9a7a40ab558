"""What Slack refused is tried again while other conversations of the same negotiation go on."""

import asyncio
from collections.abc import Mapping

from pytest import LogCaptureFixture  # noqa: PT013 - a type, not a mark

from bot.local_slack import LocalWorkspace
from engine.kernel import Tenant
from engine.store.memory import MemoryStore
from tests.negotiation.scenario import REQUESTER
from tests.posts.driver import CHANNELS, LINKED, LOBBY, PEOPLE, TENANT, Driver
from tests.views.stories import Story


class Slow(MemoryStore):
    """Takes its time over one record."""

    def __init__(self) -> None:
        super().__init__()
        self.slow = ""
        """The end of its key."""
        self.begun, self.goes_on = asyncio.Event(), asyncio.Event()

    async def put_records(
        self, tenant: Tenant, kind: str, records: Mapping[str, str | None], *, member: str = ""
    ) -> None:
        if self.slow and any(each.endswith(self.slow) for each in records):
            self.slow = ""
            self.begun.set()
            await self.goes_on.wait()
        await super().put_records(tenant, kind, records, member=member)


async def test_a_direct_message_may_begin_while_it_is_written_what_is_tried_again(caplog: LogCaptureFixture) -> None:
    store = Slow()
    await store.open()
    async with LocalWorkspace(users=PEOPLE, channels=CHANNELS) as workspace:
        driver = Driver(workspace, store)
        story = Story(place=await driver.mentioned(), linked=LINKED).demand().understood()
        await driver.show(story.shortlisted("aya").offers("aya"))
        await workspace.admin.restrict(LOBBY, "restricted_action")
        held = await workspace.admin.fault("conversations.open", "hold")
        await driver.tell(story.drafted("aya"))
        await held.reached()
        await workspace.admin.restrict(LOBBY, "")

        store.slow = "/round-1"
        driver.posts.let_in(TENANT, LOBBY)
        await store.begun.wait()
        await held.release()
        await workspace.person(REQUESTER).until_message(
            (await workspace.person(REQUESTER).dm()).id, lambda message: "does not let me post" in message.text
        )
        store.goes_on.set()
        await driver.posts.idle()

        assert await driver.keys(story) == ["root", "offers", "round-1"]
        assert "Traceback" not in caplog.text
        await driver.posts.close()
