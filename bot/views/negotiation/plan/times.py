"""When a version takes place, how many can then, and at which other times it could be.

Everybody is told how many can. Who cannot is told to whoever asked alone, and each is told of themselves.
"""

from collections.abc import Collection, Iterable, Iterator
from typing import Any, Final

from bot.texts import Texts
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.data_words import clock_words, when_words
from bot.views.kit.modals import modal
from bot.views.kit.mrkdwn import Fit, escaped
from bot.views.kit.post import Post
from bot.views.kit.presenter import Readers
from bot.views.negotiation.button_values import OTHER_TIMES, TAKE_TIME, VersionsButton, action_button
from bot.views.negotiation.names import asked_on, bold_name, demand_line, direct_message, thread_link
from engine.facts.circumstances import When
from engine.negotiation.plan.times import key_of
from engine.negotiation.state import Negotiation, Round
from engine.times.feasible import FoundTimes, PossibleTime

MOST_NAMES: Final = 12
MOST_LATER: Final = 3


def then_line(state: Negotiation, version: int, texts: Texts) -> str:
    """When a version takes place and that all can; empty where that is not known, or not so, which its marks say."""
    found = state.times.get(version)
    if found is None or found.then is None or found.then.cannot:
        return ""
    return texts.say("✓ {when}: {can}", when=_when(state, found.then, texts), can=can_words(found.then, texts))


def not_then(state: Negotiation, version: int, texts: Texts) -> str:
    """When a version takes place, and how few can."""
    found = state.times.get(version)
    if found is None or found.then is None:
        return ""
    return texts.say("{when}: {can}", when=_when(state, found.then, texts), can=can_words(found.then, texts))


def no_time_line(state: Negotiation, version: int, texts: Texts) -> str:
    """That no time fits all who have to be there, and what would help; empty where one does."""
    found = _found(state, version)
    if found is None or not found.nearest:
        return ""
    return texts.say(
        "🕒 No time fits everybody who has to be there. Other days, a shorter time, or somebody else in a part would "
        "help; whoever asked was told who cannot."
    )


def no_time_messages(state: Negotiation, readers: Readers) -> Iterator[Post]:
    """Who stands in the way, for whoever asked alone: with a version for which no time fits, unless it is as before."""
    told: tuple[PossibleTime, ...] = ()
    for version, known in state.times.items():
        nearest = known.found.nearest if known.found else ()
        if nearest and nearest != told and state.requester_id:
            yield _no_time(state, version, nearest, readers)
        told = nearest


def _no_time(state: Negotiation, version: int, nearest: tuple[PossibleTime, ...], readers: Readers) -> Post:
    key = f"no-time-{version}"
    texts = readers.texts(state.requester_id, key)
    text = texts.say(
        "🕒 For “{demand}”, no time fits everybody who has to be there. You alone are told who cannot at the nearest "
        "times:",
        demand=demand_line(state, Fit()),
    )
    said = "\n".join([text, *in_the_way(state, nearest, texts)])
    help_ = texts.say("Other days, a shorter time, or somebody else in a part would help.")
    thread = readers.address("")

    def card(_: Fit) -> list[Block]:
        return [*blocks.sections([said, help_]), *thread_link(state, texts, thread)]

    is_late = not state.is_open or version != len(state.proposals)
    return direct_message(state, key, state.requester_id, text, texts, card, is_late=is_late)


def can_words(time: PossibleTime, texts: Texts) -> str:
    """How many can at a time, of those of whom that is known, and from when others can; nobody is named."""
    can, known = time.can, time.can + len(time.cannot)
    if can == known:
        return texts.count("{n} can, as far as it is known", "all {n} can, as far as it is known", can)
    said = texts.say("{count} of {wanted} can, as far as it is known", count=can, wanted=known)
    from_ = [texts.say("one from {time}", time=clock_words(each, texts)) for each in time.later[:MOST_LATER]]
    return texts.say(", ").join([said, *from_])


def _when(state: Negotiation, time: PossibleTime, texts: Texts) -> str:
    return escaped(when_words(time.when, texts, asked_on(state)))


