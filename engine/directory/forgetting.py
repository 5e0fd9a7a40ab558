"""What of a directory is erased where somebody is forgotten: their profiles, and how they chose to be told."""

from collections.abc import Sequence
from typing import Final

from engine.directory.messages import (
    EraseNotifications,
    EraseProfile,
    LimitConfirmed,
    LimitsRead,
    NotificationsChosen,
    ProfileLoaded,
    ProfileSaved,
)
from engine.directory.state import Directory
from engine.kernel import OPERATOR, Command, Event, Forgetter, Millis, Part, Whose

OF_A_PROFILE: Final = (ProfileLoaded, ProfileSaved, LimitsRead, LimitConfirmed)
"""The events that hold somebody's words."""


def _twins_of(state: Directory, user_id: str) -> frozenset[str]:
    profiles = (each for entry in state.entries.values() for each in (entry.loaded, entry.edited) if each)
    return frozenset(each.agent_id for each in profiles if each.slack_user == user_id)


def _part_of(state: Directory, whose: Whose) -> Part | None:
    return Part.OWN if whose.agent_ids & state.entries.keys() or whose.user_id in state.chosen else None


def _quoting(history: Sequence[Event], part: Part, whose: Whose) -> frozenset[int]:
    return frozenset(
        number
        for number, event in enumerate(history)
        if (isinstance(event, OF_A_PROFILE) and event.agent_id in whose.agent_ids)
        or (isinstance(event, NotificationsChosen) and event.by == whose.user_id)
    )


def _erase(state: Directory, part: Part, whose: Whose, *, command_id: str, at: Millis) -> tuple[Command, ...]:
    profiles = tuple(
        EraseProfile(command_id=f"{command_id}:{each}", at=at, by=OPERATOR, agent_id=each)
        for each in sorted(whose.agent_ids & state.entries.keys())
    )
    if whose.user_id not in state.chosen:
        return profiles
    chosen = EraseNotifications(command_id=f"{command_id}:notifications", at=at, by=OPERATOR, user_id=whose.user_id)
    return (*profiles, chosen)


FORGETTER: Final = Forgetter(
    twins_of=_twins_of,
    part_of=_part_of,
    links=lambda _: (),
    quotes=lambda _state, _whose: False,
    leave=lambda _state, _part, _whose, *, command_id, at: (),
    quoting=_quoting,
    erase=_erase,
)
