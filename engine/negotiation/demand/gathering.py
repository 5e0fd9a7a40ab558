"""From the demand to the invitations: it is understood, people are shortlisted, and they are asked for `offers`."""

from collections.abc import Iterable
from typing import Final

from engine.errors import IllegalStep
from engine.facts.shortening import without_surrogates
from engine.kernel import Millis, later
from engine.negotiation.answers import Candidate, Understanding
from engine.negotiation.commands import (
    EditDemand,
    RecordEarlyShortlist,
    RecordShortlist,
    RecordUnderstanding,
    SubmitDemand,
)
from engine.negotiation.demand import clarification
from engine.negotiation.drafting import NegotiationDraft
from engine.negotiation.errors import InvalidDemand, ProposalOut
from engine.negotiation.events import (
    ChannelCreated,
    DemandBroadcast,
    DemandEdited,
    DemandSubmitted,
    DemandUnderstood,
    FilterCompleted,
    ShortlistDrafted,
)
from engine.negotiation.policy import MOST_CANDIDATES
from engine.negotiation.search import subnets
from engine.negotiation.state import Negotiation, Status
from engine.negotiation.terms import LONGEST_DEMAND, VOTING, Asked, Outcome

UNDERSTAND: Final = "understand"
FILTER: Final = "filter"
"""Names and scopes of the effects that ask a model about the demand."""
EARLY: Final = "filter/early"
"""The effect that asks who could help before it is known what is needed."""


def submit(draft: NegotiationDraft, command: SubmitDemand) -> None:
    if draft.state.exists:
        raise IllegalStep("This negotiation has begun already.")
    text = readable(command.raw_input)
    draft.happens(
        DemandSubmitted(
            demand_id=command.demand_id,
            channel_id=command.channel_id,
            requester_id=command.requester_id,
            raw_input=text,
            policy=command.policy,
            place=command.place,
            until=later(command.at, command.policy.machine_time),
            parent=command.parent,
            reopened_from=command.reopened_from,
            also_ask=command.also_ask,
            ask_first=command.ask_first,
            not_again=command.not_again,
            asked_at=command.at,
            time_zone=command.time_zone,
            locale=command.locale,
            own_votes=command.own_votes,
            workflow_run=command.workflow_run,
        )
    )
    if command.understanding is not None:
        _understood(draft, command.understanding, command.at)


def edit(draft: NegotiationDraft, command: EditDemand) -> None:
    """Start again from the first prompt with another wording; the offers so far are discarded."""
    check_edit(draft.state)
    text = readable(command.raw_input)
    own_votes = None if command.own_votes is draft.state.own_votes else command.own_votes
    if text == draft.state.raw_input and own_votes is None:
        return  # it says so already
    subnets.give_up(draft, by=command.by, reason=Outcome.CANCELLED)
    until = later(command.at, draft.state.policy.machine_time)
    draft.happens(
        DemandEdited(**draft.ids, raw_input=text, by=command.by, until=until, asked_at=command.at, own_votes=own_votes)
    )


def check_edit(state: Negotiation) -> None:
    if state.parent is not None:
        raise IllegalStep("It belongs to another plan, whose gap it fills. Stop it instead.")
    if state.status in VOTING:
        raise ProposalOut("A proposal is out, so the demand stands as it is. Stop it and ask anew instead.")
    if not state.takes_edits:
        raise IllegalStep("It has ended, so the demand stands as it is. Ask anew instead.")


def readable(raw_input: str) -> str:
    """Return the demand's text without blanks around it."""
    text = without_surrogates(raw_input).strip()
    if not any(character.isalpha() for character in text):
        raise InvalidDemand("The demand has no words in it. Say what you need, for how many people, when and where.")
    if len(text) > LONGEST_DEMAND:
        raise InvalidDemand(
            f"The demand has {len(text):,} characters; at most {LONGEST_DEMAND:,} can be read. "
            "Shorten it to what is needed."
        )
    return text