def _found(state: Negotiation, version: int) -> FoundTimes | None:
    known = state.times.get(version)
    return known.found if known else None


def other_times_button(state: Negotiation, shown: Round, texts: Texts) -> list[Block]:
    """A button that shows at which other times it could be; nothing where there is no other."""
    known = state.times.get(shown.version)
    found = known.found if known else None
    then = known.then.when if known and known.then else When()
    times = (each.when for each in (*found.times, *found.nearest)) if found else ()
    if all((each.first, each.start) == (then.first, then.start) for each in times):
        return []
    button = VersionsButton(stream=state.channel_id, version=shown.version)
    return [blocks.button(texts.say("Other times…"), OTHER_TIMES, button.value())]


def times_modal(state: Negotiation, version: int, texts: Texts, *, reader: str, own: Collection[str]) -> dict[str, Any]:
    """
    Args:
        reader: the user who is shown it, and nobody else is.
        own: agent ids of the seats that they may vote for.

    Raises:
        LookupError: no times were looked for.
    """
    found = _found(state, version)
    if found is None:
        raise LookupError(f"No times were looked for with version {version}.")
    intro = (
        texts.say("No time fits everybody who has to be there. These are the nearest.")
        if found.nearest
        else texts.say("At these times everybody can who has to be there, as far as it is known. The best is first.")
    )
    said = [blocks.section(intro)]
    for each in (*found.times, *found.nearest):
        said += _row(state, version, each, texts, reader=reader, own=own)
    if found.unsaid:
        said.append(
            blocks.context(
                texts.count(
                    "Of {n} person nothing is known; they are taken to be free.",
                    "Of {n} people nothing is known; they are taken to be free.",
                    found.unsaid,
                )
            )
        )
    return modal(texts.say("Other times"), said, texts)


def _row(
    state: Negotiation,
    version: int,
    time: PossibleTime,
    texts: Texts,
    *,
    reader: str,
    own: Collection[str],
) -> Iterator[Block]:
    lines = [texts.say("*{when}*: {can}", when=_when(state, time, texts), can=can_words(time, texts))]
    if reader == state.requester_id and time.cannot:
        fit = Fit()
        if time.blocking:
            names = [_name(state, each, fit) for each in time.blocking[:MOST_NAMES]]
            lines.append(texts.say("Has to be there and cannot: {names}", names=texts.listed(names)))
        names = [_name(state, each, fit) for each in time.cannot if each not in time.blocking][:MOST_NAMES]
        if names:
            lines.append(texts.say("Cannot then: {names}", names=texts.listed(names)))
    elif own:
        is_free = not {*own}.intersection(time.cannot)
        lines.append(texts.say("You can then.") if is_free else texts.say("You cannot then."))
    yield blocks.section("\n".join(lines))
    current = state.current
    if current is not None and current.version == version and (own or reader == state.requester_id):
        agent_id = "" if reader == state.requester_id else min(own)
        about: dict[str, Any] = {
            "round": current.number,
            "digest": current.digest,
            "agent_id": agent_id,
            "key": key_of(time.when),
        }
        yield blocks.actions(action_button(TAKE_TIME, state.channel_id, texts, **about))


def in_the_way(state: Negotiation, nearest: Iterable[PossibleTime], texts: Texts) -> list[str]:
    """A line for each of the nearest times, with who cannot then who has to be there; for whoever asked alone."""
    fit = Fit()
    return [
        texts.say(
            "• *{when}*: {names}",
            when=_when(state, each, texts),
            names=texts.listed([_name(state, who, fit) for who in (each.blocking or each.cannot)[:MOST_NAMES]]),
        )
        for each in nearest
    ]


def _name(state: Negotiation, agent_id: str, fit: Fit) -> str:
    known = state.known_person(agent_id)
    return bold_name(known.display_name if known else "", agent_id, fit)


def cannot_then(state: Negotiation, version: int, agent_id: str) -> bool:
    """Whether somebody cannot when a version takes place, as they are told of themselves."""
    found = state.times.get(version)
    return found is not None and found.then is not None and agent_id in found.then.cannot
