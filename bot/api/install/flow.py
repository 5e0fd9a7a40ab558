"""Lets the app into a workspace: sends somebody to Slack, and takes what they come back with."""

import logging
from collections.abc import Awaitable, Sequence
from html import escape
from typing import Any, Final
from urllib.parse import quote

from slack_bolt.oauth.async_callback_options import AsyncCallbackOptions, AsyncFailureArgs, AsyncSuccessArgs
from slack_bolt.oauth.async_oauth_flow import AsyncOAuthFlow
from slack_bolt.oauth.async_oauth_settings import AsyncOAuthSettings
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_bolt.response import BoltResponse
from slack_sdk.oauth.installation_store import Installation
from slack_sdk.web.async_client import AsyncWebClient

from bot.api.story.page import document
from bot.posts.failures import CALL_ERRORS, failure
from bot.slack.oauth.database import STATE_SECONDS, InstallationDatabase
from bot.slack.oauth.departures import BeingPurged
from bot.slack.oauth.installations import Installations
from bot.slack.oauth.sealed_store import SealedStore
from bot.texts import Texts, texts_in
from engine.errors import StoreError
from engine.runtime.clock import Clock

# ── pages ─────────────────────────────────────────────────────────────────────────────────────────────────────────────
# What people see who let ToWow into their workspace: a button, and then how it went.


SLACK: Final = "https://slack.com/app_redirect"


def install_page(url: str, texts: Texts) -> str:
    return _page(
        texts.say("Add ToWow to Slack"),
        texts.say(
            "Post what you need, and ToWow asks the colleagues who could help until there is a plan that everyone "
            "answered. Slack asks you next which workspace it is for, and shows what ToWow may do there."
        ),
        _link(url, texts.say("Add to Slack")),
        texts,
    )


def installed_page(where: str, app_id: str, team_id: str, texts: Texts) -> str:
    """
    Args:
        team_id: empty where a whole organisation has it.
    """
    address = f"{SLACK}?app={quote(app_id)}" + (f"&team={quote(team_id)}" if team_id else "")
    return _page(
        texts.say("ToWow is in {where}", where=where or "Slack"),
        texts.say("Mention @ToWow in a channel and say what you need. Who has added it is its first admin."),
        _link(address, texts.say("Open Slack")),
        texts,
    )


def failed_page(reason: str, install: str, texts: Texts) -> str:
    """
    Args:
        reason: Slack's word for it, or the SDK's.
        install: where one can try again.
    """
    title, text = _reasons(texts).get(reason) or _reasons(texts)[""]
    return _page(title, text, _link(install, texts.say("Try again")), texts)


def _reasons(texts: Texts) -> dict[str, tuple[str, str]]:
    """What happened, and what would work, by Slack's word for it."""
    begun_elsewhere = (
        texts.say("This was begun elsewhere"),
        texts.say("It goes on only in the browser in which it began, with cookies, and within ten minutes."),
    )
    used = (
        texts.say("This page was used already, or took too long"),
        texts.say("An installation is good once, and for ten minutes. Nothing was changed."),
    )
    return {
        "access_denied": (
            texts.say("ToWow was not added"),
            texts.say("Nothing was changed. If an admin of yours has to agree first, come back once they have."),
        ),
        "invalid_browser": begun_elsewhere,
        "invalid_state": used,
        "missing_code": used,
        "invalid_code": (
            texts.say("Slack did not confirm this"),
            texts.say("Nothing was changed. If it happens again, whoever runs ToWow finds the reason in its log."),
        ),
        "storage_error": (
            texts.say("ToWow could not keep this"),
            texts.say("Its database does not answer just now. Please try again in a few minutes."),
        ),
        "being_purged": (
            texts.say("ToWow was not added"),
            texts.say(
                "Everything that was kept of this workspace is being deleted, since ToWow was taken out. Please try "
                "again in a few minutes."
            ),
        ),
        "": (
            texts.say("ToWow was not added"),
            texts.say("Slack has sent you back without a yes. Nothing was changed."),
        ),
    }


def _page(title: str, text: str, link: str, texts: Texts) -> str:
    body = f'<main id="story" class="alone"><h1>{escape(title)}</h1><p>{escape(text)}</p><p>{link}</p></main>'
    return document(title, texts.language, body)


def _link(address: str, label: str) -> str:
    return f'<a class="act" href="{escape(address)}">{escape(label)}</a>'


log = logging.getLogger(__name__)


# ── the flow ──────────────────────────────────────────────────────────────────────────────────────────────────────────


INSTALL: Final = "/slack/install"
REDIRECT: Final = "/slack/oauth_redirect"
HTML: Final[dict[str, str | Sequence[str]]] = {"Content-Type": "text/html; charset=utf-8"}
CANNOT_KEEP: Final = "storage_error"
BEING_PURGED: Final = "being_purged"


