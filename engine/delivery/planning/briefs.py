"""What is to be carried out, from what another stream has handed over."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from engine.delivery.terms import Brief
from engine.facts.asked import local_day
from engine.facts.shortening import shorten
from engine.kernel import HandedPerson, Handover, Millis


def brief_of(handed: Handover, *, now: Millis, time_zone: str, locale: str = "") -> Brief:
    """
    Args:
        time_zone: IANA; where whoever asked is.
        locale: theirs.
    """
    return Brief(
        title=handed.title,
        goal=handed.goal,
        language=handed.language,
        locale=locale,
        origin=handed.origin,
        origin_protocol=handed.protocol,
        time_zone=time_zone,
        today=local_day(now, time_zone),
        ends=handed.ends,
        people=handed.people,
        facts=handed.facts,
        tasks=handed.tasks,
    )


LONGEST_TITLE: Final = 120
MOST_PEOPLE: Final = 30
_MENTION: Final = re.compile(r"<@([UW][A-Z0-9_]{1,60})(?:\|[^<>]*)?>")


def brief_of_goal(
    goal: str,
    *,
    by: str,
    today: str,
    time_zone: str,
    known: Sequence[HandedPerson] = (),
    locale: str = "",
    mentioned: Sequence[str] = (),
) -> Brief:
    """Take what somebody wants to have carried out: who is named in it, and what it is called.

    Args:
        by: the user who asks, who can be given tickets like all that are named.
        today: ISO date, where they are.
        known: people whom the goal may name.
        locale: theirs who ask.
        mentioned: users whom the goal mentions, whatever it calls them.
    """
    people = {each.user_id: each for each in known if each.user_id}
    named = (user for user, each in people.items() if _is_named(each.name, goal))
    users = [*dict.fromkeys((*mentioned, *_MENTION.findall(goal), *named, by))][:MOST_PEOPLE]
    plain = _MENTION.sub(lambda found: _name(people, found[1]), goal)
    return Brief(
        title=shorten(plain.strip().partition("\n")[0].strip(), LONGEST_TITLE),
        goal=plain,
        locale=locale,
        time_zone=time_zone,
        today=today,
        people=tuple(people.get(each) or HandedPerson(person_id=each, user_id=each) for each in users),
    )


def _name(people: Mapping[str, HandedPerson], user: str) -> str:
    found = people.get(user)
    return found.name if found and found.name else f"@{user}"


def _is_named(name: str, text: str) -> bool:
    """Whether a text has the name as a word of its own; in Chinese, anywhere."""
    if len(name.strip()) < 2:
        return False
    return re.search(rf"(?<![A-Za-z0-9]){re.escape(name.strip())}(?![A-Za-z0-9])", text, re.IGNORECASE) is not None
