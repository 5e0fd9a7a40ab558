"""Prompt 6: revise the proposal by the feedback."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from engine.errors import InvalidAnswer
from engine.facts.language import Language
from engine.lexicon.mentions import topics_in
from engine.negotiation.answers import (
    AdjustmentSummary,
    Assignment,
    Change,
    ConditionAnswer,
    FeedbackType,
    ProposalDraft,
    RequestAddressed,
    RequestDeclined,
    SubstituteOffer,
    Understanding,
    VoteCounts,
    VoteMade,
)
from engine.negotiation.reading import Today
from engine.offline.negotiation import assignment_notes
from engine.offline.negotiation.needs import needs_of
from engine.offline.negotiation.phrasing import in_third_person, is_first_person, phrase
from engine.offline.negotiation.proposals import (
    condition_answers,
    condition_notes,
    confidence,
    risks,
    summary,
    uncovered_needs,
)
from engine.offline.negotiation.requests import decide_request
from engine.offline.negotiation.seats import part_about

_MINUTES = re.compile(r"(?<!\d)(\d+)\s*(分钟|minutes?|mins?\b|-minute)")


@dataclass
class _Outcome:
    """Collects what was changed, granted and declined."""

    changes: list[Change] = field(default_factory=list)
    addressed: list[RequestAddressed] = field(default_factory=list)
    declined: list[RequestDeclined] = field(default_factory=list)

    def in_round(self, number: int) -> AdjustmentSummary:
        return AdjustmentSummary(
            round=number,
            changes_made=tuple(self.changes),
            requests_addressed=tuple(self.addressed),
            requests_declined=tuple(self.declined),
        )


def revise_proposal(
    demand: Understanding,
    proposal: ProposalDraft,
    feedbacks: Sequence[VoteMade],
    requester_requests: Sequence[RequestAddressed] = (),
    granted: Sequence[RequestAddressed] = (),  # every seat keeps its words here unless its own request changes them
    counts: VoteCounts | None = None,
    withdrawn: Sequence[str] = (),
    substitutes: Sequence[SubstituteOffer] = (),
    round: int = 2,  # noqa: A002 - the prompt's own name for it
    today: Today | None = None,
) -> ProposalDraft:
    """
    Raises:
        InvalidAnswer: everybody has left.
    """
    needs = needs_of(demand)
    language = needs.language
    left = {each.agent_id for each in feedbacks if each.feedback_type is FeedbackType.WITHDRAW}
    leaving = [each for each in proposal.assignments if each.agent_id in left or each.display_name in withdrawn]
    taken = {each.replaces: each for each in substitutes}
    new_conditions = tuple(answer for each in substitutes for answer in condition_answers(each, demand))
    staying = {
        each.agent_id: each
        for each in (
            _taken_over(seat, taken[seat.display_name], new_conditions, language)
            if seat in leaving and seat.display_name in taken
            else seat
            for seat in proposal.assignments
        )
        if each not in leaving
    }
    if not staying:
        raise InvalidAnswer("Nobody is left in this proposal.")
    answers = _Outcome(changes=[_departure(each, staying, needs.language) for each in leaving])
    for each in _requests_by_popularity(feedbacks):
        if each.agent_id in staying:
            staying[each.agent_id] = _after_request(staying[each.agent_id], each, demand, answers)
    criteria = [*proposal.success_criteria, *_of_requester(requester_requests, demand, answers)]
    seats = tuple(_without_names(each, leaving) for each in staying.values())
    known = {each.what for each in demand.needs}
    others = (each for each in proposal.gaps if each not in known)
    open_roles = _open_roles([each for each in leaving if each.display_name not in taken], staying)
    gaps = tuple(dict.fromkeys((*uncovered_needs(demand, seats), *others, *open_roles)))
    conditions = (*(each for each in proposal.conditions if each.agent_id in staying), *new_conditions)
    names = [each.display_name for each in leaving]
    return replace(
        proposal,
        summary=summary(demand, seats, gaps, needs.language),
        assignments=seats,
        rationale="" if _names_any(proposal.rationale, names) else proposal.rationale,
        gaps=gaps,
        success_criteria=tuple(dict.fromkeys(criteria)),
        risks=risks(demand, seats, gaps, needs),
        conditions=conditions,
        confidence=confidence(seats, gaps, conditions),
        adjustment_summary=answers.in_round(round),
    )


def _taken_over(
    seat: Assignment, substitute: SubstituteOffer, conditions: Sequence[ConditionAnswer], language: Language
) -> Assignment:
    """The seat in the hands and the words of somebody else."""
    covered = topics_in(seat.role)
    parts = [in_third_person(part_about(substitute.contribution, key)) or seat.role for key in covered[:1]]
    return replace(
        seat,
        agent_id=substitute.agent_id,
        display_name=substitute.display_name,
        responsibility=next(iter(parts), substitute.contribution),
        notes=condition_notes(substitute.agent_id, conditions, language),
        covers=substitute.covers,
    )


def _after_request(seat: Assignment, vote: VoteMade, demand: Understanding, answers: _Outcome) -> Assignment:
    """The seat after its holder's request was granted or declined."""
    language = needs_of(demand).language
    request = vote.adjustment_request.strip()
    ruling = decide_request(request, demand, seat.agent_id)
    if not ruling.granted:
        declined = RequestDeclined(agent_id=seat.agent_id, request=request, reason=ruling.reason)
        answers.declined.append(declined)
        line = assignment_notes.declined_line(request, ruling.reason, language)
        return replace(seat, notes=assignment_notes.with_line(seat.notes, line))
    after, old, new = _with_request_granted(seat, request, language)
    aspect = phrase("change.aspect", language, name=seat.display_name)
    answers.addressed.append(RequestAddressed(agent_id=seat.agent_id, request=request))
    answers.changes.append(Change(agent_id=seat.agent_id, aspect=aspect, before=old, after=new, reason=ruling.reason))
    return after