def install_flow(
    client_id: str,
    client_secret: str,
    scopes: tuple[str, ...],
    redirect_uri: str,
    authorization_url: str,
    database: InstallationDatabase,
    store: SealedStore,
    installations: Installations,
    slack: AsyncWebClient,
    clock: Clock,
) -> AsyncOAuthFlow:
    """
    Args:
        slack: a client without a token.
    """
    settings = AsyncOAuthSettings(
        client_id=client_id,
        client_secret=client_secret,
        scopes=scopes,
        user_scopes=[],
        redirect_uri=redirect_uri,
        install_path=INSTALL,
        redirect_uri_path=REDIRECT,
        callback_options=AsyncCallbackOptions(_succeeded, _failed),
        authorization_url=authorization_url,
        installation_store=store,
        state_store=database.states,
        state_expiration_seconds=STATE_SECONDS,
        logger=log,
    )
    return _Flow(settings, slack, installations, clock)


class _Flow(AsyncOAuthFlow):
    """The SDK's, which words its pages for developers, and logs the code where Slack refuses it."""

    def __init__(
        self, settings: AsyncOAuthSettings, slack: AsyncWebClient, installations: Installations, clock: Clock
    ) -> None:
        super().__init__(client=slack, logger=log, settings=settings)
        self._installations = installations
        self._clock = clock

    async def build_install_page_html(self, url: str, request: AsyncBoltRequest) -> str:
        return install_page(url, _texts(request))

    async def run_installation(self, code: str) -> Installation | None:
        try:
            told: Any = await self.client.oauth_v2_access(
                code=code,
                client_id=self.settings.client_id,
                client_secret=self.settings.client_secret,
                redirect_uri=self.settings.redirect_uri,
            )
            who: Any = await self.client.auth_test(token=told["access_token"])
        except CALL_ERRORS as error:
            log.warning("Slack gives no token for what somebody came back with: %s", failure(error).why)
            return None
        enterprise, team, now = told.get("enterprise") or {}, told.get("team") or {}, self._clock.now()
        expires_in = told.get("expires_in")
        return Installation(
            app_id=told.get("app_id"),
            enterprise_id=enterprise.get("id"),
            enterprise_name=enterprise.get("name"),
            enterprise_url=who.get("url"),  # the workspace's own, where it is no organisation
            team_id=team.get("id"),
            team_name=team.get("name"),
            bot_token=told["access_token"],
            bot_id=who.get("bot_id"),
            bot_user_id=told.get("bot_user_id"),
            bot_scopes=told.get("scope") or "",
            bot_refresh_token=told.get("refresh_token"),
            bot_token_expires_at=now // 1000 + int(expires_in) if expires_in is not None else None,
            user_id=(told.get("authed_user") or {}).get("id") or "",
            is_enterprise_install=bool(told.get("is_enterprise_install")),
            token_type=told.get("token_type"),
            installed_at=now / 1000,
        )

    async def store_installation(self, request: AsyncBoltRequest, installation: Installation) -> None:
        await self._installations.keep(installation)
        log.info("the app was installed in %s", installation.team_id or installation.enterprise_id)

    async def handle_callback(self, request: AsyncBoltRequest) -> BoltResponse:
        return await _with_trouble_pages(super().handle_callback(request), request)

    async def handle_installation(self, request: AsyncBoltRequest) -> BoltResponse:
        return await _with_trouble_pages(super().handle_installation(request), request)


async def _with_trouble_pages(answer: Awaitable[BoltResponse], request: AsyncBoltRequest) -> BoltResponse:
    """The database has to be there for both steps, and neither is done without it."""
    try:
        return await answer
    except BeingPurged as error:
        log.warning("%s", error)
        return BoltResponse(status=503, body=failed_page(BEING_PURGED, INSTALL, _texts(request)), headers=HTML)
    except StoreError as error:
        log.warning("nobody can install the app just now: %s", error)
    except Exception:
        log.exception("an installation has failed")
    return BoltResponse(status=500, body=failed_page(CANNOT_KEEP, INSTALL, _texts(request)), headers=HTML)


async def _succeeded(told: AsyncSuccessArgs) -> BoltResponse:
    installed = told.installation
    where = installed.enterprise_name if installed.is_enterprise_install else installed.team_name
    ids = str(installed.app_id or ""), str(installed.team_id or "")
    page = installed_page(str(where or ""), *ids, _texts(told.request))
    return BoltResponse(status=200, body=page, headers=_forgetting_state(told.settings))


async def _failed(told: AsyncFailureArgs) -> BoltResponse:
    page = failed_page(told.reason, INSTALL, _texts(told.request))
    return BoltResponse(status=told.suggested_status_code, body=page, headers=_forgetting_state(told.settings))


def _forgetting_state(settings: AsyncOAuthSettings) -> dict[str, Any]:
    return HTML | {"Set-Cookie": settings.state_utils.build_set_cookie_for_deletion()}


def _texts(request: AsyncBoltRequest) -> Texts:
    """In the first language of the browser that we speak."""
    wanted = next(iter(request.headers.get("accept-language") or ()), "")
    return texts_in(wanted.partition(",")[0].partition(";")[0].strip())
