"""Somebody is linked to nobody, with a limit in doubt: whoever loaded their profile answers, or an admin."""

from typing import Final

from engine.errors import NotAllowed
from engine.kernel import payload
from engine.negotiation.answers import LimitAnswer, LimitVerdict
from engine.negotiation.events import LimitsWeighed
from engine.negotiation.secrecy import in_public, payload_in_public
from engine.runtime.streams import without_private
from tests.negotiation.scenario import ALONE, REQUESTER
from tests.negotiation.voting.test_limits_in_words import BO, CY, Twins, kept

LOADER: Final = "U_LOADER"
DOUBTED: Final = (LimitAnswer(number=1, verdict=LimitVerdict.UNSURE), *kept()[1:])


def test_whoever_loaded_the_profile_promises_what_is_in_doubt() -> None:
    scenario = Twins(linked=False).offers(DOUBTED).scenario

    scenario.corrects(LOADER, BO).is_refused(NotAllowed)
    scenario.corrects(REQUESTER, BO).is_refused(NotAllowed)
    scenario.corrects(REQUESTER, BO, as_admin=True).is_refused(NotAllowed)
    scenario.corrects(LOADER, BO, as_admin=True)

    assert (scenario.state.offers[BO].source, scenario.state.offers[BO].contribution) == ("human", "in my own words")


def test_nobody_speaks_where_nothing_is_in_doubt_or_for_somebody_who_is_here() -> None:
    Twins(linked=False).offers().scenario.corrects(LOADER, BO, as_admin=True).is_refused(NotAllowed)
    Twins().offers(DOUBTED).scenario.corrects(LOADER, BO, as_admin=True).is_refused(NotAllowed)


def test_a_blind_round_does_not_tell_that_a_vote_waits() -> None:
    twins = Twins(policy=ALONE.model_copy(update={"blind_votes": True})).planned().tells().votes(limits=DOUBTED)
    weighed = [each for each in twins.scenario.history if isinstance(each, LimitsWeighed) and each.round]

    assert [each.waits for each in weighed] == [True]
    assert twins.seat.waits
    told = [payload_in_public(each.event_type, payload(without_private(each))) for each in weighed]
    assert not {"waits", "abstains", "in_words"} & {name for each in told for name in each}
    assert not in_public(twins.scenario.state).rounds[-1].seats[BO].waits


def test_an_open_round_does() -> None:
    twins = Twins().planned().votes(limits=DOUBTED).votes(who=CY, limits=())
    [weighed] = [each for each in twins.scenario.history if isinstance(each, LimitsWeighed) and each.round]

    assert payload_in_public(weighed.event_type, payload(without_private(weighed)))["waits"] is True
    assert in_public(twins.scenario.state).rounds[-1].seats[BO].waits
