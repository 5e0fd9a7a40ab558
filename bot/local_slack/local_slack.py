"""Slack as several workspaces share it: each is served on a port of its own, and an app calls this one for all."""

from __future__ import annotations

import errno
import hmac
import secrets
import time
from types import TracebackType

from aiohttp import web

from .faults import Fault
from .installation import Registration
from .limits import PortTaken, Refusal
from .local_api import guarded
from .model import File, Now
from .oauth_page import oauth_routes
from .responses import respond, with_faults
from .slack_itself import SlackItself
from .sockets import Sockets
from .web_api.answer import answer, in_json, refused
from .web_api.calls import Call, read_call
from .web_api.files import receive_upload
from .web_api.oauth import OF_SLACK, auth_test
from .workspace import ACK_TIMEOUT, Workspace

UNUSABLE = {errno.EADDRINUSE: "taken already", errno.EACCES: "not yours to take"}
LARGEST_BODY = 64 * 1024 * 1024  # bytes
AUTHORIZE = "/oauth/v2/authorize"


class LocalSlack:
    """Served on 127.0.0.1 while the `async with` block runs; workspaces join it by `LocalWorkspace(slack=...)`.

    An app is installed in them by OAuth: it sends people to `authorize_url`, where they choose a workspace.
    """

    def __init__(
        self,
        registration: Registration | None = None,
        *,
        port: int = 0,
        now: Now = time.time,
        ack_timeout: float = ACK_TIMEOUT,
    ) -> None:
        self.itself = SlackItself(registration or Registration(), now, ack_timeout)
        self.ticket = secrets.token_urlsafe(24)  # what the app shows when it connects
        self._page_token = secrets.token_urlsafe(24)
        self._port = port
        self._runner: web.AppRunner | None = None

    async def __aenter__(self) -> LocalSlack:
        self._runner = web.AppRunner(self._app(), access_log=None, shutdown_timeout=1.0)
        try:
            self.itself.url = await listening(self._runner, self._port)
        except BaseException:
            await self._runner.cleanup()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.itself.late_calls.close()
        self.itself.faults.clear()
        await self.itself.sockets.close()
        if self._runner is not None:
            await self._runner.cleanup()

    @property
    def url(self) -> str:
        """Where one sees which workspaces have the app, and takes it out of one."""
        return self.itself.url

    @property
    def api_url(self) -> str:
        return f"{self.url}/api/"

    @property
    def authorize_url(self) -> str:
        return f"{self.url}{AUTHORIZE}"

    @property
    def app_token(self) -> str:
        return self.itself.registration.app.app_token

    @property
    def refreshed(self) -> int:
        return self.itself.grants.refreshed

    @property
    def secrets(self) -> list[str]:
        """Every token that was given so far."""
        return self.itself.grants.secrets

    def fault(self, fault: Fault) -> None:
        """Let something go wrong with calls that concern no workspace, such as `oauth.v2.access`."""
        self.itself.faults.add(fault)

    def expire_tokens(self) -> None:
        self.itself.grants.expire()

    def uninstall(self, team_id: str, *events: str) -> None:
        """Take the app out of a workspace, or of its organisation where that has it as a whole.

        Args:
            events: what the app hears, in this order.
        """
        grant = self.itself.grants.of(self.itself.workspace(team_id).team)
        assert grant is not None  # noqa: S101 - a test's mistake
        self.itself.remove(grant, *events)

    def shut_out(self, team_id: str) -> None:
        """Take it out of one workspace of an organisation that has it as a whole."""
        self.itself.shut_out(team_id)

    def let_in(self, team_id: str) -> None:
        self.itself.let_in(team_id)

    def _app(self) -> web.Application:
        slack = self.itself
        pages = frozenset({"/", AUTHORIZE})
        application = web.Application(
            middlewares=[guarded(self._page_token, pages=pages)], client_max_size=LARGEST_BODY
        )

        async def serve_socket(request: web.Request) -> web.StreamResponse:
            return await connect(slack.sockets, self.ticket, request)

        application.add_routes(
            [
                web.post("/api/{method}", self._answer),
                web.get("/api/{method}", self._answer),
                web.get("/link/", serve_socket),
                web.post("/response/{id}", self._respond),
                web.post("/upload/{file}", self._receive),
                web.get("/files/{file}/{name}", self._file),
                *oauth_routes(slack, AUTHORIZE, self._page_token),
            ]
        )
        return application

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        method = request.match_info["method"]
        try:
            call = await read_call(request)
        except Refusal as refusal:
            return refused(refusal)
        of_slack = OF_SLACK.get(method)
        if method == "auth.test" and self._is_of_organisation(call):
            of_slack = auth_test
        if of_slack is None and method != "apps.connections.open":
            try:
                grant = self.itself.grants.whose(call.token)
                return await answer(_meant(self.itself.workspaces_of(grant), call), request, _good)
            except Refusal as refusal:
                return refused(refusal)

        async def answered() -> web.Response:
            if of_slack is not None:
                return in_json({"ok": True, **of_slack(self.itself, call)})
            if call.token != self.app_token:
                raise Refusal("invalid_auth")
            url = f"{self.url.replace('http', 'ws', 1)}/link/?ticket={self.ticket}"
            return in_json({"ok": True, "url": url})

        return await with_faults(self.itself, method, request, answered, refused)

    def _is_of_organisation(self, call: Call) -> bool:
        try:
            return self.itself.grants.whose(call.token).place.team_id is None
        except Refusal:
            return False

    async def _respond(self, request: web.Request) -> web.StreamResponse:
        url_id = request.match_info["id"]
        known = [each for each in self.itself.workspaces if url_id in each.response_urls]
        return await respond(known[0], request) if known else web.Response(status=404, text="used_url")

    async def _receive(self, request: web.Request) -> web.StreamResponse:
        known = [each for each in self.itself.workspaces if request.match_info["file"] in each.files]
        return await receive_upload(known[0], request) if known else web.Response(status=404)

    async def _file(self, request: web.Request) -> web.Response:
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        try:
            good_for = self.itself.workspaces_of(self.itself.grants.whose(token)) if scheme == "Bearer" else []
        except Refusal:
            good_for = []
        files = (each.files.get(request.match_info["file"]) for each in good_for)
        return send_file(next((each for each in files if each is not None), None))


