"""Lines about what the demand needs: who covers each need, who of them has accepted, and what is missing."""

from collections.abc import Callable, Sequence

from bot.texts import Texts
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.fit import UNLIMITED, Fit
from bot.views.negotiation.names import join_names, name_in_thread
from bot.views.negotiation.plan.marks import NO_MARKS, Marks, compared_lines
from engine.negotiation.plan.told_needs import NOT_COVERED, NeedStatus, NeedTold, lacking, needs_in_round, needs_now
from engine.negotiation.search.substitutes import vacant_seat
from engine.negotiation.state import Negotiation, Round

MOST_NAMES = 2
"""Of those who cover one need, on a card: the plan says anyway what everybody brings."""

UNCOVERED = {NeedStatus.OPEN: "▫️", NeedStatus.MISSING: "❌", NeedStatus.PARTLY: "❌"}


def sign_of(need: NeedTold, marks: Marks) -> str:
    """What a line about a need begins with: how sure it is that it is covered; that somebody has accepted makes a claim
    no surer.
    """
    if need.status in UNCOVERED:
        return UNCOVERED[need.status]
    counted = need.accepted if need.status is NeedStatus.ACCEPTED else need.covered_by
    return marks.covered(need.need_id, counted, need.wanted) or "▫️"


def short_line(state: Negotiation, texts: Texts, fit: Fit) -> str:
    """Return one line for the demand's own card; empty where the needs are not known."""
    needs = needs_now(state)
    shown = [_short(each, NO_MARKS, texts, fit) for each in fit.first(needs, 10)]
    return texts.say("Needed: {needs}", needs="   ".join(shown)) if shown else ""


def missing_now(state: Negotiation, texts: Texts, fit: Fit) -> list[str]:
    """Return what is needed and not covered, or by too few."""
    missing = [each for each in needs_now(state) if each.status in NOT_COVERED]
    return [
        f"{fit.line(each.what, 80)} ({_count(each, texts)})"
        if each.status is NeedStatus.PARTLY
        else fit.line(each.what, 80)
        for each in fit.first(missing, 6)
    ]


def _short(need: NeedTold, marks: Marks, texts: Texts, fit: Fit) -> str:
    what = f"{sign_of(need, marks)} {fit.line(need.what, 60)}"
    if need.status is NeedStatus.MISSING:
        return texts.say("{what} (missing)", what=what)
    return f"{what} ({_count(need, texts)})" if need.wanted > 1 and need.status is not NeedStatus.OPEN else what


def _count(need: NeedTold, texts: Texts) -> str:
    return texts.say("{count} of {wanted}", count=need.count, wanted=need.wanted)


def in_round(state: Negotiation, voted: Round, texts: Texts, fit: Fit) -> list[Block]:
    return _card(state, needs_in_round(state, voted), Marks.of(state, state.proposals[voted.version - 1]), texts, fit)


def in_plan(state: Negotiation, texts: Texts, fit: Fit) -> list[Block]:
    """What is covered in an agreed plan and by whom, in small print: the plan tells above what everybody brings, and
    `lacks` what is not covered.
    """
    lacked = lacking(state)
    told = [each for each in needs_now(state) if each not in lacked]
    covered = [each for each in told if each.covered_by]
    if not covered or fit.only_whole():
        return _card(state, told, _marks(state), texts, fit)
    lines, marks = [], _marks(state)
    for each in fit.first(covered, 10):
        names = [
            _with_sign(name_in_thread(state, agent_id, fit), marks, each, agent_id)
            for agent_id in each.covered_by[:MOST_NAMES]
        ]
        who = join_names(names, texts, len(each.covered_by))
        lines.append(texts.say("{what}: {detail}", what=_short(each, marks, texts, fit), detail=who))
    lines += compared_lines(state, marks, texts, lambda agent_id: name_in_thread(state, agent_id, fit))
    return [blocks.context("\n".join(lines))]


def signs(state: Negotiation) -> list[str]:
    """The sign of each need that is covered in an agreed plan."""
    lacked, marks = lacking(state), _marks(state)
    return [sign_of(each, marks) for each in needs_now(state) if each.covered_by and each not in lacked]


def _marks(state: Negotiation) -> Marks:
    """The marks of an agreed plan."""
    return Marks.of(state, state.final.final_proposal) if state.final else NO_MARKS


def _card(state: Negotiation, needs: Sequence[NeedTold], marks: Marks, texts: Texts, fit: Fit) -> list[Block]:
    def named(agent_id: str) -> str:
        return name_in_thread(state, agent_id, fit)

    lines = [
        need_line(each, fit.line(each.what, 160), named, texts, UNLIMITED if fit.is_whole else MOST_NAMES, marks)
        for each in fit.first(needs, 10)
    ]
    return blocks.titled_list(texts.say("*What is needed*"), lines)


def need_line(
    need: NeedTold,
    what: str,
    name_of: Callable[[str], str],
    texts: Texts,
    most: int = UNLIMITED,
    marks: Marks = NO_MARKS,
) -> str:
    """
    Args:
        what: the need in its own words, escaped for where the line stands.
        name_of: agent id -> the name, escaped as well.
        most: how many of those who cover it are named.
        marks: of the version; a sign stands beside each name.
    """
    number = f"{what} × {need.quantity}" if need.quantity > 1 else what
    head = f"{sign_of(need, marks)} " + (texts.say("{what} (essential)", what=number) if need.essential else number)
    if need.status is NeedStatus.OPEN:
        return head
    if need.status is NeedStatus.MISSING:
        return texts.say("{what}: {detail}", what=head, detail=texts.say("missing; nobody covers it"))
    shown = need.covered_by[:most]
    signed = {each: _with_sign(name_of(each), marks, need, each) for each in shown}
    names = [_accepting(name, texts) if each in need.accepted else name for each, name in signed.items()]
    joined = join_names(names, texts, len(need.covered_by))
    told = texts.say("{names} – {count}", names=joined, count=_count(need, texts)) if need.wanted > 1 else joined
    return texts.say("{what}: {detail}", what=head, detail=told)


def _with_sign(name: str, marks: Marks, need: NeedTold, agent_id: str) -> str:
    """A name, and how sure it is that they cover the need, where that differs from what the line begins with."""
    sign = marks.sign("need", agent_id, need_id=need.need_id)
    return f"{name} {sign}" if sign and sign != sign_of(need, marks) else name


def _accepting(name: str, texts: Texts) -> str:
    return texts.say("{who} (accepts)", who=name)


def asked_for(state: Negotiation, agent_id: str, texts: Texts, line: Callable[[str], str]) -> str:
    """Return what somebody is asked for, in one line; empty where it is the demand as a whole."""
    seat = vacant_seat(state, agent_id)
    if seat is None:
        return ""
    wanted = [each.what for each in seat.needs] or [seat.role]
    return texts.say(", ").join(line(each) for each in dict.fromkeys(wanted) if each)


def lacks(state: Negotiation, texts: Texts, line: Callable[[str], str]) -> str:
    """Return what is essential and not covered, or by too few, of those who have agreed to the plan, in one line; empty
    where nothing is.
    """

    def told(each: NeedTold) -> str:
        return f"{line(each.what)} ({_count(each, texts)})" if each.status is NeedStatus.PARTLY else line(each.what)

    return texts.say(", ").join(map(told, lacking(state)))