def understand(draft: NegotiationDraft, command: RecordUnderstanding) -> None:
    state = draft.state
    if state.status is not Status.CREATED or state.understanding is not None:
        return  # too late
    if draft.lacks_a_model("understand", command):
        return
    _understood(
        draft,
        command.understanding,
        command.at,
        counted=command.counted,
        model=command.model,
        prompt_hash=command.prompt_hash,
    )


def _understood(
    draft: NegotiationDraft,
    said: Understanding,
    at: Millis,
    *,
    counted: tuple[str, ...] = (),
    model: str = "",
    prompt_hash: str = "",
) -> None:
    draft.happens(
        DemandUnderstood(
            **draft.ids,
            surface_demand=said.surface_demand,
            capability_tags=said.capability_tags,
            confidence=said.confidence,
            understanding=said,
            counted=counted,
            model=model,
            prompt_hash=prompt_hash,
        )
    )
    if clarification.is_no_demand(draft.state):
        clarification.reply(draft, at)
    elif clarification.is_due(draft.state):
        clarification.ask(draft, said.question, at)


def awaited(state: Negotiation) -> list[str]:
    """Return the effects that are waited for while it is found out what is needed and who could help."""
    is_early = state.policy.asks_early and state.early is None and state.parent is None
    if state.understanding is None:
        return [UNDERSTAND, EARLY] if is_early else [UNDERSTAND]
    return [EARLY] if is_early else [FILTER]


def early_shortlist(draft: NegotiationDraft, command: RecordEarlyShortlist) -> None:
    if EARLY in awaited(draft.state):
        draft.happens(
            ShortlistDrafted(
                **draft.ids, shortlist=command.shortlist, model=command.model, prompt_hash=command.prompt_hash
            )
        )


def shortlist(draft: NegotiationDraft, command: RecordShortlist) -> None:
    state = draft.state
    if state.status is not Status.CREATED or state.understanding is None or state.awaits_answer:
        return  # too late
    if draft.lacks_a_model("filter", command):
        return
    listed = command.shortlist
    first = _known(state.ask_first, command, besides=())
    certain = _known(listed.definitely_related, command, besides=first)
    also = _known(state.also_ask, command, besides=(*first, *certain))
    possible = _known(listed.possibly_related, command, besides=(*first, *certain, *also))
    if first:  # the others wait for what these leave open, as do those who are too many
        most = state.policy.max_candidates
        certain, possible = first[:most], (*first[most:], *certain, *possible)
    draft.happens(
        FilterCompleted(
            **draft.ids,
            candidates_count=len(certain) + len(also),
            candidates=(*certain, *also),
            possibly_related=possible,
            preparing=tuple(
                each.agent_id for each in (*certain, *also, *possible) if each.agent_id in command.preparing
            ),
            analysis=listed.analysis,
            model=command.model,
            prompt_hash=command.prompt_hash,
        )
    )
    # Who is only welcome to the whole does not fill a gap in it.
    fitting = certain or (possible if state.parent is None and not also else ())
    invited = (*fitting[: state.policy.max_candidates], *also)[:MOST_CANDIDATES]
    if not invited:
        clarification.ask_who_could_help(draft, command.at)
        return
    deadline = later(command.at, state.policy.response_timeout)
    draft.happens(ChannelCreated(**draft.ids, participants_count=len(invited)))
    draft.happens(
        DemandBroadcast(
            **draft.ids,
            recipients_count=len(invited),
            recipients=tuple(each.agent_id for each in invited),
            deadline=deadline,
        )
    )


def _known(
    candidates: Iterable[Candidate | Asked], command: RecordShortlist, besides: Iterable[Asked]
) -> tuple[Asked, ...]:
    """Return the candidates who exist, each once."""
    taken = {each.agent_id for each in besides}
    chosen: dict[str, Asked] = {}
    for each in candidates:
        person = command.people.get(each.agent_id)
        if person is not None and each.agent_id not in taken and each.agent_id not in chosen:
            chosen[each.agent_id] = Asked(
                agent_id=person.agent_id,
                display_name=person.display_name,
                user_id=person.user_id,
                reason=each.reason,
                match_type=each.match_type,
                confidence=each.confidence,
                covers=command.covers.get(person.agent_id, ()),
            )
    return tuple(chosen.values())
