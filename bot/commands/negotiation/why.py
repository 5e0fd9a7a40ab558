"""What a negotiation says to ``towow why``: its decision record, and which seat a task comes from."""

from collections.abc import Iterator
from typing import Final

from bot.commands.why import Step, WhyPart, written
from bot.texts import texts_in
from bot.views.negotiation.agreement.decision_record import as_text
from engine.negotiation.agreement.handover import hand_over
from engine.negotiation.public.build import decision_record
from engine.negotiation.state import Negotiation


def _step(state: Negotiation, part: str) -> Step:
    """Args:
    part: a task as it was handed over, or an agent id.
    """
    said = [*_of_part(state, part)] if part else []
    if state.reopened_from:
        said.append(f"it goes on from {state.reopened_from}, which was reopened")
    said.append(written(state.requester_id, state.raw_input, state.place))
    return Step(said)


def _of_part(state: Negotiation, part: str) -> Iterator[str]:
    handed = hand_over(state)
    task = next((each for each in handed.tasks if each.task_id == part), None) if handed else None
    owner = task.owner if task else part
    if task is not None:
        yield f"{task.task_id} of the agreed plan: {task.title}"
    seats = state.final.final_proposal.assignments if state.final else ()
    for seat in seats:
        if seat.agent_id == owner:
            yield f"{state.name_of(owner)} confirmed the part {seat.role or seat.responsibility}"
    if (offer := state.offers.get(owner)) is not None:
        yield f"{state.name_of(owner)} offered: {offer.contribution}"


def _json(state: Negotiation) -> str:
    return decision_record(state).model_dump_json(indent=2)


def _text(state: Negotiation) -> str:
    return as_text(state, texts_in(state.language))


PART: Final = WhyPart(_step, record=_text, record_json=_json)
