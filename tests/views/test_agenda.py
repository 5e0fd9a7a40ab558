"""A person's agenda, whatever was asked: it is short enough, harmless, and only about them."""

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.texts import texts_in
from bot.views.kit.mrkdwn import slack_length
from bot.views.negotiation.agenda import agenda
from engine.negotiation.inbox import open_votes
from engine.negotiation.state import Negotiation
from tests.examples import examples
from tests.negotiation.scenario import REQUESTER
from tests.views.corpus import negotiations
from tests.views.message_contents import CALL_TO_ALL, ESCAPED, OURS

any_negotiation = settings(
    max_examples=examples(20), deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


@any_negotiation
@given(st.lists(negotiations(most_people=8), max_size=3), st.sampled_from(("en", "zh")))
def test_it_is_short_and_calls_nobody(states: list[Negotiation], language: Any) -> None:
    said = agenda(states, states, REQUESTER, 3, texts_in(language))

    assert slack_length(said) < 20_000
    assert not CALL_TO_ALL.search(said)
    rest = OURS.sub("", said)
    assert "<" not in rest
    assert "&" not in ESCAPED.sub("", rest)


@any_negotiation
@given(negotiations(most_people=8))
def test_it_has_a_line_for_every_vote_that_is_on_record(state: Negotiation) -> None:
    on_record = {key.partition("/")[0]: votes.agent_ids for key, votes in open_votes(state).items()}
    for user in on_record.keys() | {REQUESTER, "U_NOBODY"}:
        said = agenda([state], [], user, 0, texts_in("en"))
        mine = on_record.get(user, ())
        assert said.count("<!date^") == len(mine)
        assert ("Nobody is waiting for you." in said) is (not mine)
