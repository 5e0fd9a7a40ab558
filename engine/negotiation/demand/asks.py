"""What models are asked of a demand: what it needs, and who might help."""

import logging
from collections import Counter
from collections.abc import Collection, Sequence
from functools import partial
from itertools import zip_longest
from typing import Final

from msgspec.structs import asdict, replace

from engine.directory.profile import Profile
from engine.errors import InvalidAnswer
from engine.facts.quoting import stands_in
from engine.facts.shortening import shorten
from engine.negotiation.answers import Candidate, Need, Shortlist, Understanding
from engine.negotiation.ask_rows import Asking, AskRow, AskRows, Known, LookUps, Recorded, until_the_end
from engine.negotiation.commands import RecordEarlyShortlist, RecordShortlist, RecordUnderstanding
from engine.negotiation.demand.gathering import EARLY
from engine.negotiation.demand.reading import asked, completed, today
from engine.negotiation.given import EligibleProfile, FilterGiven, UnderstandGiven
from engine.negotiation.offers.limits import is_free, is_near
from engine.negotiation.plan.coverage import counted_needs, needs_of
from engine.negotiation.state import Negotiation
from engine.negotiation.terms import OF_A_TWIN, Person
from engine.shortlist.nearest import nearest
from engine.shortlist.people import candidates, is_whole

MOST_BYTES: Final = 25_500
"""Of all profiles that prompt 2 is given, as UTF-8: about 9,000 tokens, in whatever script."""
FIELDS: Final = 130
"""Bytes that the names of a profile's fields take."""
LEAST_SUMMARY: Final = 45


def searched(state: Negotiation) -> tuple[str, tuple[tuple[str, ...], ...]]:
    """Return the demand in whole, and for each thing that it needs the texts that say so: what it is, the abilities
    that carry it, and what somebody who fits would write of themselves.
    """
    demand = state.understanding
    if demand is None:
        return state.raw_input, ()
    needs = tuple(tuple(dict.fromkeys((each.what, *each.tags, *each.phrases))) for each in demand.needs)
    tags = (demand.capability_tags,) if demand.capability_tags and not needs else ()
    return state.raw_input or demand.surface_demand, (*needs, *tags)


