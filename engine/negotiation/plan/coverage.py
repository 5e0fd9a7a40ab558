"""What the demand needs, held against a version of the plan: who covers what, and who has accepted to."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from engine.facts.quoting import stands_in
from engine.negotiation.answers import Assignment, Covering, Need, OfferDecision, Understanding, normalized_gap
from engine.negotiation.events import SubstituteInvited
from engine.negotiation.policy import MOST_CANDIDATES
from engine.negotiation.remembering import remembered
from engine.negotiation.state import Negotiation, Round
from engine.negotiation.terms import Assigned, Claim, Proposal, Source

SEAT: Final = "seat"
"""The id of the need that stands for a vacant seat which covers no need of the demand: to do what it is called."""


class NeedCoverage(Struct, frozen=True, gc=False):
    """A need and who covers it in a version, in the order of the seats."""

    need: Need
    covered_by: tuple[str, ...]
    """Agent ids."""
    accepted: tuple[str, ...] = ()
    """Those of them who have accepted this version."""
    count: int = 0
    """How many they are, with those whom they bring."""
    accepted_count: int = 0

    wanted: int = 1
    """How many people it takes."""

    @property
    def is_enough(self) -> bool:
        return self.count >= self.wanted

    @property
    def is_agreed(self) -> bool:
        """Whether enough of them have accepted."""
        return self.accepted_count >= self.wanted


def wanted(state: Negotiation, need: Need) -> int:
    """Return how many people a need takes: its quantity, where that counts people, else one."""
    return need.quantity if need.need_id in state.counted else 1


def brought(state: Negotiation, need: Need, agent_ids: Iterable[str]) -> int:
    """Return how many people cover a need, of these and whom they bring for it."""
    return sum(
        next((claim.count for claim in state.offers[each].claims if claim.need_id == need.need_id), 1)
        if each in state.offers
        else 1
        for each in agent_ids
    )


def is_enough(state: Negotiation, need: Need, seats: Iterable[Assignment]) -> bool:
    """Whether these seats cover a need, and as many of it as it takes."""
    return brought(state, need, _covering(need, seats)) >= wanted(state, need)


# ── what people claim ─────────────────────────────────────────────────────────────────────────────────────────────


def claims_of(said: Iterable[Covering], needs: Iterable[Need], texts: Mapping[str, str]) -> tuple[Claim, ...]:
    """Return what somebody claims to cover, of the needs that there are. A claim is believed; the words that it rests
    on are kept where they stand in their source.

    Args:
        said: ids of needs, or a need in its own words, as a model has written them.
        texts: the sources of quotes, by their name.
    """
    named = {normalized_gap(each.need_id): each for each in said}
    found = []
    for need in needs:
        covering = named.get(normalized_gap(need.need_id)) or named.get(normalized_gap(need.what))
        if covering is not None:
            quote = covering.quote if stands_in(covering.quote, *_sources(covering, texts)) else ""
            found.append(Claim(need_id=need.need_id, basis="explicit" if quote else "inferred", quote=quote))
    return tuple(found)


def unfounded(said: Iterable[Covering], texts: Mapping[str, str]) -> tuple[str, ...]:
    """Return the quotes that do not stand in what they are said to be taken from."""
    return tuple(each.quote for each in said if each.quote and not stands_in(each.quote, *_sources(each, texts)))


def _sources(covering: Covering, texts: Mapping[str, str]) -> tuple[str, ...]:
    known = texts.get(covering.source)
    return (*texts.values(),) if known is None else (known,)


def claimed_by(state: Negotiation, agent_id: str) -> frozenset[str]:
    """Return the ids of the needs that somebody's offer covers, as was said."""
    offer = state.offers.get(agent_id)
    return frozenset(each.need_id for each in offer.claims) if offer else frozenset()


def fills(state: Negotiation, invited: SubstituteInvited) -> bool:
    """Whether a substitute takes part and covers some of what was lost with the seat."""
    offer = state.offers.get(invited.agent_id)
    if offer is None or offer.decision is OfferDecision.DECLINE:
        return False
    return not invited.needs or not claimed_by(state, invited.agent_id).isdisjoint(invited.needs)