def _good(workspace: Workspace, call: Call) -> None:
    """The token was looked at before it was known which workspace is meant."""


def _meant(workspaces: list[Workspace], call: Call) -> Workspace:
    """Which of the workspaces that a token is good for a call is about: an organisation's is good for several."""
    if not workspaces:
        raise Refusal("account_inactive")
    for each in workspaces:
        user, channel = call.text("user") or call.text("user_id"), call.text("channel") or call.text("channel_id")
        if (
            call.text("team_id") == each.team.id
            or channel in each.channels
            or channel in each.users
            or user in each.users
            or call.text("users") in each.users
            or call.text("view_id") in each.modals
            or call.text("file") in each.files
            or each.triggers.knows(call.text("trigger_id"))
        ):
            return each
    return workspaces[0]


async def listening(runner: web.AppRunner, port: int) -> str:
    """Where it listens, once it does."""
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", port).start()
    except OSError as error:
        if error.errno not in UNUSABLE:
            raise
        raise PortTaken(port, UNUSABLE[error.errno]) from error
    return f"http://127.0.0.1:{runner.addresses[0][1]}"


async def connect(sockets: Sockets, ticket: str, request: web.Request) -> web.StreamResponse:
    given = request.query.get("ticket", "")
    if not hmac.compare_digest(given.encode("utf-8", "surrogateescape"), ticket.encode()):
        return web.json_response({"ok": False, "error": "invalid_ticket"}, status=401)
    return await sockets.serve(request)


def send_file(file: File | None) -> web.Response:
    if file is None or file.content is None:
        return web.Response(status=404)
    return web.Response(body=file.content)
