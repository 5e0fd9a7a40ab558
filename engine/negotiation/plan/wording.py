"""Holds the words of a draft to its seats: they name nobody who has none.

A model is asked once more where its draft names somebody by their id or their whole name who is not in the plan. After
that its words stay as they are: code does not edit a model's sentences.
"""

from collections.abc import Iterable, Iterator, Sequence

from engine.negotiation.answers import ProposalDraft
from engine.negotiation.remembering import remembered
from engine.negotiation.state import Negotiation
from engine.negotiation.terms import Assigned, Person


def faults(state: Negotiation, draft: ProposalDraft, seats: Sequence[Assigned]) -> str:
    """Say which texts of a draft that makes a version with these seats name a stranger; empty where none does."""
    names = _strangers(state, seats)
    found = [
        f"{where} names {', '.join(named)}, who has no seat in this version"
        for where, text in (_texts(draft) if names else ())
        if (named := [each for each in names if is_named(each, text)])
    ]
    return "\n".join(dict.fromkeys(found))


def is_named(name: str, text: str) -> bool:
    """Whether a text says a name. Within a longer word of the same letters it does not: Ann is not in Annual.

    A name of one word has to be written as it is: others are words in lower case.
    """
    said, looked_for = (text.casefold(), name.casefold()) if " " in name else (text, name)
    at = said.find(looked_for)
    while at >= 0:
        end = at + len(looked_for)
        if not (_goes_on(said[at - 1 : at], said[at]) or _goes_on(said[end - 1], said[end : end + 1])):
            return True
        at = said.find(looked_for, at + 1)
    return False


def _goes_on(one: str, other: str) -> bool:
    """Whether two letters next to each other belong to one word, in what is written with blanks between words."""
    return all(each.isascii() and (each.isalnum() or each == "_") for each in (one, other)) and bool(one and other)


@remembered
def _strangers(state: Negotiation, seats: Sequence[Assigned]) -> tuple[str, ...]:
    """Return the ids and the whole names of those who are known here and have no seat.

    Somebody whom the demand itself names, and who was never asked to take part, may be what it is about.
    """
    seated = {each.agent_id for each in seats}
    here = {each.display_name.casefold() for each in seats}
    people: Iterable[Person] = (*state.invited.values(), *state.candidates, *state.reserve)
    others = {each.agent_id: each for each in people if each.agent_id not in seated}
    demand = f"{state.raw_input}\n{state.demand_text}"
    found: list[str] = []
    for each in others.values():
        name = each.display_name.strip()
        if each.agent_id not in state.invited and name and name in demand:
            continue
        if "_" in each.agent_id:
            found.append(each.agent_id)
        if len(name) > 1 and not any(name.casefold() in seat for seat in here):
            found.append(name)
    return tuple(dict.fromkeys(found))


def _texts(draft: ProposalDraft) -> Iterator[tuple[str, str]]:
    """The texts of a draft that may name only who is there, and where they are."""
    yield from (("summary", draft.summary), ("objective", draft.objective), ("rationale", draft.rationale))
    for each in draft.timeline.milestones:
        yield from (("timeline.milestones", each.name), ("timeline.milestones", each.deliverable))
    yield from (("success_criteria", each) for each in draft.success_criteria)
    for seat in draft.assignments:
        for text in (seat.role, seat.responsibility, seat.notes, *seat.dependencies):
            yield "assignments", text
