"""Shows the decision record: as a modal, and as plain text for a terminal."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final

from bot.texts import Texts
from bot.views.kit import blocks
from bot.views.kit.modals import modal
from bot.views.kit.mrkdwn import UNLIMITED, Fit, mention, plain_line
from bot.views.negotiation.names import decision_label, mention_or_name, step_names
from bot.views.negotiation.plan.marks import clash_lines, need_line
from bot.views.negotiation.voting.votes import LOOKS
from engine.errors import BudgetSpent, InvalidAnswer
from engine.llm.port import OFFLINE
from engine.llm.spending import Spending
from engine.negotiation.agreement.endings import Hand
from engine.negotiation.answers import OfferDecision
from engine.negotiation.public.build import decision_record
from engine.negotiation.public.models import (
    DecisionRecord,
    Person,
    RequesterDecision,
    Round,
    Vote,
    Wish,
    WishStatus,
)
from engine.negotiation.state import Negotiation
from engine.negotiation.terms import MissingChoice

MOST_LINES: Final = 30
"""Of each part, in the modal. The record over HTTP and in the terminal has all."""
LONGEST_LINE: Final = 240
"""Characters of what somebody wrote, in the modal."""

MOST_BLOCKS: Final = 100
"""Slack's limit of a modal."""

Part = tuple[str, Sequence[str]]
"""A bold title, and the lines below it."""


class Wording:
    """How names and people's words are written where the record is shown."""

    def __init__(self, texts: Texts, name_of: Callable[[str], str], line: Callable[[str], str]) -> None:
        self.texts, self.line, self._name_of = texts, line, name_of

    def name_of(self, anybody: str) -> str:
        return self._name_of(anybody) or "?"

    def is_known(self, anybody: str) -> bool:
        return bool(self._name_of(anybody))

    def detailed(self, what: str, detail: str) -> str:
        return self.texts.say("{what}: {detail}", what=what, detail=detail) if detail else what


def why_this_plan(state: Negotiation, texts: Texts, spent: Spending | None = None) -> dict[str, Any]:
    """A modal that changes nothing.

    Args:
        spent: on models; None where the reader is not told, as it is for whoever asked and for admins.
    """
    fit = Fit()

    def name_of(each: str) -> str:
        return mention_or_name(state, each, fit) if state.known_person(each) else mention(each) or fit.line(each, 48)

    wording = Wording(texts, name_of, lambda each: fit.line(each, LONGEST_LINE))
    shown = [
        block
        for title, lines in parts(decision_record(state), wording)
        for block in blocks.titled_list(title, fit.first(lines, MOST_LINES))
    ]
    cost = blocks.titled_list(texts.say("*What the models have cost*"), [_cost(spent, texts)]) if spent else []
    return modal(texts.say("Why this plan"), [*shown[: MOST_BLOCKS - len(cost)], *cost], texts)


def as_text(state: Negotiation, texts: Texts) -> str:
    """The whole record, for a terminal."""
    record = decision_record(state)

    def name_of(each: str) -> str:
        known = state.known_person(each)
        return _line(known.display_name if known else "") or _line(each)

    wording = Wording(texts, name_of, _line)
    shown = [[title.replace("*", ""), *(f"  {each}" for each in lines)] for title, lines in parts(record, wording)]
    return "\n\n".join("\n".join(lines) for lines in shown)


def _cost(spent: Spending, texts: Texts) -> str:
    if not spent.calls:
        return texts.say("Nothing: no model was asked.")
    told = texts.count("{n} call, {price}", "{n} calls, {price}", spent.calls, price=_price(spent, texts))
    share = texts.say("{share}% of what was sent was read from the cache", share=round(100 * spent.cache_share))
    return f"{told} · {share}"


def _price(spent: Spending, texts: Texts) -> str:
    if spent.unpriced == spent.calls:
        return texts.say("at a price that is not known here")
    usd = f"US$ {spent.usd:.4f}"
    return texts.say("{usd} and what is not known here", usd=usd) if spent.unpriced else usd


def _line(text: str) -> str:
    return plain_line(text, UNLIMITED)


