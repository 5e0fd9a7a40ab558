"""What people have said and a plan has to respect, one fact each, as it is handed to whatever goes on from the plan."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from engine.facts.circumstances import Money, When
from engine.facts.language import Language
from engine.facts.quoting import letters, sentences
from engine.facts.shortening import shorten
from engine.kernel import FactKind, HandedFact
from engine.negotiation.answers import Circumstances, normalized_gap
from engine.negotiation.plan.clashes import ClashTold, clashes_now
from engine.negotiation.plan.conditions import language
from engine.negotiation.plan.told_needs import decisive_round, needs_now
from engine.negotiation.public.models import Wish, WishStatus
from engine.negotiation.public.wishes import disagreed, lacks, wishes
from engine.negotiation.state import Negotiation
from engine.negotiation.terms import Assigned, Proposal

LONGEST: Final = 500
"""Characters of a fact."""
SHORTEST: Final = 12
"""Letters of a sentence that is a fact by itself; a shorter one goes with the next."""

Said = tuple[FactKind, str, str]
"""What kind of fact, in which words, and who has said it."""

_WORDS: Final[dict[str, dict[Language, str]]] = {
    "budget": {"zh": "预算：{said}", "en": "Budget: {said}"},
    "no_money": {"zh": "没有", "en": "none"},
    "per_head": {"zh": "人均{said}", "en": "{said} per person"},
    "people": {"zh": "人数：{said}", "en": "How many people: {said}"},
    "place": {"zh": "地点：{said}", "en": "Where: {said}"},
    "time": {"zh": "时间：{said}", "en": "When: {said}"},
    "agreed_time": {"zh": "方案定的时间：{said}", "en": "When, as the plan has it: {said}"},
    "extra": {"zh": "{said}（有最好，没有也行）", "en": "{said} (not essential)"},
    "unmet": {"zh": "{said}（没有满足）", "en": "{said} (not met)"},
    "unmet_because": {"zh": "{said}（没有满足：{why}）", "en": "{said} (not met: {why})"},
    "open": {"zh": "{said}（还没有答复）", "en": "{said} (not answered yet)"},
    "unconfirmed": {"zh": "{name}还没有确认参加", "en": "{name} has not confirmed"},
    "taken": {"zh": "{what}同时也在{other}的方案里：{time}", "en": "{what} is taken by {other} as well: {time}"},
}  # fmt: skip


def facts_of(state: Negotiation, plan: Proposal) -> tuple[HandedFact, ...]:
    """Return each fact once, in an order that is always the same."""
    own = language(state)
    found: dict[tuple[FactKind, str, str], HandedFact] = {}
    numbers = Counter[FactKind]()
    for kind, said, by in (
        *_asked(state, own),
        *_offered(state, plan),
        *_wished(state, plan, own),
        *_lacking(state, plan, own),
    ):
        text = shorten(" ".join(said.split()), LONGEST)
        key = (kind, normalized_gap(text), by)
        if text and key not in found:
            numbers[kind] += 1
            found[key] = HandedFact(fact_id=f"{kind}-{numbers[kind]}", kind=kind, text=text, by=by)
    return tuple(found.values())


def speaker(state: Negotiation, agent_id: str) -> str:
    """Return who speaks when somebody's twin does: the linked user, else the agent id."""
    known = state.known_person(agent_id)
    return (known.user_id if known else "") or agent_id


# ── what was asked ────────────────────────────────────────────────────────────────────────────────────────────────


def _asked(state: Negotiation, own: Language) -> Iterator[Said]:
    by = state.requester_id
    for each in needs_now(state):
        what = (
            f"{each.what} × {each.quantity}" if each.quantity > 1 and str(each.quantity) not in each.what else each.what
        )
        yield FactKind.NEED, what if each.essential else _WORDS["extra"][own].format(said=what), by
    if state.understanding is not None:
        context = state.understanding.context
        said = {"budget": _budget(context, own), "people": _people(context), "place": (context.location or "").strip()}
        for name, words in said.items():
            if words:
                yield FactKind.CONSTRAINT, _WORDS[name][own].format(said=words), by
        if words := _time(context.when, context.date or context.when.said):
            yield FactKind.DATE, _WORDS["time"][own].format(said=words), by


def _budget(context: Circumstances, own: Language) -> str:
    if said := (context.budget or "").strip():
        return said
    money = context.money
    if money.none:
        return _WORDS["no_money"][own]
    if money.per_head:
        return _WORDS["per_head"][own].format(said=_sum(money.per_head, money))
    return _sum(money.amount, money) if money.amount else ""


def _sum(amount: int, money: Money) -> str:
    return f"{amount} {money.currency}".strip()


