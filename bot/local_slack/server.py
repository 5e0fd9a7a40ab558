"""The workspace on a port of this machine."""

from __future__ import annotations

import asyncio
import os
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from types import TracebackType

from aiohttp import ClientSession, TCPConnector, web
from aiohttp.typedefs import Handler

from .clients import Admin, Person
from .feed import Change, Panel
from .installation import App, Team
from .limits import RealTokensPresent
from .local_api import guarded, local_routes
from .local_slack import LARGEST_BODY, LocalSlack, connect, listening, send_file
from .model import Channel, Now, User
from .responses import respond
from .sockets import REDELIVERY_DELAYS
from .web_api import answer
from .web_api.files import receive_upload
from .workspace import ACK_TIMEOUT, Workspace

TOKENS = {"SLACK_BOT_TOKEN": "xoxb-", "SLACK_APP_TOKEN": "xapp-"}

LONGEST_WAIT = 30.0
"""Seconds until nothing runs any more."""


class LocalWorkspace:
    """A Slack-compatible workspace, served on 127.0.0.1 while the `async with` block runs.

    Without `file` it lives in memory only; with one, a restart finds everything that was answered before.
    """

    def __init__(
        self,
        *,
        users: Sequence[User] = (),
        channels: Sequence[Channel] = (),
        team: Team | None = None,
        app: App | None = None,
        file: Path | str | None = None,
        port: int = 0,
        now: Now = time.time,
        ack_timeout: float = ACK_TIMEOUT,
        redelivery_delays: Sequence[float] = REDELIVERY_DELAYS,
        slack: LocalSlack | None = None,
    ) -> None:
        self._slack = slack.itself if slack else None
        self._users = users
        self._channels = channels
        self._port = port
        self._workspace = Workspace(
            team or Team(),
            app or App(),
            now=now,
            file=Path(file) if file is not None else None,
            ack_timeout=ack_timeout,
            redelivery_delays=redelivery_delays,
            slack=self._slack,
        )
        self._runner: web.AppRunner | None = None
        self._session: ClientSession | None = None
        """Shared by the clients of this process."""

    async def __aenter__(self) -> LocalWorkspace:
        refuse_real_tokens(os.environ)
        try:
            self._workspace.open(self._users, self._channels)
            await self._listen()
            if self._slack is not None:
                self._slack.workspaces.append(self._workspace)
        except BaseException:
            await self._close()
            raise
        self._workspace.delivery.resume()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._close()

    async def _listen(self) -> None:
        self._runner = web.AppRunner(self._app(), access_log=None, shutdown_timeout=1.0)
        self._workspace.url = await listening(self._runner, self._port)
        self._session = ClientSession(connector=TCPConnector(limit=0))

    async def _close(self) -> None:
        workspace = self._workspace
        if self._slack is not None and workspace in self._slack.workspaces:
            self._slack.workspaces.remove(workspace)
        await workspace.late_calls.close()
        workspace.faults.clear()
        workspace.feed.close()
        await workspace.delivery.close()
        if self._slack is None:
            await workspace.sockets.close()
        if self._session is not None:
            await self._session.close()
        if self._runner is not None:
            await self._runner.cleanup()
        workspace.journal.close()

    @property
    def url(self) -> str:
        return self._workspace.url

    @property
    def api_url(self) -> str:
        """For the SDK's `base_url`."""
        return f"{self.url}/api/"

    @property
    def bot_token(self) -> str:
        return self._workspace.app.bot_token

    @property
    def app_token(self) -> str:
        return self._workspace.app.app_token

    @property
    def bot_user_id(self) -> str:
        return self._workspace.app.bot_user_id

    @property
    def team_id(self) -> str:
        return self._workspace.team.id

    @property
    def enterprise_id(self) -> str | None:
        return self._workspace.team.enterprise_id

    def show(self, panel: Panel) -> None:
        workspace = self._workspace
        workspace.panel = panel
        panel.watch(lambda: workspace.feed.publish(Change(kind="panel")))
        workspace.feed.publish(Change(kind="panel"))

    def person(self, user_id: str) -> Person:
        return Person(self.url, user_id, self._session, self._workspace.page_token)

    @property
    def calls(self) -> Counter[str]:
        """How often each method was called, as `Admin.calls` says it to other processes."""
        return Counter(self._workspace.faults.calls)

    async def idle(self, quiet: float = 0.05) -> Counter[str]:
        """Wait as `Admin.idle` does for other processes; returns `calls` until then."""
        async with asyncio.timeout(LONGEST_WAIT):
            await self._workspace.activity.idle(quiet)
        return self.calls

    @property
    def admin(self) -> Admin:
        return Admin(self.url, self._session, self._workspace.page_token)

    def _app(self) -> web.Application:
        application = web.Application(middlewares=[guarded(self._workspace.page_token)], client_max_size=LARGEST_BODY)
        application.add_routes(
            [
                web.post("/api/{method}", self._handler(answer)),
                web.get("/api/{method}", self._handler(answer)),
                web.get("/link/", self._connect),
                web.post("/response/{id}", self._handler(respond)),
                web.post("/upload/{file}", self._handler(receive_upload)),
                web.get("/files/{file}/{name}", self._file),
                *local_routes(self._workspace),
            ]
        )
        return application

    def _handler(self, handler: Callable[[Workspace, web.Request], Awaitable[web.StreamResponse]]) -> Handler:
        async def handle(request: web.Request) -> web.StreamResponse:
            return await handler(self._workspace, request)

        return handle

    async def _connect(self, request: web.Request) -> web.StreamResponse:
        return await connect(self._workspace.sockets, self._workspace.ticket, request)

    async def _file(self, request: web.Request) -> web.Response:
        """A file's url_private, for the app."""
        allowed = request.headers.get("Authorization") == f"Bearer {self.bot_token}"
        return send_file(self._workspace.files.get(request.match_info["file"]) if allowed else None)


def refuse_real_tokens(environment: os._Environ[str] | dict[str, str]) -> None:
    """Raises RealTokensPresent if the environment names a real workspace."""
    for variable, prefix in TOKENS.items():
        token = environment.get(variable, "")
        if token.startswith(prefix) and not token.startswith(f"{prefix}local-"):
            raise RealTokensPresent(variable)
