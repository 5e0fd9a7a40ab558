"""Draws the forms of the Home tab as they open for one person, so that Slack can check each."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bot.texts import Texts
from bot.views.directory.admins import find_form, import_form, person_card
from bot.views.directory.buttons import AWAY, Twin
from bot.views.directory.calendar_form import away_form
from bot.views.directory.held import held_modal
from bot.views.directory.limit_form import limits_form
from bot.views.directory.notifications_form import Told, notifications_form
from bot.views.directory.profile_form import OpenedProfileForm, profile_form
from bot.views.directory.settings_form import settings_form
from bot.views.directory.telling_form import telling_form
from bot.views.kit.settings_part import SettingsPart
from engine.directory.messages import Settings
from engine.directory.profile import Profile
from engine.directory.state import Entry


def every_form(
    profile: Profile, parts: Sequence[tuple[SettingsPart, Any]], texts: Texts
) -> Iterator[Mapping[str, Any]]:
    """
    Args:
        parts: of the protocols' settings, each with the policy that ToWow was started with.
    """
    opened, entry = OpenedProfileForm(agent_id=profile.agent_id), Entry(loaded=profile)
    yield profile_form(opened, profile, texts)
    yield profile_form(OpenedProfileForm(), None, texts, by_admin=True)
    yield limits_form(opened, profile, texts)
    yield held_modal(profile.agent_id, profile, texts)
    yield telling_form(profile.agent_id, texts)
    yield away_form(AWAY, Twin(agent_id=profile.agent_id).value(), texts)
    yield notifications_form(Told(), texts)
    yield settings_form(0, Settings(), parts, texts)
    yield find_form({profile.agent_id: entry}, texts)
    yield person_card(profile.agent_id, entry, texts)
    yield import_form(texts)
