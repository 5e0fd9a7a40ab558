"""What is left out of every answer of a model, whatever it says: secrets, and ids that nobody and nothing has."""

import logging
from collections.abc import Iterable
from typing import Any, Final

from msgspec.structs import replace

from engine.facts.masking import without_secrets
from engine.negotiation.answers import (
    Assignment,
    Compromise,
    Covering,
    Milestone,
    OfferAnswer,
    ProposalDraft,
    normalized_gap,
)
from engine.negotiation.plan.conditions import language
from engine.negotiation.plan.coverage import needs_of
from engine.negotiation.search.substitutes import vacant_seat
from engine.negotiation.state import Negotiation

log: Final = logging.getLogger(__name__)


def cleaned(state: Negotiation, about: str, value: Any) -> Any:
    """Return an answer without secrets that do not stand in the demand, and without unknown ids; both are logged.

    Args:
        about: whom or what the question was about.
    """
    value, masked = without_secrets(value, state.raw_input, language(state))
    if masked:
        log.warning("an answer for %s held a secret in %d texts, and it is masked", state.channel_id, masked)
    known = _Known(state, about)
    match value:
        case ProposalDraft():
            value = known.draft(value)
        case Compromise():
            value = replace(value, assignments=tuple(map(known.seat, value.assignments)))
        case OfferAnswer():
            value = replace(value, covers=tuple(filter(known.is_covered, value.covers)))
    known.tell()
    return value


class _Known:
    """Which people and needs there are, and what an answer names besides."""

    def __init__(self, state: Negotiation, about: str) -> None:
        seat = vacant_seat(state, about)
        needs = (*needs_of(state), *(seat.needs if seat else ()))
        self._channel = state.channel_id
        self._people = {each.agent_id for each in state.participants}
        self._asked = self._people | state.invited.keys()
        self._needs = {each.need_id for each in needs}
        self._named = {normalized_gap(text) for each in needs for text in (each.need_id, each.what)}
        self._strange: set[str] = set()

    def draft(self, said: ProposalDraft) -> ProposalDraft:
        steps = tuple(map(self._step, said.timeline.milestones))
        return replace(
            said,
            assignments=tuple(map(self.seat, said.assignments)),
            timeline=replace(said.timeline, milestones=steps),
            not_chosen=tuple(each for each in said.not_chosen if self._one(each.agent_id, self._asked)),
        )

    def seat(self, said: Assignment) -> Assignment:
        """Leave the seat itself: the rules drop one of somebody who does not take part."""
        self._one(said.agent_id, self._people)
        after, covers = self._only(said.after, self._people), self._only(said.covers, self._needs)
        return said if (after, covers) == (said.after, said.covers) else replace(said, after=after, covers=covers)

    def is_covered(self, said: Covering) -> bool:
        """Whether it names a need, by its id or in its own words."""
        is_known = normalized_gap(said.need_id) in self._named
        if not is_known:
            self._strange.add(said.need_id)
        return is_known

    def tell(self) -> None:
        if self._strange:
            log.warning(
                "an answer for %s names people or needs that are unknown, and they are dropped: %s",
                self._channel,
                sorted(self._strange),
            )

    def _step(self, said: Milestone) -> Milestone:
        who = said.agent_id if self._one(said.agent_id, self._people) else ""
        need = said.need_id if self._one(said.need_id, self._needs) else ""
        return said if (who, need) == (said.agent_id, said.need_id) else replace(said, agent_id=who, need_id=need)

    def _only(self, ids: Iterable[str], known: set[str]) -> tuple[str, ...]:
        return tuple(each for each in ids if self._one(each, known))

    def _one(self, said: str, known: set[str]) -> bool:
        if said and said not in known:
            self._strange.add(said)
        return said in known
