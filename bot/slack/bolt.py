"""Makes the Bolt app, which passes what comes from Slack to the listeners, and tells people where that fails."""

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from http import HTTPStatus
from typing import Any, Final

from pydantic import ValidationError
from slack_bolt.async_app import AsyncApp
from slack_bolt.context.async_context import AsyncBoltContext
from slack_bolt.error import BoltUnhandledRequestError
from slack_bolt.response import BoltResponse
from slack_sdk.web.async_client import AsyncWebClient

from bot.listeners.actor import STOPPED, keep_actor, tenant_of
from bot.listeners.error_replies import reader_of, spot_of, spot_of_message, still_open, what_came
from bot.listeners.private_messages import tell
from bot.listeners.registration import register
from bot.listeners.services import Services
from bot.posts import ResponseUrls
from bot.posts.failures import CALL_ERRORS, CallFailed
from bot.posts.languages import UserSettings, settings_of
from bot.protocol_row import Protocol
from bot.slack.app_by_name import AppByName
from bot.slack.client import web_client
from bot.slack.workspaces import OneWorkspace, Workspaces
from bot.texts import texts_in
from bot.tracing.slack import TracedApp
from bot.views.kit import notices
from bot.views.kit.menu import chosen_button
from engine.errors import Refusal, StoreError
from engine.kernel import Tenant
from engine.runtime.tracing import Tracing

log = logging.getLogger(__name__)

OUTSIDE: Final = (StoreError, CallFailed, *CALL_ERRORS)
"""What is wrong with the disk or the network, and not with us."""

ABOUT_US: Final = frozenset({"tokens_revoked", "app_uninstalled", "team_access_revoked", "team_access_granted"})


def bolt_app(
    client: AsyncWebClient,
    services: Services,
    protocols: Sequence[Protocol],
    workspaces: Workspaces | None = None,
    tracing: Tracing | None = None,
) -> AsyncApp:
    """
    Args:
        client: without a token where there are many workspaces.
        workspaces: where we are; without, the one that the client's token belongs to.
        tracing: tells of what comes, where traces are collected.
    """
    known: Workspaces = workspaces or OneWorkspace(client)

    # Bolt takes None for "not installed", though it does not say so in its types.
    async def authorize(enterprise_id: str | None, team_id: str | None) -> Any:
        return await known.authorize(enterprise_id, team_id)

    log.addFilter(_is_worth_telling)
    make = partial(TracedApp, tracing=tracing) if tracing else AppByName
    app = make(
        # For a name of its own making, Bolt would look up every module's source: as much work as all else at a start.
        name="towow",
        # Without a token: it comes with our identity, which is known once Slack was asked.
        client=web_client(client.base_url, None, client.session, client.timeout),
        # Whoever receives a request checks its signature, before it is read as anything: see bot/api/slack.py.
        request_verification_enabled=False,
        authorize=authorize,
        attaching_function_token_enabled=False,  # a workflow's own token ends with its step, and ours does for it
        user_facing_authorize_error_message=" / ".join(notices.not_installed(texts_in(each)) for each in ("en", "zh")),
        # Else Bolt acknowledges an event before its listener has ended: a kill in between would lose it.
        process_before_response=True,
        raise_error_for_unhandled_request=True,  # whoever pressed a button of another ToWow is told, too
        logger=log,
    )

    @app.middleware
    async def arrived(
        body: dict[str, Any],
        context: AsyncBoltContext,
        client: AsyncWebClient,
        next_: Callable[[], Awaitable[None]],
    ) -> BoltResponse | None:
        """Find out where it comes from and who acts, before any listener asks."""
        _place(body, context)
        _choose(body)
        tenant = tenant_of(context)
        if known.is_absent(tenant) and not _is_about_us(body):
            return BoltResponse(status=HTTPStatus.OK)  # it was sent before they took us out

        services.heard_from(tenant)

        async def told_of(user: str) -> UserSettings | None:
            if (body.get("event") or {}).get("type") != STOPPED:
                return await services.texts.told_of(client, tenant, user)
            try:
                return await settings_of(client, user)  # as it is now: it is rare, and cannot be taken back
            except CallFailed:
                return None

        await keep_actor(context, body, tenant, told_of)
        _keep_response_url(services.response_urls, body, tenant)
        await next_()
        return None

    again = _Again()

    @app.error
    async def failed(error: Exception, body: dict[str, Any], context: AsyncBoltContext) -> BoltResponse:
        return _answer_to_error(error, body, context, services, client if client.token else context.client, again)

    register(app, services, protocols)
    return app


