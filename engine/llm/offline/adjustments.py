"""Prompt 6: revise the proposal by the feedback."""

import re
from collections import Counter
from collections.abc import Sequence

from engine.errors import InvalidAnswer
from engine.language import Language
from engine.llm.offline import notes
from engine.llm.offline.needs import needs_of
from engine.llm.offline.phrasing import say
from engine.llm.offline.proposals import confidence, risks, summary
from engine.llm.offline.rulings import rule
from engine.mentions import topics_in
from engine.negotiation.answers import (
    AdjustmentSummary,
    Assignment,
    Change,
    FeedbackType,
    ProposalDraft,
    RequestAddressed,
    RequestDeclined,
    Understanding,
    VoteMade,
)

_MINUTES = re.compile(r"(\d+)\s*(分钟|minutes?|mins?\b|-minute)")


def adjust(
    demand: Understanding,
    proposal: ProposalDraft,
    feedbacks: Sequence[VoteMade],
    withdrawn: Sequence[str] = (),
    round: int = 2,  # noqa: A002 - the prompt's own name for it
) -> ProposalDraft:
    """
    Raises:
        InvalidAnswer: everybody has left.
    """
    needs = needs_of(demand)
    language = needs.language
    left = {each.agent_id for each in feedbacks if each.feedback_type is FeedbackType.WITHDRAW}
    staying = {
        each.agent_id: each
        for each in proposal.assignments
        if each.agent_id not in left and each.display_name not in withdrawn
    }
    leaving = [each for each in proposal.assignments if each.agent_id not in staying]
    if not staying:
        raise InvalidAnswer("Nobody is left in this proposal.")
    changes = [_replaced(each, staying, language) for each in leaving]
    gaps = tuple(dict.fromkeys((*proposal.gaps, *_open_roles(leaving, staying))))
    addressed: list[RequestAddressed] = []
    declined: list[RequestDeclined] = []
    for each in _by_weight(feedbacks):
        seat = staying.get(each.agent_id)
        if seat is None:
            continue
        request = each.adjustment_request.strip()
        ruling = rule(request, demand, each.agent_id)
        if ruling.granted:
            after = _granted(seat, request, language)
            addressed.append(RequestAddressed(agent_id=each.agent_id, request=request))
            changes.append(_change(seat, after, ruling.reason, language))
        else:
            after = seat.model_copy(
                update={"notes": notes.with_line(seat.notes, notes.declined(request, ruling.reason, language))}
            )
            declined.append(RequestDeclined(agent_id=each.agent_id, request=request, reason=ruling.reason))
        staying[each.agent_id] = after
    seats = tuple(_without_names(each, leaving) for each in staying.values())
    names = [each.display_name for each in leaving]
    conditions = tuple(each for each in proposal.conditions if each.agent_id in staying)
    return proposal.model_copy(
        update={
            "summary": summary(demand, seats, gaps, language),
            "assignments": seats,
            "rationale": "" if _names_any(proposal.rationale, names) else proposal.rationale,
            "gaps": gaps,
            "risks": risks(demand, seats, gaps, needs),
            "conditions": conditions,
            "confidence": confidence(seats, gaps, conditions),
            "adjustment_summary": AdjustmentSummary(
                round=round,
                changes_made=tuple(changes),
                requests_addressed=tuple(addressed),
                requests_declined=tuple(declined),
            ),
        }
    )


def _by_weight(feedbacks: Sequence[VoteMade]) -> list[VoteMade]:
    """Those who ask for something, what several ask for first."""
    asking = [
        each
        for each in feedbacks
        if each.feedback_type is FeedbackType.NEGOTIATE
        or (each.feedback_type is FeedbackType.REJECT and each.adjustment_request.strip())
    ]
    times = Counter(each.adjustment_request for each in asking)
    return sorted(asking, key=lambda each: -times[each.adjustment_request])


def _granted(seat: Assignment, request: str, language: Language) -> Assignment:
    """The seat with the change in it: a length of time where the old one stood, anything else as an agreement."""
    asked = _MINUTES.findall(request)
    responsibility = seat.responsibility
    lengths = [count for count, _ in asked]
    old = [count for count, _ in _MINUTES.findall(responsibility)]
    if old and lengths:
        new = next((count for count in lengths if count not in old), lengths[-1])
        responsibility = _MINUTES.sub(lambda found: found[0].replace(found[1], new, 1), responsibility, count=1)
    line = notes.agreed(request, language)
    return seat.model_copy(update={"responsibility": responsibility, "notes": notes.with_line(seat.notes, line)})


def _change(before: Assignment, after: Assignment, reason: str, language: Language) -> Change:
    field = "responsibility" if before.responsibility != after.responsibility else "notes"
    return Change(
        aspect=say("change.aspect", language, name=before.display_name),
        before=getattr(before, field),
        after=getattr(after, field),
        reason=reason,
    )


def _stand_in(seat: Assignment, staying: dict[str, Assignment]) -> Assignment | None:
    """Somebody in the plan who does the same kind of thing."""
    topics = set(topics_in(seat.role))
    return next((each for each in staying.values() if topics.intersection(topics_in(each.responsibility))), None)


def _open_roles(leaving: Sequence[Assignment], staying: dict[str, Assignment]) -> list[str]:
    return [each.role or each.responsibility for each in leaving if _stand_in(each, staying) is None]


def _replaced(seat: Assignment, staying: dict[str, Assignment], language: Language) -> Change:
    stand_in = _stand_in(seat, staying)
    role = seat.role or seat.responsibility
    after = (
        say("change.gap", language, role=role)
        if stand_in is None
        else say("change.covered", language, role=role, name=stand_in.display_name)
    )
    return Change(
        aspect=say("change.left", language, name=seat.display_name),
        before=seat.responsibility,
        after=after,
        reason=say("change.left.reason", language),
    )


def _without_names(seat: Assignment, leaving: Sequence[Assignment]) -> Assignment:
    """Nobody waits for somebody who has left."""
    names = [each.display_name for each in leaving]
    kept = tuple(each for each in seat.dependencies if not _names_any(each, names))
    return seat.model_copy(update={"dependencies": kept}) if kept != seat.dependencies else seat


def _names_any(text: str, names: Sequence[str]) -> bool:
    return any(name and name in text for name in names)