# ── who covers what ───────────────────────────────────────────────────────────────────────────────────────────────


def needs_of(state: Negotiation) -> tuple[Need, ...]:
    """Return what the demand needs; nothing where it was never said as data."""
    return state.understanding.needs if state.understanding else ()


def is_need(need: Need, gap_type: str) -> bool:
    """Whether a gap is this need, which code has found to be missing."""
    return normalized_gap(need.what) == normalized_gap(gap_type)


def coverage(state: Negotiation, proposal: Proposal, accepted: Collection[str] = ()) -> tuple[NeedCoverage, ...]:
    """Return each need, who covers it in this version, and who of them is among those who have accepted it."""
    needs = needs_of(state)
    if not needs:
        return ()
    found = []
    for need in needs:
        covering = _covering(need, proposal.assignments)
        agreed = tuple(each for each in covering if each in accepted)
        counts = brought(state, need, covering), brought(state, need, agreed)
        found.append(NeedCoverage(need, covering, agreed, *counts, wanted(state, need)))
    return tuple(found)


def uncovered(state: Negotiation, proposal: Proposal) -> tuple[Need, ...]:
    """Return the needs that nobody in this version covers, or too few."""
    return tuple(each.need for each in coverage(state, proposal) if not each.is_enough)


def uncovered_essential(state: Negotiation, proposal: Proposal) -> tuple[Need, ...]:
    return tuple(each for each in uncovered(state, proposal) if each.essential)


@remembered
def accepters(round_: Round) -> frozenset[str]:
    """Return whose vote accepts in this round, explicitly or assumed."""
    return frozenset(
        agent_id for agent_id, seat in round_.seats.items() if (vote := seat.vote) and vote.feedback_type.kind.agrees
    )


@remembered
def confirmers(round_: Round) -> frozenset[str]:
    """Return whose vote accepts in this round by somebody's hand: an assumed one confirms nothing."""
    return frozenset(
        agent_id
        for agent_id in accepters(round_)
        if (vote := round_.seats[agent_id].vote) and vote.source is not Source.ASSUMED
    )


def unagreed_essential(state: Negotiation, proposal: Proposal, accepted: Collection[str]) -> tuple[Need, ...]:
    """Return the essential needs that nobody of those who have accepted covers, or too few."""
    found = coverage(state, proposal, accepted)
    return tuple(each.need for each in found if each.need.essential and not each.is_agreed)


def _covering(need: Need, seats: Iterable[Assignment]) -> tuple[str, ...]:
    return tuple(each.agent_id for each in seats if need.need_id in each.covers)


# ── the seats of a version ────────────────────────────────────────────────────────────────────────────────────────


def with_covers(state: Negotiation, seats: Sequence[Assigned]) -> tuple[Assigned, ...]:
    """Let each seat cover what it is said to cover and its person claims.

    Where no seat is said to cover anything, each covers what its person claims: a weak model leaves the field empty.
    """
    known = tuple(each.need_id for each in needs_of(state))
    is_said = any(need_id in each.covers for each in seats for need_id in known)

    def covers(seat: Assigned) -> tuple[str, ...]:
        claimed = claimed_by(state, seat.agent_id)
        return tuple(each for each in known if each in claimed and (each in seat.covers or not is_said))

    return tuple(each if (covered := covers(each)) == each.covers else replace(each, covers=covered) for each in seats)


