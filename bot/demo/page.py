"""The demo's page, in a browser on this machine."""

import asyncio
import contextlib
import logging
import os
import secrets
import sys
import webbrowser
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import PurePath
from threading import Thread
from typing import Final, NamedTuple

from bot.api.tokens import Scope, Token, digest_of
from bot.api_config import ApiAccess, read_api
from bot.demo.demo import CHANNEL, REQUESTER, Demo, DemoSettings, running_demo
from bot.demo.event_panel import EventPanel
from bot.demo.welcome import BY_RULES
from bot.local_slack import User
from bot.story_links import PageAccess
from bot.time_zones import machine_time_zone
from engine.directory.profile import Profile, Profiles
from engine.errors import StoreError
from engine.runtime.ending import ended_by_signals
from engine.runtime.loop_watch import watched_loop
from engine.runtime.parts import Deadline
from engine.times.busy import UnreadableCalendar

log = logging.getLogger(__name__)


class Weekly(NamedTuple):
    """What somebody has every week."""

    days: str
    """As `RFC 5545` names them."""
    start: str
    """HHMM."""
    hours: int


class Own(NamedTuple):
    weekly: tuple[Weekly, ...]
    time_zone: str = ""
    """In which their calendar is kept; where they are, without."""


OF_PEOPLE: Final = {
    "U_LIN_XIAO": Own((Weekly("MO,WE,FR", "1000", 1), Weekly("TU", "1400", 3))),
    "U_CHEN_MO": Own((Weekly("MO,TU,WE,TH", "0930", 1), Weekly("TH", "1900", 2))),
    "U_ZHOU_YU": Own((Weekly("TU,TH", "1300", 2), Weekly("SU", "0900", 8))),
    "U_MAYA_PATEL": Own((Weekly("MO,TU,WE,TH,FR", "0900", 2),), "Europe/London"),
    "U_EMMA_CLARKE": Own((Weekly("WE", "1000", 4), Weekly("FR", "1500", 2))),
}
"""By user id; in the evenings and at weekends they are mostly free, as the suggestions want it."""


async def give_calendars(demo: Demo) -> None:
    """Give each their calendar, unless they have one already."""
    calendars = demo.towow.services.calendars
    if calendars is None:
        return
    today = datetime.fromtimestamp(demo.clock.now() / 1000, UTC).date()
    for user, own in OF_PEOPLE.items():
        try:
            if user in demo.names and await calendars.standing(demo.tenant, user) is None:
                await calendars.give_file(demo.tenant, user, exported(own, today))
        except (StoreError, UnreadableCalendar, OSError) as error:
            log.warning("%s has no calendar in this demo: %s", user, error)


def exported(own: Own, today: date) -> bytes:
    """Write a calendar as it is exported."""
    zone = f";TZID={own.time_zone}" if own.time_zone else ""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//ToWow//demo//EN"]
    for number, each in enumerate(own.weekly):
        first = today + timedelta(days=DAYS.index(each.days[:2]) - today.weekday())
        lines += [
            "BEGIN:VEVENT",
            f"UID:{number}@demo.towow.example",
            f"DTSTART{zone}:{first:%Y%m%d}T{each.start}00",
            f"DURATION:PT{each.hours}H",
            f"RRULE:FREQ=WEEKLY;BYDAY={each.days}",
            "END:VEVENT",
        ]
    return "\r\n".join([*lines, "END:VCALENDAR", ""]).encode()


DAYS: Final = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")


TEXT: Final = frozenset({"www-browser", "links", "elinks", "lynx", "w3m"})
"""Browsers in the terminal, which cannot show the page."""


