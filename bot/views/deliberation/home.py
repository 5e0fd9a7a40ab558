"""A person's plans in their App Home."""

from collections.abc import Iterator
from typing import Final

from bot.texts import Texts
from bot.views.deliberation.outcome import disagreed_on
from bot.views.deliberation.root import decide, short_status
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.home_part import Agenda, HomePart, HomeSections, older_line, where_line
from bot.views.kit.mrkdwn import safe_line
from bot.views.kit.story.buttons import with_pages
from engine.deliberation.own_plans import ENDED_PLAN, PLAN, UNDECIDED_PLAN
from engine.deliberation.state import Deliberation

MOST_UNDECIDED: Final = 3
"""Plans to decide about that are shown: the page has 100 blocks for everything."""
MOST_OWN: Final = 3
"""Blocks in which a person's plans are told."""


def sections(agenda: Agenda[Deliberation], user: str, texts: Texts) -> HomeSections:
    return HomeSections(undecided=[*_undecided(agenda, texts)], own=[*_own(agenda, texts)])


def _undecided(agenda: Agenda[Deliberation], texts: Texts) -> Iterator[Block]:
    for state in agenda.undecided[:MOST_UNDECIDED]:
        what = disagreed_on(state, texts)
        said = (
            texts.say("• “{plan}”: Planner and Critic do not agree on {what}", plan=_title(state), what=what)
            if what
            else texts.say("• “{plan}”: Planner and Critic do not agree", plan=_title(state))
        )
        yield blocks.section(_with_where(said, state, agenda, texts))
        yield blocks.actions(decide(state, texts))
    if hidden := len(agenda.undecided[MOST_UNDECIDED:]):
        yield blocks.context(texts.count("…and {n} more", "…and {n} more", hidden))


def _own(agenda: Agenda[Deliberation], texts: Texts) -> Iterator[Block]:
    """Nothing, not even a heading, for whoever has never asked for a plan."""
    if not agenda.own:
        return
    yield blocks.header(texts.say("Your plans"))
    yield from with_pages([(_own_line(each, agenda, texts), each.session_id) for each in agenda.own], texts, MOST_OWN)
    if agenda.older:
        yield blocks.context(older_line(agenda.older, texts))


def _own_line(state: Deliberation, agenda: Agenda[Deliberation], texts: Texts) -> str:
    said = texts.say("• “{plan}”: {status}", plan=_title(state), status=short_status(state, texts))
    return _with_where(said, state, agenda, texts)


def _with_where(said: str, state: Deliberation, agenda: Agenda[Deliberation], texts: Texts) -> str:
    where = where_line(state.place.channel, agenda.thread(state.session_id), texts)
    return " · ".join(each for each in (said, where) if each)


def _title(state: Deliberation) -> str:
    return safe_line(state.brief.title or state.brief.goal, 120) or "…"


HOME_PART: Final = HomePart(undecided=UNDECIDED_PLAN, own=PLAN, ended=ENDED_PLAN, draw=sections)
