"""Lines about people and rooms that another plan takes at the same time. They are a risk that is said, and no more."""

from collections.abc import Callable, Iterable

from bot.texts import Texts
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.fit import Fit
from bot.views.negotiation.names import bold_name, name_in_thread
from engine.negotiation.plan.told_clashes import ClashTold, clashes_now, has_more
from engine.negotiation.state import Negotiation

MARK = "⚠️"


def short_line(state: Negotiation, texts: Texts, fit: Fit) -> str:
    """Return one line for the demand's own card, which notifies nobody; empty where nothing is taken twice."""
    taken = dict.fromkeys(_unnotified(state, each, fit) for each in clashes_now(state))
    names = texts.say(", ").join(fit.first([*taken], 6))
    return texts.say("{mark} Also in another plan at that time: {names}", mark=MARK, names=names) if names else ""


def _unnotified(state: Negotiation, clash: ClashTold, fit: Fit) -> str:
    if not clash.agent_id:
        return fit.line(clash.room, 60)
    known = state.known_person(clash.agent_id)
    return bold_name(known.display_name if known else "", clash.agent_id, fit)


def in_plan(state: Negotiation, texts: Texts, fit: Fit) -> list[Block]:
    """Return the part of a plan's card."""

    def named(agent_id: str) -> str:
        return name_in_thread(state, agent_id, fit)

    told = clash_lines(clashes_now(state), texts, named, lambda each: fit.line(each, 60))
    more = [texts.say("and more")] if has_more(state) else []
    return blocks.titled_list(texts.say("*Taken twice*"), [*fit.first(told, 12), *more])


def own_lines(clashes: Iterable[ClashTold], texts: Texts) -> list[str]:
    """Return what somebody is told about themselves."""
    return clash_lines(clashes, texts, lambda _: texts.say("You"), str)


def clash_lines(
    clashes: Iterable[ClashTold], texts: Texts, name_of: Callable[[str], str], line: Callable[[str], str]
) -> list[str]:
    """
    Args:
        name_of: agent id -> the name, escaped for where the line stands.
        line: escapes a room's name likewise.
    """
    return [
        f"{MARK} {_text(each, name_of(each.agent_id) if each.agent_id else line(each.room), texts)}" for each in clashes
    ]


def _text(clash: ClashTold, who: str, texts: Texts) -> str:
    fields = {"who": who, "demand": clash.demand_id, "day": _days(clash, texts)}
    if clash.start:
        hours, others = _hours(clash.start, clash.end), _hours(clash.other_start, clash.other_end)
        return texts.say(
            "{who}: also in {demand} on {day}, {others} (here {hours})", hours=hours, others=others, **fields
        )
    return texts.say("{who}: also in {demand} on {day}; the hours are not settled", **fields)


def _days(clash: ClashTold, texts: Texts) -> str:
    if clash.first == clash.last:
        return clash.first
    return texts.say("{first} to {last}", first=clash.first, last=clash.last)


def _hours(start: str, end: str) -> str:
    return f"{start}–{end}" if end else start
