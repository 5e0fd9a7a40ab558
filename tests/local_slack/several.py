"""Several workspaces on this machine, and people who let an app into them."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from urllib.parse import parse_qs, urlsplit

import aiohttp

from bot.local_slack import Channel, LocalSlack, LocalWorkspace, Registration, Team, User

BACK = "http://127.0.0.1:9/slack/oauth_redirect"
ACME = Team(id="T_ACME", name="Acme")
BEES = Team(id="T_BEES", name="Bees")
NORTH = Team(id="T_NORTH", name="North", enterprise_id="E_GROUP", enterprise_name="Group")
SOUTH = Team(id="T_SOUTH", name="South", enterprise_id="E_GROUP", enterprise_name="Group")
_TOKEN = re.compile(r'name="token" value="([^"]+)"')


class Clock:
    """Seconds since 1970, which pass only when a test says so."""

    def __init__(self, now: float = 1_800_000_000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


@dataclass
class Several:
    slack: LocalSlack
    clock: Clock
    workspaces: dict[str, LocalWorkspace] = field(default_factory=dict)

    async def allows(self, address: str, place: str) -> str:
        """Let the app in that has sent somebody to this address, and return where that leads.

        Args:
            place: a team, or an enterprise; empty to refuse.
        """
        async with aiohttp.ClientSession() as session:
            async with session.get(address) as page:
                found = _TOKEN.search(await page.text())
            assert found is not None, "the app cannot ask"
            said = {"token": found[1], **({"place": place} if place else {"deny": "1"})}
            async with session.post(address, data=said, allow_redirects=False) as answer:
                assert answer.status == 302, await answer.text()
                return answer.headers["Location"]

    async def code(self, place: str, back: str = BACK) -> str:
        """Return the code that the app gets for a place."""
        leads_to = await self.allows(self.address(back), place)
        return parse_qs(urlsplit(leads_to).query)["code"][0]

    def address(self, back: str = BACK) -> str:
        client = self.slack.itself.registration.client_id
        return f"{self.slack.authorize_url}?client_id={client}&scope=chat:write&redirect_uri={back}&state=s"


def people(team: Team) -> list[User]:
    """An admin and a colleague of a team, by ids that no other team has."""
    name = team.name.lower()
    return [
        User(id=f"U_{team.name.upper()}_ADMIN", name=f"{name}-admin", is_admin=True),
        User(id=f"U_{team.name.upper()}_ANN", name=f"{name}-ann"),
    ]


def general(team: Team) -> Channel:
    return Channel(id=f"C_{team.name.upper()}", name="general", members=[each.id for each in people(team)])


@asynccontextmanager
async def several(
    *teams: Team, registration: Registration | None = None, ack_timeout: float = 3.0, clock: Clock | None = None
) -> AsyncIterator[Several]:
    clock = clock or Clock()
    async with AsyncExitStack() as stack:
        registration = registration or Registration(redirect_uris=("http://127.0.0.1:",))
        slack = await stack.enter_async_context(LocalSlack(registration, now=clock, ack_timeout=ack_timeout))
        these = Several(slack, clock)
        for team in teams:
            these.workspaces[team.id] = await stack.enter_async_context(
                LocalWorkspace(
                    users=people(team),
                    channels=[general(team)],
                    team=team,
                    app=registration.app,
                    now=clock,
                    ack_timeout=ack_timeout,
                    redelivery_delays=(0.0, 0.01, 0.02),
                    slack=slack,
                )
            )
        yield these
