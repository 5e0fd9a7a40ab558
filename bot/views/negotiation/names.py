"""How people, days, answers and the demand are named wherever they are shown, and what direct messages share."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Final, TypeVar

from msgspec.structs import replace

from bot.texts import Texts
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.data_words import day_words, when_words
from bot.views.kit.fit import Card
from bot.views.kit.mrkdwn import Fit, bold, channel_link, escaped, mention, web_link
from bot.views.kit.post import Post
from engine.facts.asked import local_day
from engine.facts.circumstances import When
from engine.kernel import Millis
from engine.negotiation.answers import Circumstances, Milestone, OfferDecision
from engine.negotiation.events import Agreed
from engine.negotiation.plan.parts import iso_day
from engine.negotiation.state import Negotiation
from engine.negotiation.terms import Person, Proposal

SOON: Final = 120
"""Seconds after which another message counts as following at once."""

LONGEST_NAME = 48


def bold_name(display_name: str, agent_id: str, fit: Fit) -> str:
    """A name in bold, which notifies nobody."""
    name = fit.line(display_name, LONGEST_NAME) or fit.line(agent_id, LONGEST_NAME)
    return bold(name) or "?"


def mention_or_name(state: Negotiation, agent_id: str, fit: Fit, display_name: str = "") -> str:
    """A mention of a linked person, the name of anybody else."""
    if agent_id and agent_id == state.requester_id:
        return requester(state, fit)
    asked = state.known_person(agent_id) or Person(agent_id=agent_id, display_name=display_name)
    return mention(asked.user_id) or bold_name(display_name or asked.display_name, agent_id, fit)


def name_in_thread(state: Negotiation, agent_id: str, fit: Fit, display_name: str = "") -> str:
    """A name, which notifies nobody, since whoever has to do something gets a direct message; a mention of a linked
    person whom no direct message reaches.
    """
    if agent_id and agent_id == state.requester_id:
        return requester(state, fit)
    seat = state.rounds[-1].seats.get(agent_id) if state.rounds else None
    if seat is not None and seat.unreachable:
        return mention_or_name(state, agent_id, fit, display_name)
    if not display_name and (asked := state.known_person(agent_id)) is not None:
        display_name = asked.display_name
    return bold_name(display_name, agent_id, fit)


def requester(state: Negotiation, fit: Fit) -> str:
    return mention(state.requester_id) or fit.line(state.requester_id, LONGEST_NAME) or "?"


def who_stopped(state: Negotiation, fit: Fit) -> str:
    return mention(state.cancelled_by) or fit.line(state.cancelled_by, LONGEST_NAME) or "?"


def join_names(names: Sequence[str], texts: Texts, total: int = 0) -> str:
    """``total``: how many there are, where not all of them are named."""
    # Translators: between the names of a list.
    joined, more = texts.say(", ").join(names), total - len(names)
    return texts.say("{names} and {n} more", names=joined, n=more) if more > 0 else joined


def direct_message(
    state: Negotiation,
    key: str,
    user_id: str,
    text: str,
    texts: Texts,
    card: Card | None = None,
    *,
    thread: str = "",
    restored: bool = False,
    is_late: bool = False,
    until: Millis = 0,
    is_step: bool = False,
    reminds: tuple[str, Millis] | None = None,
    in_digest: bool = False,
) -> Post:
    """``thread``: its address, for the card that leads to it where none is given."""
    return Post.from_card(
        key,
        text,
        card or (lambda _: [blocks.section(text), *thread_link(state, texts, thread)]),
        stream=state.channel_id,
        texts=texts,
        to=user_id,
        restored=restored,
        is_late=is_late,
        until=until,
        is_step=is_step,
        reminds=reminds,
        in_digest=in_digest,
    )


def thread_link(state: Negotiation, texts: Texts, thread: str) -> list[Block]:
    """``thread``: its address; empty where it is not known."""
    place = channel_link(state.place.channel)
    if not place:
        return []
    if not thread:
        return [blocks.context(texts.say("Its thread is in {channel}.", channel=place))]
    link = web_link(thread, texts.say("the thread"))
    return [blocks.context(texts.say("Everything about it is in {thread} in {channel}.", thread=link, channel=place))]


def demand_line(state: Negotiation, fit: Fit) -> str:
    return fit.line(state.demand_text, 120)


def step_names(texts: Texts) -> Mapping[str, str]:
    """Return the name of each step that concerns everybody, by its prompt."""
    return {
        "understand": texts.say("reading the demand"),
        "filter": texts.say("choosing whom to ask"),
        "aggregate": texts.say("weaving the proposal"),
        "adjust": texts.say("adjusting the proposal"),
        "verify": texts.say("looking at the plan once more"),
        "read_request": texts.say("reading a wish"),
        "gaps": texts.say("looking for what the plan lacks"),
        "recurse": texts.say("deciding whether others are asked for it"),
        "compromise": texts.say("looking for a way out"),
    }


def decision_label(decision: OfferDecision, texts: Texts) -> str:
    match decision:
        case OfferDecision.PARTICIPATE:
            return texts.say("Takes part")
        case OfferDecision.CONDITIONAL:
            return texts.say("Takes part on conditions")
        case OfferDecision.DECLINE:
            return texts.say("Cannot this time")


ISO: Final = len("2027-05-03")


def asked_on(state: Negotiation) -> str:
    """The ISO date on which the demand was asked, where that was; days of its year are shown without the year."""
    return local_day(state.asked_at, state.time_zone) if state.asked_at else ""


def day_of(step: Milestone) -> date | None:
    """The day of a step, which its words may begin with; None where the plan leaves it open, or says it otherwise."""
    return iso_day(step.day) or _first_day(step.date)


def _first_day(said: str) -> date | None:
    head, rest = said.strip()[:ISO], said.strip()[ISO:]
    return iso_day(head) if not rest[:1].isalnum() else None


def day_text(day: str, texts: Texts, today: str = "") -> str:
    """An ISO date, ready for mrkdwn."""
    return escaped(day_words(day, texts, today)) if iso_day(day) else ""


def when_text(when: When, texts: Texts, today: str = "") -> str:
    """A time in one line, ready for mrkdwn: its days and hours where they are known, else the words that were said."""
    return escaped(when_words(when, texts, today))


def asked_time(said: Circumstances, texts: Texts, today: str = "") -> str:
    """When a demand is to take place and by when it is to be done, in plain text: its words, and the day of a deadline,
    which takes the place of the words where they name no time but that.
    """
    words = " ".join((said.date or "").split())  # whoever shows it cuts it
    if not said.deadline:
        return words
    deadline = texts.say("by {day}", day=day_words(said.deadline, texts, today))
    has_time = said.when.first or said.when.start
    return texts.say(", ").join(filter(None, (words if has_time else "", deadline)))


def start_text(said: str, texts: Texts, fit: Fit, today: str = "") -> str:
    """When a plan starts, ready for mrkdwn."""
    day = iso_day(said)
    return escaped(day_words(day.isoformat(), texts, today)) if day else fit.line(said, 80)


def step_text(step: Milestone, texts: Texts, fit: Fit, today: str = "") -> str:
    """When a step is due, ready for mrkdwn."""
    day = iso_day(step.day) or iso_day(step.date)
    return escaped(day_words(day.isoformat(), texts, today)) if day else fit.line(step.date, 60)


Agreement = TypeVar("Agreement", bound=Agreed)


def with_marks(state: Negotiation, texts: Texts) -> Negotiation:
    """Return the negotiation with a mark where the demand and the plans were; as it is, where nothing was erased."""
    if not state.is_erased:
        return state
    mark = texts.say("(erased)")

    def marked(proposal: Proposal) -> Proposal:
        return proposal if proposal.summary else replace(proposal, summary=mark)

    def agreed(agreement: Agreement | None) -> Agreement | None:
        return agreement and replace(agreement, final_proposal=marked(agreement.final_proposal))

    understood = state.understanding
    if understood is not None and not understood.surface_demand:
        understood = replace(understood, surface_demand=mark)
    return replace(
        state,
        raw_input=state.raw_input or mark,
        understanding=understood,
        proposals=tuple(map(marked, state.proposals)),
        agreed=agreed(state.agreed),
        final=agreed(state.final),
    )