def has_desktop(environ: Mapping[str, str], platform: str = sys.platform) -> bool:
    """Whether a browser would be seen: on a desktop, or where somebody has said which one; never in CI."""
    if environ.get("CI"):
        return False
    if environ.get("BROWSER"):
        return True
    if environ.get("SSH_CONNECTION"):
        return False
    return platform in ("darwin", "win32") or bool(environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY"))


def open_page(url: str) -> None:
    """Open the page in a thread of its own, because some browsers return only when they are closed."""
    Thread(target=_open, args=(url,), daemon=True).start()


def _open(url: str) -> None:
    with contextlib.suppress(webbrowser.Error, OSError):  # the address is printed in the terminal anyway
        browser = webbrowser.get()
        if PurePath(getattr(browser, "name", "")).name not in TEXT:
            browser.open(url)


COLLEAGUES: Final = 8
MET_FIRST: Final = (
    *("lin_xiao", "chen_mo", "he_jing", "zhou_yu", "maya_patel", "alex_kim", "emma_clarke", "jonas_weber"),
)
"""Names of profile files: together these people can answer every suggestion."""
PREFIX: Final = "user_agent_"


async def page(
    message: str | None, settings: DemoSettings, *, first: bool = False, opens: bool = False, secret: str = ""
) -> None:
    """Print where the page is, and serve it until SIGINT or SIGTERM.

    Args:
        message: said to ToWow at once.
        first: whether a demand of ours is asked where nothing was said yet, so that the page opens in a vote.
        opens: whether the browser opens by itself.
        secret: a token of the HTTP interface that nobody has been told of yet.
    """
    profiles, people = colleagues(settings.profiles)
    policy = settings.policy
    for each in settings.protocols:
        policy = each.demo().on_the_page(policy) if each.demo is not None else policy
    ended = asyncio.Event()
    with watched_loop(), ended_by_signals(ended.set, Deadline()):
        async with running_demo(
            replace(settings, profiles=profiles, policy=policy, admins=frozenset({REQUESTER})), people
        ) as demo:
            demo.workspace.show(EventPanel(demo))
            await give_calendars(demo)  # first: a demand that is asked at once is to find them
            if first and not message and not await demo.person().messages(CHANNEL):
                await begins(demo)
            if message:
                await demo.mention(message)
            how = "it opens in your browser" if opens else "open it in a browser"
            print(f"ToWow is at {demo.workspace.url} – {how}. Ctrl-C ends it.", flush=True)
            if demo.towow.api is not None and settings.api is not None and settings.api.tokens:
                told = f"; as yourself with the token {secret}" if secret else ""
                print(f"The HTTP interface is at {demo.towow.api.url}/api/v1{told}.", flush=True)
            if opens:
                open_page(demo.workspace.url)
            loading = asyncio.create_task(demo.towow.load_ahead())
            await ended.wait()
            loading.cancel()


async def begins(demo: Demo) -> None:
    """Ask the first demand, and let pass the time in which offers are corrected: whoever comes finds a vote."""
    parts = (each.demo() for each in demo.protocols if each.demo is not None)
    demand = next((each.first[machine_language(os.environ)] for each in parts if each.first), None)
    if demand is None:
        return
    print(BY_RULES, flush=True)
    print(f"Asking colleagues, so that the page opens in a thread that is under way: {demand}", flush=True)
    await demo.mention(demand)
    await demo.settle()
    await demo.skip()
    await demo.settle()


def machine_language(environ: Mapping[str, str]) -> str:
    """Return "zh" where this machine speaks Chinese, else "en"."""
    said = next((environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environ.get(name)), "")
    return "zh" if said.startswith("zh") else "en"


def own_api(environ: Mapping[str, str]) -> tuple[ApiAccess, str]:
    """Return what the environment says of the HTTP interface; else one token for everything, as the person at the page.

    Returns:
        that token, too, where it is new.
    """
    said = read_api(environ)
    pages = only_pages().pages
    if said is not None:
        return replace(said, pages=said.pages or pages), ""
    secret = secrets.token_urlsafe(24)
    token = Token("demo", frozenset(Scope), REQUESTER, digest_of(secret))
    return ApiAccess((token,), port=0, pages=pages), secret


def only_pages() -> ApiAccess:
    """Return what serves the pages of stories, and nothing to programs; the links are void after the demo."""
    return ApiAccess(port=0, pages=PageAccess(secrets.token_bytes(32)))


def colleagues(profiles: Profiles) -> tuple[Profiles, Sequence[User]]:
    """Return all profiles, a few of them linked to users of the workspace, and those users."""
    known = [f"{PREFIX}{name}" for name in MET_FIRST if f"{PREFIX}{name}" in profiles]
    others = [agent_id for agent_id in profiles if agent_id not in known]
    users = {agent_id: _user(profiles[agent_id]) for agent_id in (known + others)[:COLLEAGUES]}
    return profiles.with_links({agent_id: user.id for agent_id, user in users.items()}), list(users.values())


def _user(profile: Profile) -> User:
    name = profile.agent_id.removeprefix(PREFIX)
    locale = "zh-CN" if profile.languages[0] == "中文" else "en-US"
    return User(
        id=f"U_{name.upper()}",
        name=name,
        real_name=profile.user_name,
        title=profile.tags[0],
        locale=locale,
        tz=machine_time_zone(),
    )
