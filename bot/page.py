"""``towow demo --page``: the workspace in a browser, with colleagues to become, until somebody ends it."""

import asyncio
import contextlib
import signal
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from bot.stage import CHANNEL, Setting, staged
from bot.workspace import User
from engine.directory.profile import Profile, Profiles

COLLEAGUES: Final = 8
MET_FIRST: Final = (
    *("lin_xiao", "chen_mo", "he_jing", "zhou_yu", "maya_patel", "alex_kim", "emma_clarke", "jonas_weber"),
)
"""Between them they can answer every suggestion of the terminal's demo."""
WINDOW: Final = 120.0
"""Seconds in which people may overrule their twins: long enough to become each of them, short enough to wait for."""
PREFIX: Final = "user_agent_"


async def page(demand: str | None, setting: Setting) -> None:
    """Prints where the page is, and serves it until SIGINT or SIGTERM."""
    profiles, people = colleagues(setting.profiles)
    patient = setting.policy.model_copy(update={"human_window": WINDOW, "override_window": WINDOW})
    ended = asyncio.Event()
    for each in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError):  # Windows: Ctrl-C raises KeyboardInterrupt instead
            asyncio.get_running_loop().add_signal_handler(each, ended.set)
    async with staged(replace(setting, profiles=profiles, policy=patient), people) as stage:
        print(f"ToWow is at {stage.workspace.url} – open it in a browser. Ctrl-C ends it.", flush=True)  # noqa: T201
        if demand:
            await stage.person().say(CHANNEL, f"<@{stage.workspace.bot_user_id}> {demand}")
        await ended.wait()


def colleagues(profiles: Profiles) -> tuple[Profiles, Sequence[User]]:
    """Everybody's profile, linked for a few of them to the user that they are in the workspace."""
    known = [f"{PREFIX}{name}" for name in MET_FIRST if f"{PREFIX}{name}" in profiles]
    others = [agent_id for agent_id in profiles if agent_id not in known]
    users = {agent_id: _user(profiles[agent_id]) for agent_id in (known + others)[:COLLEAGUES]}
    return profiles.with_links({agent_id: user.id for agent_id, user in users.items()}), list(users.values())


def _user(profile: Profile) -> User:
    name = profile.agent_id.removeprefix(PREFIX)
    locale = "zh-CN" if profile.languages[0] == "中文" else "en-US"
    return User(id=f"U_{name.upper()}", name=name, real_name=profile.user_name, title=profile.tags[0], locale=locale)