def fitting(profiles: Sequence[EligibleProfile]) -> tuple[EligibleProfile, ...]:
    """Return the profiles as they are where they fit into the prompt; else with shorter introductions, and
    where that is not enough without the last of them.
    """
    if sum(map(_bytes, profiles)) <= MOST_BYTES:
        return tuple(profiles)
    brief: list[EligibleProfile] = []
    room = MOST_BYTES
    for each in profiles:
        share = min(room // (len(profiles) - len(brief)), MOST_BYTES // len(profiles))  # what some do not need is kept
        size = max(LEAST_SUMMARY, share - _bytes(replace(each, profile_summary="")))
        summary = each.profile_summary
        letters = size * len(summary) // max(1, len(summary.encode()))
        short = replace(each, profile_summary=shorten(summary, max(LEAST_SUMMARY // 3, letters)))
        room -= _bytes(short)
        if room < 0:
            break
        brief.append(short)
    return tuple(brief)


def _bytes(profile: EligibleProfile) -> int:
    texts = (
        *(profile.agent_id, profile.user_name, profile.profile_summary, profile.location, profile.availability),
        *(*profile.tags, *profile.capabilities, *profile.capabilities.values(), *profile.interests, *profile.languages),
    )
    return FIELDS + len("".join(texts).encode())


log = logging.getLogger(__name__)

_NOBODY: Final = Shortlist(definitely_related=())


def _to_understand(asking: Asking) -> UnderstandGiven:
    state = asking.state
    own = next((each for each in asking.profiles.values() if each.slack_user == state.requester_id), None)
    return UnderstandGiven(state.raw_input, own.profile_summary if own else "", today(state))


def unquoted(state: Negotiation, said: Understanding) -> str:
    """Say which quotes do not stand in the demand; empty where all do."""
    quotes = [each.quote for each in said.needs if each.quote and not stands_in(each.quote, state.raw_input)]
    time = said.context.when.said
    times = [time] if time and not stands_in(time, state.raw_input) else []
    return "\n".join((*_unquoted("needs", quotes), *_unquoted("context.when.said", times)))


def _unquoted(where: str, quotes: Sequence[str]) -> list[str]:
    return [f"{where}: this quote does not stand in what they wrote: {each}" for each in dict.fromkeys(quotes)]


def _dated(asking: Asking, answer: Understanding) -> Understanding:
    return completed(answer, asked(asking.state))


def _demand_as_one_need(asking: Asking) -> Understanding:
    text = asking.state.raw_input
    return Understanding(surface_demand=text, needs=(Need(need_id="need_1", what=text),), confidence="low")


def _understood(asking: Asking, answer: Understanding, recorded: Recorded) -> RecordUnderstanding:
    return RecordUnderstanding(understanding=answer, counted=counted_needs(answer), **recorded)


# ── who might help ────────────────────────────────────────────────────────────────────────────────────────────────────


def _to_choose(asking: Asking) -> FilterGiven:
    return FilterGiven(asking.demand, fitting(tuple(_people(asking))), asking.state.policy.max_candidates)


def _known(asking: Asking) -> Known | None:
    """Return the shortlist that no model need be asked for: nobody before the needs are known where people are so many
    that these decide who is put to a model, and afterwards the early one, where it has somebody for each need and all
    of them can be there.
    """
    if asking.name == EARLY:
        return None if is_whole(asking.profiles) else Known(_NOBODY)
    early, needs = asking.state.early, needs_of(asking.state)
    if early is None or not needs or not is_whole(asking.profiles):
        return None
    people = {each.agent_id: each for each in _people(asking)}

    def named(listed: Sequence[Candidate]) -> tuple[Candidate, ...]:
        return tuple(replace(each, covers=_answered(each, needs)) for each in listed if each.agent_id in people)

    certain, possible = map(named, (early.shortlist.definitely_related, early.shortlist.possibly_related))
    found = (*certain, *possible)
    lacking = {each.need_id for each in needs}.difference(*(each.covers for each in found))
    if lacking or not all(people[each.agent_id].on_site for each in found):
        return None
    return Known(replace(early.shortlist, definitely_related=certain, possibly_related=possible), early.model)


def _answered(candidate: Candidate, needs: Sequence[Need]) -> tuple[str, ...]:
    """Return the needs whose words somebody was chosen by. Words that several needs rest on tell of none of them."""
    found = [
        [each.need_id for each in needs if stands_in(each.quote, quote) or stands_in(quote, each.quote)]
        for quote in candidate.quotes
    ]
    return tuple(dict.fromkeys(each[0] for each in found if len(each) == 1))


def _beside_the_filter(asking: Asking) -> LookUps:
    early: LookUps = {"early": tuple} if asking.name == EARLY else {}
    return {"left_out": partial(_people, asking, are_free=False), **early}


def _people(asking: Asking, *, are_free: bool = True) -> Sequence[EligibleProfile]:
    """Return what is public of those who might be asked, or of those who are not since data of theirs rule it out."""
    return [eligible(each, asking.demand) for each in _candidates(asking, are_free=are_free)]


def eligible(profile: Profile, demand: Understanding) -> EligibleProfile:
    return EligibleProfile(**asdict(profile.public), on_site=is_near(profile, demand))


def _candidates(asking: Asking, *, are_free: bool = True) -> list[Profile]:
    """Return everybody whose limits allow it, or do not, but the requester's own twin, those who were told that they
    would not be asked again and, in a subnet, those who have answered for the parent's plan.

    Where there are many people, only those of them who may help.

    Raises:
        NotKnownYet: within `engine.llm.encoder.only_known`, where there are many people.
    """
    is_eligible = partial(_is_eligible, asking.state, are_free=are_free)
    return candidates(asking.profiles, *searched(asking.state), is_eligible)


def _is_eligible(state: Negotiation, profile: Profile, *, are_free: bool = True) -> bool:
    answered, demand = state.parent.answered if state.parent else (), state.understanding
    if profile.slack_user == state.requester_id or profile.agent_id in (*answered, *state.not_again):
        return False
    return demand is None or is_free(profile, demand) is are_free


def _of_known_people(asking: Asking, listed: Shortlist) -> Shortlist:
    """Log people whom a model has invented; the rules drop them. An empty list is a valid answer."""
    named = {each.agent_id for each in (*listed.definitely_related, *listed.possibly_related)}
    strangers = sorted(named - {each.agent_id for each in _candidates(asking)})
    if strangers:
        channel = asking.state.channel_id
        log.warning("an answer for %s names people who were not asked, and they are dropped: %s", channel, strangers)
    if named and len(strangers) == len(named):
        raise InvalidAnswer("the shortlist names only people whom nobody knows")
    return listed


def _nearest(asking: Asking) -> Shortlist:
    """Return who is nearest to each thing that is needed, the first of each before the second of any; nobody before it
    is known what is needed.
    """
    if asking.name == EARLY:
        return _NOBODY
    whole, needs = searched(asking.state)
    people, most = _candidates(asking), asking.state.policy.max_candidates
    found = [[each.profile.agent_id for each in nearest(texts, people, most)] for texts in (*needs, (whole,))]
    order = dict.fromkeys(each for row in zip_longest(*found) for each in row if each)
    return Shortlist(definitely_related=tuple(Candidate(agent_id=each) for each in [*order][:most]))


def _chosen(asking: Asking, answer: Shortlist, recorded: Recorded) -> RecordEarlyShortlist | RecordShortlist:
    if asking.name == EARLY:
        return RecordEarlyShortlist(shortlist=answer, **recorded)
    named = dict.fromkeys(each.agent_id for each in (*asking.state.also_ask, *asking.state.ask_first))
    profiles = [asking.profiles[each] for each in named if each in asking.profiles]
    # Where there are many people, whoever is named need not be among those who may help.
    chosen = (*_candidates(asking), *(each for each in profiles if _is_eligible(asking.state, each)))
    known = {each.agent_id: each for each in chosen}.values()
    listed = {each.agent_id for each in (*answer.definitely_related, *answer.possibly_related)} | named.keys()
    return RecordShortlist(
        shortlist=answer,
        people={each.agent_id: each for each in told_apart([_person(each) for each in known], listed)},
        covers=_thought_to_cover(asking.state, answer),
        preparing=tuple([each.agent_id for each in known if each.twin == "prepares"]),
        **recorded,
    )


def _person(profile: Profile) -> Person:
    return Person(agent_id=profile.agent_id, display_name=profile.user_name, user_id=profile.slack_user)


def told_apart(people: Sequence[Person], among: Collection[str]) -> list[Person]:
    """Return the people, those of whom several among the given ones have the same name with what they are called
    besides.
    """
    names = Counter([each.display_name.casefold().strip() for each in people if each.agent_id in among])
    if len(names) == names.total():
        return [*people]

    def named(person: Person) -> Person:
        if person.agent_id not in among or names[person.display_name.casefold().strip()] < 2:
            return person
        return replace(person, display_name=f"{person.display_name} ({person.agent_id.removeprefix(OF_A_TWIN)})")

    return [named(each) for each in people]


def _thought_to_cover(state: Negotiation, listed: Shortlist) -> dict[str, tuple[str, ...]]:
    known = [each.need_id for each in needs_of(state)]
    everybody = (*listed.definitely_related, *listed.possibly_related)
    return {each.agent_id: tuple(need for need in known if need in each.covers) for each in everybody}


ASKS: Final[AskRows] = {
    "understand": AskRow(
        returns=Understanding,
        given=_to_understand,
        check=lambda asking: partial(unquoted, asking.state),
        beside=lambda asking: {"people": partial(_people, asking)},
        held=_dated,
        stand_in=_demand_as_one_need,
        record=_understood,
        until=until_the_end,
    ),
    "filter": AskRow(
        returns=Shortlist,
        given=_to_choose,
        known=_known,
        beside=_beside_the_filter,
        held=_of_known_people,
        stand_in=_nearest,
        record=_chosen,
        until=until_the_end,
    ),
}