def _is_worth_telling(record: logging.LogRecord) -> bool:
    """The SDK logs each connection that could not be opened with its traceback, and the error beside it; and Bolt warns
    at each start of the token in the environment, which the client has.
    """
    if "`token` will be unused" in str(record.msg):
        return False
    if record.exc_info and isinstance(record.exc_info[1], OUTSIDE):
        record.exc_info = None
    return True


def _place(body: dict[str, Any], context: AsyncBoltContext) -> None:
    """An organisation that has us as a whole says only in its payload which workspace is meant."""
    if context.team_id is None and (team_id := body.get("context_team_id") or body.get("team_id")):
        context["team_id"] = str(team_id)
        if context.authorize_result is not None:
            context.authorize_result["team_id"] = context.authorize_result.team_id = str(team_id)


def _choose(body: dict[str, Any]) -> None:
    """Have a choice in a menu heard by whoever listens to its button."""
    pressed = body.get("actions")
    for action in pressed if isinstance(pressed, list) else ():
        if isinstance(action, dict) and (button := chosen_button(action)):
            action.update(button)


def _is_about_us(body: dict[str, Any]) -> bool:
    """Whether it tells that we were let in, or taken out."""
    return (body.get("event") or {}).get("type") in ABOUT_US


def _keep_response_url(urls: ResponseUrls, body: dict[str, Any], tenant: Tenant) -> None:
    """Keep the address by which a message that was clicked can be changed for a while."""
    container = body.get("container") or {}
    if body.get("type") == "block_actions" and "response_url" in body and not container.get("is_ephemeral", True):
        urls.keep(tenant, container["channel_id"], container["message_ts"], body["response_url"])


class _Again:
    """Messages whose authors were told that they are not taken yet: Slack sends each of them again."""

    MOST: Final = 1_000

    def __init__(self) -> None:
        self._told: dict[tuple[str, str], None] = {}

    def was_told(self, event: Mapping[str, Any]) -> bool:
        """Return whether its author was told, and take it for told from now on."""
        message = (event["channel"], event["ts"])
        if message in self._told:
            return True
        if len(self._told) >= self.MOST:
            del self._told[next(iter(self._told))]
        self._told[message] = None
        return False


def _answer_to_error(
    error: Exception,
    body: dict[str, Any],
    context: AsyncBoltContext,
    services: Services,
    client: AsyncWebClient,
    again: "_Again",
) -> BoltResponse:
    """Tell people in our words, and the log about the exception. Acknowledge a refusal, and what is no request."""
    if isinstance(error, BoltUnhandledRequestError) and body.get("type") == "event_callback":
        log.info("nobody here listens to %s", what_came(body))
        return BoltResponse(status=HTTPStatus.OK)  # else Slack would send it again and again
    refusal = error if isinstance(error, Refusal) else None
    status = HTTPStatus.OK if refusal else _status(error)
    if refusal is None:
        # What is wrong with a payload, the disk or the network is told in one line; a fault of ours in full.
        in_full = None if isinstance(error, OUTSIDE) or status < HTTPStatus.INTERNAL_SERVER_ERROR else error
        log.error("%s could not be handled: %s", what_came(body), _one_line(error), exc_info=in_full)
    texts = services.texts.known(tenant_of(context), reader_of(body))
    said = notices.refused(refusal, texts) if refusal else notices.went_wrong(texts)
    if spot := spot_of(body):
        tell(services, client, spot, said)
    elif isinstance(error, OUTSIDE) and (spot := spot_of_message(body)) and not again.was_told(body["event"]):
        tell(services, client, spot, notices.not_taken_yet(services.texts.known(tenant_of(context), spot["user"])))
    return still_open(body, said) or BoltResponse(status=status)


def _status(error: Exception) -> HTTPStatus:
    """Return whose fault it is: the payload's where it names nothing of ours or carries no value of ours, else ours."""
    match error:
        case BoltUnhandledRequestError():
            return HTTPStatus.NOT_FOUND
        case ValidationError():
            return HTTPStatus.BAD_REQUEST
        case _:
            return HTTPStatus.INTERNAL_SERVER_ERROR


def _one_line(error: Exception) -> str:
    match error:
        case BoltUnhandledRequestError():
            return "nobody here listens to that"
        case ValidationError():
            return f"what it carries is no {error.title} of ours"
        case _:
            return str(error) or type(error).__name__
