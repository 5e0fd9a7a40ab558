"""The negotiation's chapter on the page of one story."""

from collections.abc import Iterable, Sequence

from bot.texts import Texts
from bot.views.kit.mrkdwn import UNLIMITED, Fit, mention, plain_title
from bot.views.kit.story.model import Cards, Chapter, Facts, Part, Reading, Section, Told, Words
from bot.views.negotiation.agreement.decision_record import Wording
from bot.views.negotiation.agreement.decision_record import parts as record_parts
from bot.views.negotiation.agreement.outcome import parts as compromise_parts
from bot.views.negotiation.descriptions import DESCRIPTIONS, NegotiationNarration
from bot.views.negotiation.names import mention_or_name, requester
from bot.views.negotiation.offers.offers import whole_answer
from bot.views.negotiation.root import current_plan, facts_line, since_and_until, status_line
from bot.views.negotiation.story.as_seen import as_seen, is_open_thread
from bot.views.negotiation.story.planned import promised, schedule, versions
from bot.views.negotiation.story.standings import needed, standings
from engine.negotiation.answers import Compromise
from engine.negotiation.public.build import decision_record
from engine.negotiation.state import Negotiation, Status

LONGEST_TITLE = 300


class NegotiationStory:
    """A `StoryPart` (bot/views/kit/story/model.py)."""

    def may_read(self, state: Negotiation, user: str) -> bool:
        return is_open_thread(state) or takes_part(state, user)

    def takes_part(self, state: Negotiation, user: str) -> bool:
        return takes_part(state, user)

    def comes_from(self, state: Negotiation) -> str:
        return ""

    def follows(self, stream: str) -> str:
        return ""

    def chapter(self, state: Negotiation, happened: Sequence[Told], reading: Reading) -> Chapter:
        texts, fit = reading.texts, Fit(UNLIMITED)
        seen = as_seen(state, reading.user, texts)
        sections = (
            Section("plan", texts.say("The plan as it stands"), _plan(seen, texts, fit)),
            Section("promised", texts.say("What was promised"), promised(seen, texts, fit)),
            Section("schedule", texts.say("When"), schedule(seen, texts)),
            Section("needs", texts.say("What is needed"), needed(seen, texts, fit)),
            Section("standings", texts.say("Who stands where"), standings(state, seen, reading, fit)),
            Section("versions", texts.say("Versions of the plan"), versions(seen, texts, fit)),
            Section("people", texts.say("Who was asked"), _people(seen, texts)),
            Section("compromise", texts.say("What would still be possible"), _compromise(seen, texts, fit)),
            Section("record", texts.say("Why it came to this"), _record(seen, texts, fit)),
        )
        people = {**state.joined, **state.invited}.values()
        return Chapter(
            title=plain_title(seen.demand_text, LONGEST_TITLE) or "…",
            status=status_line(seen, texts, fit),
            sections=sections,
            timeline=NegotiationNarration(seen, texts, fit).timeline(DESCRIPTIONS.by_type, happened),
            names={each.user_id: each.display_name for each in people if each.user_id and each.display_name},
            is_live=state.is_open or state.is_searching,
            language=state.language,
        )


def takes_part(state: Negotiation, user: str) -> bool:
    """Whether a user asked for it, was found to fit, or decides for a seat."""
    if user == state.requester_id or any(user == each.user_id for each in state.joined.values()):
        return True
    return any(user in state.actors_for(agent_id) for agent_id in state.invited)


def _plan(state: Negotiation, texts: Texts, fit: Fit) -> list[Part]:
    proposal = state.final.final_proposal if state.final else state.proposal
    facts = Facts(
        [
            (texts.say("Asked for"), _in_full(state, fit)),
            (texts.say("By"), requester(state, fit)),
            (texts.say("Since"), since_and_until(state, texts)),
            (texts.say("Known"), facts_line(state, texts, fit)),
        ]
    )
    summary = fit.text(proposal.summary, UNLIMITED) if proposal else ""
    return [facts, *([Words(summary)] if summary else []), Cards(current_plan(state, texts, fit))]


def _in_full(state: Negotiation, fit: Fit) -> str:
    """The demand, where the title of the page does not say all of it."""
    whole = fit.text(state.demand_text, UNLIMITED)
    return whole if len(plain_title(state.demand_text, UNLIMITED)) > LONGEST_TITLE or "\n" in whole else ""


def _people(state: Negotiation, texts: Texts) -> list[Part]:
    return [Words(whole_answer(state, each, texts)) for each in state.invited.values()]


def _compromise(state: Negotiation, texts: Texts, fit: Fit) -> list[Part]:
    said: Compromise | None = state.compromise.compromise if state.compromise else None
    if said is None or not said.summary:
        return []
    found = compromise_parts(said, texts, lambda each: fit.line(each, UNLIMITED))
    return [Words(fit.text(said.summary, UNLIMITED)), *_listed(found)]


def _record(state: Negotiation, texts: Texts, fit: Fit) -> list[Part]:
    """The decision record, once there is something to be decided about."""
    if state.proposal is None and state.status is not Status.FAILED:
        return []

    def name_of(anybody: str) -> str:
        known = state.known_person(anybody)
        return mention_or_name(state, anybody, fit) if known else mention(anybody) or fit.line(anybody, 48)

    wording = Wording(texts, name_of, lambda each: fit.line(each, UNLIMITED))
    return _listed(record_parts(decision_record(state), wording))


def _listed(parts: Iterable[tuple[str, Sequence[str]]]) -> list[Part]:
    return [
        Words("\n".join([title, *(each if each.startswith("• ") else f"• {each}" for each in lines)]))
        for title, lines in parts
    ]