def parts(record: DecisionRecord, wording: Wording) -> Iterator[Part]:
    """Yield what there is to say, part by part."""
    texts = wording.texts
    everything = (
        (texts.say("*What was asked*"), _asked(record, wording)),
        (texts.say("*What is needed*"), _needs(record, wording)),
        (texts.say("*Which version*"), _version(record, wording)),
        (texts.say("*Who decided, and by whose hand*"), _deciders(record, wording)),
        (texts.say("*Conditions and wishes*"), _wishes(record, wording)),
        (texts.say("*What the plan lacks*"), _lacks(record, wording)),
        (texts.say("*Taken twice*"), clash_lines(record.clashes, texts, wording.name_of, wording.line)),
        (texts.say("*Who did not agree*"), _disagreed(record, wording)),
        (texts.say("*Who is not in it*"), _others(record, wording)),
        (texts.say("*What did not work*"), _troubles(record, wording)),
    )
    for title, lines in everything:
        if shown := [each for each in lines if each]:
            yield title, shown


def _asked(record: DecisionRecord, wording: Wording) -> Iterator[str]:
    texts = wording.texts
    yield wording.line(record.surface_demand)
    if wording.is_known(record.requester_id):
        yield texts.say("Asked by {who}", who=wording.name_of(record.requester_id))
    for question in record.questions:
        asked = wording.line(question.question) or texts.say("who could help, since nobody seemed to fit")
        yield texts.say("Asked back first: {question}", question=asked)
    for decision in record.decisions:
        if decision.about == "repeated":
            yield _sent_twice(decision, wording)
            continue
        what = texts.say(", ").join(map(wording.line, decision.needs))
        if decision.choice is MissingChoice.LOOK_WIDER:
            yield texts.say("Nobody covered {what}; others were looked for.", what=what)
        elif decision.choice is MissingChoice.GO_ON and decision.by:
            who = wording.name_of(decision.by)
            yield texts.say("Nobody covered {what}; {who} went on without.", what=what, who=who)
        else:
            yield texts.say("Nobody covered {what}, and nobody decided otherwise.", what=what)


def _sent_twice(decision: RequesterDecision, wording: Wording) -> str:
    texts, who = wording.texts, wording.name_of(decision.by) if decision.by else ""
    if decision.choice is MissingChoice.SEND_AGAIN:
        return texts.say("Too few had answered the same version twice; {who} had it sent again.", who=who)
    if who:
        return texts.say("Too few had answered the same version twice; {who} kept it.", who=who)
    return texts.say("Too few had answered the same version twice, and nobody decided otherwise.")


def _needs(record: DecisionRecord, wording: Wording) -> Iterator[str]:
    for each in record.needs:
        yield need_line(each, wording.line(each.what), wording.name_of, wording.texts)


def _version(record: DecisionRecord, wording: Wording) -> Iterator[str]:
    texts = wording.texts
    if record.version is None:
        return
    yield texts.say("Version {version} of {all}", version=record.version, all=record.versions)
    if record.decided_in:
        yield texts.say(
            "Decided in round {round} of {rounds}; {percent}% of those asked had to accept",
            round=record.decided_in,
            rounds=len(record.rounds),
            percent=record.accepts_needed,
        )
    if record.is_core_chosen:
        yield texts.say("{who} chose which parts are core.", who=wording.name_of(record.requester_id))
    for each in record.given_up:
        told = texts.say("{who} cannot take part any more", who=wording.name_of(each.agent_id))
        yield wording.detailed(told, each.reason)
    if record.proceeded:
        yield texts.say("{who} decided that it is carried out.", who=wording.name_of(record.proceeded.by))


def _deciders(record: DecisionRecord, wording: Wording) -> Iterator[str]:
    texts = wording.texts
    for person in record.people:
        votes = [
            _vote(voted, each, wording)
            for voted in record.rounds
            for each in voted.votes
            if each.agent_id == person.agent_id
        ]
        if votes or person.is_in_plan:
            yield wording.detailed(f"• {_seat(person, wording)}", texts.say("; ").join(votes))


def _seat(person: Person, wording: Wording) -> str:
    marks = [wording.line(person.role), wording.texts.say("⭐ core") if person.is_core else ""]
    return " · ".join(part for part in (wording.name_of(person.agent_id), *marks) if part)


def _vote(voted: Round, vote: Vote, wording: Wording) -> str:
    texts = wording.texts
    said = texts.say("round {round}: {choice}", round=voted.round, choice=_choice(vote, wording.texts))
    whose = [] if vote.hand is None else [_hand(vote.hand, texts, is_offline=vote.model == OFFLINE)]
    if vote.is_carried:
        whose.append(texts.say("as before"))
    note = texts.say(" ({whose})", whose=texts.say(", ").join(whose)) if whose else ""
    reason = wording.line(vote.reason)
    return f"{said}{note} – {reason}" if reason else f"{said}{note}"