def _people(context: Circumstances) -> str:
    least, most = context.people.at_least, context.people.at_most
    if least and most:
        return str(most) if least == most else f"{least}–{most}"
    if least or most:
        return f"≥ {least}" if least else f"≤ {most}"
    return str(context.expected_attendees or "")


def _time(when: When, said: str) -> str:
    """Return a time in the words in which it was said, with what these come to."""
    days = " – ".join(dict.fromkeys(filter(None, (when.first, when.last))))
    hours = "–".join(filter(None, (when.start, when.end)))
    plain = " ".join(filter(None, (days, hours, when.time_zone if days or hours else "")))
    said = said.strip()
    return f"{said} ({plain})" if said and plain and plain != said else said or plain


# ── what people bring, wish for and cannot do ─────────────────────────────────────────────────────────────────────


def _offered(state: Negotiation, plan: Proposal) -> Iterator[Said]:
    for seat in plan.assignments:
        by = speaker(state, seat.agent_id)
        for each in _pieces(contribution(state, seat)):
            yield FactKind.OFFER, each, by


def contribution(state: Negotiation, seat: Assigned) -> str:
    """Return what somebody brings, in their own words where the plan has them."""
    offer = state.offers.get(seat.agent_id)
    return (offer.contribution if offer else "") or seat.responsibility


def _pieces(text: str) -> Iterator[str]:
    """Each sentence by itself."""
    begun = ""
    for each in sentences(text):
        begun += each
        if len(letters(begun)) >= SHORTEST:
            yield begun.strip(" \n;；")
            begun = ""
    if letters(begun):
        yield begun.strip(" \n;；")


def _wished(state: Negotiation, plan: Proposal, own: Language) -> Iterator[Said]:
    seated = {each.agent_id for each in plan.assignments}
    made = [each for each in wishes(state, plan) if each.kind == "change" or each.agent_id in seated]
    for each in made:
        if each.kind == "condition":
            yield FactKind.CONDITION, _answered(each, own), speaker(state, each.agent_id)
    named = {(each.agent_id, normalized_gap(each.text)) for each in made}
    for dissent in disagreed(state, decisive_round(state)):
        is_wish = (dissent.agent_id, normalized_gap(dissent.reason)) in named
        if dissent.agent_id in seated and not is_wish:
            yield FactKind.LIMIT, dissent.reason, speaker(state, dissent.agent_id)
    for clash in clashes_now(state):
        if not clash.agent_id or clash.agent_id in seated:
            yield FactKind.LIMIT, _clash(state, clash, own), ""
    conditions = {(each.agent_id, normalized_gap(each.text)) for each in made if each.kind == "condition"}
    for each in made:
        is_told = (each.agent_id, normalized_gap(each.text)) in conditions
        if each.kind != "condition" and each.status is not WishStatus.SETTLED and not is_told:
            by = each.agent_id if each.kind == "change" else speaker(state, each.agent_id)
            yield FactKind.REQUEST, _answered(each, own), by


def _answered(wish: Wish, own: Language) -> str:
    """Return a wish with what the plan says of it, where that is no."""
    words: Mapping[WishStatus, str] = {
        WishStatus.BROKEN: "unmet",
        WishStatus.DECLINED: "unmet",
        WishStatus.OPEN: "unmet" if wish.reason else "open",
    }
    name = words.get(wish.status)
    if name is None or not wish.text.strip():
        return wish.text
    name = f"{name}_because" if name == "unmet" and wish.reason.strip() else name
    return _WORDS[name][own].format(said=wish.text.strip(), why=wish.reason.strip())


def _clash(state: Negotiation, clash: ClashTold, own: Language) -> str:
    time = _time(When(first=clash.first, last=clash.last, start=clash.start, end=clash.end), "")
    what = state.name_of(clash.agent_id) if clash.agent_id else clash.room
    return _WORDS["taken"][own].format(what=what, other=clash.demand_id, time=time)


# ── what is missing ───────────────────────────────────────────────────────────────────────────────────────────────


def _lacking(state: Negotiation, plan: Proposal, own: Language) -> Iterator[Said]:
    for each in lacks(state, plan):
        yield FactKind.GAP, each.what, ""
    found = {normalized_gap(each.triggered.gap_type) for each in state.subnets.values() if each.completed}
    for gap in state.gaps.gaps if state.gaps else ():
        if normalized_gap(gap.gap_type) not in found:
            yield FactKind.GAP, gap.gap_type, ""
    confirmed = state.final.confirmed_participants if state.final else ()
    for seat in plan.assignments:
        if seat.agent_id not in confirmed:
            yield FactKind.GAP, _WORDS["unconfirmed"][own].format(name=state.name_of(seat.agent_id)), ""