def takers(state: Negotiation, seats: Sequence[Assignment]) -> Mapping[str, tuple[str, ...]]:
    """Return who takes over what was lost with those who left the last version: by agent id, the ids of the needs.

    They have offered to cover it: who has a seat for something else comes first, then whom the plan went without, and
    of those who offered most of it. Only where needs decide.
    """
    if not state.policy.by_needs or not state.proposals:
        return {}
    staying = [each.agent_id for each in seats]
    left = [each for each in state.proposals[-1].assignments if each.agent_id not in staying]
    lost = [
        each
        for each in needs_of(state)
        if each.essential and _covering(each, left) and not is_enough(state, each, seats)
    ]
    found: dict[str, tuple[str, ...]] = {}
    for need in lost:
        covering = list(_covering(need, seats))
        for agent_id in (*staying, *_unseated(state, lost, (*staying, *(each.agent_id for each in left)))):
            if brought(state, need, covering) >= wanted(state, need):
                break
            if agent_id not in covering and need.need_id in claimed_by(state, agent_id):
                covering.append(agent_id)
                found[agent_id] = (*found.get(agent_id, ()), need.need_id)
    return found


def _unseated(state: Negotiation, lost: Sequence[Need], seated: Collection[str]) -> list[str]:
    """Return whose offer the last version went without, of those who stay; who offered most of what is lost first."""
    ids = {each.need_id for each in lost}
    known = [each.agent_id for each in state.participants if each.agent_id not in {*seated, *state.withdrawn}]
    return sorted(known, key=lambda each: -len(ids & claimed_by(state, each)))


def with_taken(state: Negotiation, seats: Sequence[Assigned]) -> tuple[Assigned, ...]:
    """Let those who stay, or whom the plan went without, cover what was lost and they have offered."""
    taken = dict(takers(state, seats))
    covering = [replace(each, covers=each_once((*each.covers, *taken.pop(each.agent_id, ())))) for each in seats]
    joining = (
        Assigned(
            agent_id=agent_id,
            display_name=state.offers[agent_id].display_name,
            role=", ".join(each.what for each in needs_of(state) if each.need_id in covers),
            responsibility=state.offers[agent_id].contribution,
            covers=covers,
        )
        for agent_id, covers in taken.items()
    )
    return (*covering, *joining)


def alone(needs: Iterable[Need], seats: Sequence[Assignment]) -> frozenset[str]:
    """Return who alone covers an essential need."""
    covering = [_covering(each, seats) for each in needs if each.essential]
    return frozenset(each[0] for each in covering if len(each) == 1)


def as_gaps(state: Negotiation, gaps: Iterable[str], seats: Sequence[Assignment]) -> tuple[str, ...]:
    """Return the gaps of a version with each need that these seats do not cover, and without those that they do."""
    needs = needs_of(state)
    if not needs:
        return tuple(gaps)
    missing = [each.what for each in needs if not is_enough(state, each, seats)]
    covered = {normalized_gap(each.what) for each in needs} - {normalized_gap(each) for each in missing}
    return each_once((*missing, *(each for each in gaps if normalized_gap(each) not in covered)))


def each_once(texts: Iterable[str]) -> tuple[str, ...]:
    """Return each text once, however it was typed."""
    found: dict[str, str] = {}
    for each in texts:
        found.setdefault(normalized_gap(each), each)
    return tuple(found.values())


def lost_needs(state: Negotiation, seat: Assignment, staying: Collection[Assignment]) -> tuple[str, ...]:
    """Return the ids of the needs that somebody has to cover who takes a vacant seat: any of them will do.

    They are the essential ones that nobody else covers, else any that nobody else covers, else all of the seat's, and
    `SEAT` where it covers none. Nothing where the demand's needs were never said as data.
    """
    needs = needs_of(state)
    if not needs:
        return ()
    lost = [each for each in needs if each.need_id in seat.covers and not _covering(each, staying)]
    chosen = tuple(each.need_id for each in lost if each.essential) or tuple(each.need_id for each in lost)
    return chosen or seat.covers or ((SEAT,) if seat.role or seat.responsibility else ())


def counted_needs(said: Understanding) -> tuple[str, ...]:
    """Return the ids of the needs whose number is one of people. A plan has no more seats than people can be asked."""
    numbered = (each for each in said.needs if 1 < each.quantity <= MOST_CANDIDATES)
    return tuple(each.need_id for each in numbered if each.counts == "people")