def _choice(vote: Vote, texts: Texts) -> str:
    if vote.feedback_type is not None:
        return LOOKS[vote.feedback_type].past(texts)
    return texts.say("no answer") if vote.hand is None else texts.say("has voted, in secret")


def _hand(hand: Hand, texts: Texts, *, is_offline: bool) -> str:
    match hand:
        case Hand.TWIN if is_offline:
            return texts.say("by the twin, by simple rules")
        case Hand.TWIN:
            return texts.say("by the twin")
        case Hand.PERSON:
            return texts.say("in person")
        case Hand.DELEGATE:
            return texts.say("by the delegate")
        case Hand.REQUESTER:
            return texts.say("by whoever asked, for the twin")
        case Hand.ASSUMED:
            return texts.say("assumed: did not object in time")


def _wishes(record: DecisionRecord, wording: Wording) -> Iterator[str]:
    texts = wording.texts
    for wish in record.wishes:
        text = wording.detailed(wording.name_of(wish.agent_id), wording.line(wish.text))
        said = wording.detailed(f"{MARKS[wish.status]} {text}", "")
        became = _became(wish, texts)
        reason = wording.line(wish.reason)
        yield f"{said} – {became}" + (f" – {reason}" if reason else "")


MARKS: Final = {  # what is declined is broken by no data: words say it
    WishStatus.MET: "✓",
    WishStatus.PROMISED: "○",
    WishStatus.BROKEN: "✗",
    WishStatus.DECLINED: "○",
    WishStatus.OPEN: "○",
    WishStatus.SETTLED: "✓",
}


def _became(wish: Wish, texts: Texts) -> str:
    match wish.status:
        case WishStatus.MET:
            return texts.say("met in version {version}", version=wish.version)
        case WishStatus.PROMISED:
            return texts.say("promised; the plan cannot show it")
        case WishStatus.BROKEN:
            return texts.say("broken by version {version}", version=wish.version)
        case WishStatus.DECLINED:
            return texts.say("declined in version {version}", version=wish.version)
        case WishStatus.OPEN:
            return texts.say("still open")
        case WishStatus.SETTLED:
            return texts.say("settled otherwise")


def _lacks(record: DecisionRecord, wording: Wording) -> Iterator[str]:
    for each in record.lacks:
        what = wording.line(each.what)
        yield "• " + (wording.texts.say("{what} (essential)", what=what) if each.is_essential else what)


def _disagreed(record: DecisionRecord, wording: Wording) -> Iterator[str]:
    for each in record.disagreed:
        choice = LOOKS[each.feedback_type].past(wording.texts) if each.feedback_type else wording.texts.say("no answer")
        said = wording.detailed(f"• {wording.name_of(each.agent_id)}", choice)
        reason = wording.line(each.reason)
        yield f"{said} – {reason}" if reason else said


def _others(record: DecisionRecord, wording: Wording) -> Iterator[str]:
    """Whoever declined, and whoever offered to take part and has no seat."""
    for each in record.offers:
        if each.decision is OfferDecision.DECLINE:
            label = decision_label(each.decision, wording.texts)
            hand = _hand(each.hand, wording.texts, is_offline=each.model == OFFLINE)
            label += wording.texts.say(" ({whose})", whose=hand)
            said = wording.detailed(f"• {wording.name_of(each.agent_id)}", label)
            reason = wording.line(each.reason)
            yield f"{said} – {reason}" if reason else said
    for other in record.not_chosen:
        yield wording.detailed(f"• {wording.name_of(other.agent_id)}", wording.line(other.reason))


def _troubles(record: DecisionRecord, wording: Wording) -> Iterable[str]:
    texts = wording.texts
    for step in record.degraded:
        if step.error_code == BudgetSpent.code:
            what = wording.name_of(step.agent_id) if step.agent_id else step_names(texts).get(step.prompt, step.step)
            yield "• " + (
                texts.say("The budget for models was spent before the twin of {who} was asked.", who=what)
                if step.agent_id
                else texts.say("The budget for models was spent before {step}.", step=what)
            )
        elif step.agent_id:
            yield "• " + texts.say("The twin of {who} could not answer.", who=wording.name_of(step.agent_id))
        else:
            what = step_names(texts).get(step.prompt, step.step)
            yield "• " + (
                texts.say("What the model answered could not be read for {step}.", step=what)
                if step.error_code == InvalidAnswer.code
                else texts.say("The model was out of reach for {step}.", step=what)
            )
    if record.recoveries:
        yield "• " + texts.count("It was stuck {n} time.", "It was stuck {n} times.", len(record.recoveries))
