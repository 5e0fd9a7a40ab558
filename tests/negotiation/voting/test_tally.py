"""The one place where votes are counted: neither order nor repetition matters, and every vote is in one sum."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from engine.negotiation.policy import PRESETS, Policy, Step, evaluate
from engine.negotiation.terms import Source
from engine.negotiation.voting.kinds import FeedbackType, Sum
from engine.negotiation.voting.tally import Tally, lacks_quorum


class Cast(Struct, frozen=True):
    feedback_type: FeedbackType
    source: Source = Source.HUMAN


CAST = st.builds(Cast, st.sampled_from(FeedbackType), st.sampled_from([Source.HUMAN, Source.AGENT]))
ASSUMED = st.just(Cast(FeedbackType.ACCEPT, Source.ASSUMED))
SUMS_OF_KINDS = [each.value for each in Sum]
VOTES = st.lists(st.none() | CAST | ASSUMED, max_size=20)


@given(VOTES.flatmap(lambda votes: st.tuples(st.just(votes), st.permutations(votes))))
def test_the_order_of_votes_does_not_matter(orders: tuple[list[Cast | None], list[Cast | None]]) -> None:
    assert Tally.of(orders[0]) == Tally.of(orders[1])


@given(VOTES)
def test_every_seat_is_counted_once(votes: Sequence[Cast | None]) -> None:
    tally = Tally.of(votes)
    assert tally.total + tally.abstains == len(votes)
    given = tally.explicit + tally.abstains + tally.silent
    assert given == sum(each is None or each.source is not Source.ASSUMED for each in votes)
    assert tally.withdraws <= tally.rejects


@given(VOTES, CAST)
def test_a_vote_adds_to_the_sum_of_its_kind_alone(votes: list[Cast | None], more: Cast) -> None:
    before, after = Tally.of(votes), Tally.of([*votes, more])
    grown = {each for each in SUMS_OF_KINDS if getattr(after, each) > getattr(before, each)}
    assert grown == {more.feedback_type.kind.counts}
    assert after.silent == before.silent


@given(VOTES, st.integers(1, 20))
def test_rates_leave_out_whoever_abstains(votes: list[Cast | None], many: int) -> None:
    before, after = Tally.of(votes), Tally.of([*votes, *[Cast(FeedbackType.ABSTAIN)] * many])
    assert (after.total, after.accepts, after.accept_rate) == (before.total, before.accepts, before.accept_rate)
    assert after.explicit == before.explicit
    assert not lacks_quorum(after) or lacks_quorum(before)


@given(st.integers(1, 20), st.integers(0, 20), st.integers(1, 5), st.sampled_from([*PRESETS.values()]))
def test_where_all_abstain_there_is_no_agreement(many: int, assumed: int, number: int, policy: Policy) -> None:
    yes = Cast(FeedbackType.ACCEPT, Source.ASSUMED)
    tally = Tally.of([*[Cast(FeedbackType.ABSTAIN)] * many, *[yes] * assumed])
    is_last = number >= policy.max_rounds
    assert evaluate(policy, tally, number) is (Step.FAIL_TIMEOUT if is_last else Step.RESEND)