def _of_requester(requests: Sequence[RequestAddressed], demand: Understanding, answers: _Outcome) -> list[str]:
    """What the plan is measured by from now on, because whoever asked asks for it."""
    language = needs_of(demand).language
    agreed = []
    for each in requests:
        ruling = decide_request(each.request, demand, each.agent_id)
        if ruling.granted:
            answers.addressed.append(each)
            agreed.append(phrase("plan.agreed", language, request=each.request))
        else:
            declined = RequestDeclined(agent_id=each.agent_id, request=each.request, reason=ruling.reason)
            answers.declined.append(declined)
    return agreed


def _requests_by_popularity(feedbacks: Sequence[VoteMade]) -> list[VoteMade]:
    """The votes that ask for something; what several ask for comes first."""
    asking = [
        each
        for each in feedbacks
        if each.feedback_type is FeedbackType.NEGOTIATE
        or (each.feedback_type is FeedbackType.REJECT and each.adjustment_request.strip())
    ]
    times = Counter(each.adjustment_request for each in asking)
    return sorted(asking, key=lambda each: -times[each.adjustment_request])


def _with_request_granted(seat: Assignment, request: str, language: Language) -> tuple[Assignment, str, str]:
    """The seat with the request in its task, the text that was replaced, and the text that replaced it.

    A length of time replaces the old one; anything else is added as an agreement.
    """
    pieces = seat.responsibility.split(_joint(language))
    lengths = [count for count, _ in _MINUTES.findall(request)]
    for position, piece in enumerate(pieces):
        old = _MINUTES.search(piece)
        if old and lengths:
            new = next((count for count in lengths if count != old[1]), lengths[-1])
            changed = piece[: old.start(1)] + new + piece[old.end(1) :]
            return _with_task(seat, [*pieces[:position], changed, *pieces[position + 1 :]], language), piece, changed
    quoted = "plan.agreed.quoted" if is_first_person(request) else "plan.agreed"
    agreed = phrase(quoted, language, request=request)
    return _with_task(seat, list(dict.fromkeys((*pieces, agreed))), language), "", request


def _with_task(seat: Assignment, pieces: Sequence[str], language: Language) -> Assignment:
    return replace(seat, responsibility=_joint(language).join(pieces))


def _joint(language: Language) -> str:
    return "；" if language == "zh" else "; "


def _stand_in(seat: Assignment, staying: dict[str, Assignment]) -> Assignment | None:
    """Somebody who stays and covers what the seat covered, or, where that was no need, the topics of its role."""
    if seat.covers:
        return next((each for each in staying.values() if not set(seat.covers).isdisjoint(each.covers)), None)
    topics = set(topics_in(seat.role))
    return next((each for each in staying.values() if topics.intersection(topics_in(each.responsibility))), None)


def _open_roles(leaving: Sequence[Assignment], staying: dict[str, Assignment]) -> list[str]:
    """The tasks of seats that covered no need; what others covered is counted by their needs."""
    open_ = (each for each in leaving if not each.covers and _stand_in(each, staying) is None)
    return [each.role or each.responsibility for each in open_]


def _departure(seat: Assignment, staying: dict[str, Assignment], language: Language) -> Change:
    stand_in = _stand_in(seat, staying)
    role = seat.role or seat.responsibility
    after = (
        phrase("change.gap", language, role=role)
        if stand_in is None
        else phrase("change.covered", language, role=role, name=stand_in.display_name)
    )
    return Change(
        aspect=phrase("change.left", language, name=seat.display_name),
        before=seat.responsibility,
        after=after,
        reason=phrase("change.left.reason", language),
    )


def _without_names(seat: Assignment, leaving: Sequence[Assignment]) -> Assignment:
    """The seat without its dependencies on people who leave."""
    names = [each.display_name for each in leaving]
    kept = tuple(each for each in seat.dependencies if not _names_any(each, names))
    return replace(seat, dependencies=kept) if kept != seat.dependencies else seat


def _names_any(text: str, names: Sequence[str]) -> bool:
    return any(name and name in text for name in names)
