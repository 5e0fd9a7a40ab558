"""What is in doubt of somebody's limits is for their eyes alone; others see whom the seat waits for."""

from typing import Any

from bot.texts import texts_in
from bot.views.kit.post import Post
from bot.views.negotiation.offers.offers import limits_block
from bot.views.negotiation.presenter import posts
from engine.facts.circumstances import People
from engine.negotiation.answers import LimitVerdict
from engine.negotiation.events import LimitDoubt
from engine.negotiation.state import Negotiation
from tests.negotiation.voting.test_limits_in_words import BO, NEVER, TOLD, U_BO, Twins, kept
from tests.views.message_contents import shown
from tests.views.test_direct import everything_in

WHY = "they sing on the canary stage"


def all_posts(state: Negotiation) -> list[Post]:
    return [*posts(state)]


def to_bo(state: Negotiation) -> Post:
    return next(each for each in all_posts(state) if each.to == U_BO and each.key.startswith("part-"))


def for_others(state: Negotiation) -> str:
    return "\n".join(everything_in(each) for each in all_posts(state) if each.to != U_BO)


def test_the_owner_is_told_which_limit_what_was_said_and_why() -> None:
    state = Twins().planned().votes().reads(1, why=WHY).scenario.state

    text = shown(to_bo(state))

    assert "*Your limits: is this all right with you?*" in text
    assert f"? *{NEVER}* – a second reader says that it is not kept – {WHY}" in text
    assert "Your twin does not accept for you here" in text
    assert "If you say nothing, nobody takes it for a yes." in text


def test_others_see_whom_it_waits_for_and_nothing_of_the_limit() -> None:
    state = Twins().planned().votes().reads(1, why=WHY).scenario.state

    text = for_others(state)

    assert "waits for" in text
    assert NEVER not in text
    assert TOLD not in text
    assert WHY not in text


def test_a_twin_that_is_not_sure_says_of_which_limit() -> None:
    state = Twins().planned().votes(limits=kept((2, "unsure"))).scenario.state

    assert f"? *{TOLD}* – your twin is not sure" in shown(to_bo(state))
    assert TOLD not in for_others(state)


def test_the_owners_own_words_are_named_as_theirs() -> None:
    state = Twins(demand="A karaoke night").planned().votes().reads().scenario.state

    assert f"? *{NEVER}* – your own words stand there" in shown(to_bo(state))


def test_once_the_person_has_spoken_nothing_is_in_doubt() -> None:
    twins = Twins().planned().votes().reads(1, why=WHY)
    twins.scenario.clicks(U_BO, BO, "accept")

    assert "Your limits" not in shown(to_bo(twins.scenario.state))


def test_who_speaks_for_somebody_who_is_linked_to_nobody_sees_their_limits_and_the_thread_does_not() -> None:
    state = Twins(linked=False).planned().votes().reads(1, why=WHY).scenario.state

    told = str(limits_block(state, [state.rounds[-1].seats[BO]], texts_in("en")))

    assert NEVER in told
    assert WHY in told
    text = "\n".join(everything_in(each) for each in all_posts(state))
    assert "waits for an admin" in text
    assert WHY not in text
    assert NEVER not in text


def test_data_that_breaks_data_shows_both() -> None:
    doubt: Any = LimitDoubt(
        verdict=LimitVerdict.BROKEN, by="data", wanted=People(at_most=20), found=People(at_least=50, at_most=50)
    )
    from bot.views.kit.mrkdwn import Fit
    from bot.views.negotiation.offers.offers import doubt_lines

    assert doubt_lines([doubt], texts_in("en"), Fit()) == [
        "✗ *at most 20 people* – it is 50 people, and you hold to at most 20 people"
    ]
