"""Every row of the policy table, and the order in which a round is judged."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.negotiation.policy import PRESETS, Plan, Policy, Share, Step, evaluate
from engine.negotiation.voting.tally import Tally

T05, STORY, TECH, BALANCED = (PRESETS[name] for name in ("t05-v4", "story05", "tech-v3", "balanced"))


def tally(accepts: int = 0, negotiates: int = 0, withdraws: int = 0, silent: int = 0, assumed: int = 0) -> Tally:
    """``assumed`` accepts are among ``accepts``."""
    return Tally(
        accepts=accepts,
        negotiates=negotiates,
        rejects=withdraws,
        withdraws=withdraws,
        silent=silent,
        explicit=accepts - assumed + negotiates + withdraws,
        assumed=assumed,
    )


@pytest.mark.parametrize(
    ("policy", "votes", "number", "step"),
    [
        pytest.param(T05, tally(4, 1), 1, Step.FINALIZE, id="t05: exactly 80% finalizes"),
        pytest.param(T05, tally(79, 21), 1, Step.ADJUST, id="t05: 79% does not"),
        pytest.param(T05, tally(1, 1), 4, Step.ADJUST, id="t05: exactly 50% goes on"),
        pytest.param(T05, tally(49, 51), 1, Step.FAIL_LOW_ACCEPTANCE, id="t05: 49% fails"),
        pytest.param(T05, tally(49, 51), 5, Step.FAIL_LOW_ACCEPTANCE, id="t05: below 50% fails at the last round too"),
        pytest.param(T05, tally(1, 1), 5, Step.FORCE_FINALIZE, id="t05: exactly 50% is forced at the limit"),
        pytest.param(STORY, tally(9, 1), 2, Step.ADJUST, id="story05: one wish is another round"),
        pytest.param(STORY, tally(3), 1, Step.FINALIZE, id="story05: all accept"),
        pytest.param(STORY, tally(1, 9), 2, Step.ADJUST, id="story05: never fails by rate"),
        pytest.param(STORY, tally(2, 1), 3, Step.FORCE_FINALIZE, id="story05: a majority is forced at the limit"),
        pytest.param(STORY, tally(1, 1), 3, Step.FAIL_TIMEOUT, id="story05: half is no majority"),
        pytest.param(STORY, tally(withdraws=3), 1, Step.FAIL_NO_PARTICIPANTS, id="story05: everybody left"),
        pytest.param(TECH, tally(1, 1, 3), 1, Step.FAIL_MAJORITY_REJECT, id="tech-v3: more than half reject"),
        pytest.param(TECH, tally(1, 1, 2), 1, Step.ADJUST, id="tech-v3: half reject is not more than half"),
        pytest.param(TECH, tally(1, 9), 3, Step.FORCE_FINALIZE, id="tech-v3: whatever is left is forced at the limit"),
        pytest.param(BALANCED, tally(4, 1), 1, Step.FINALIZE, id="balanced: 80% finalizes"),
        pytest.param(BALANCED, tally(1, 0, 1), 1, Step.FINALIZE, id="balanced: who leaves counts in no rate"),
        pytest.param(BALANCED, tally(0, 0, 3), 1, Step.FAIL_NO_PARTICIPANTS, id="balanced: everybody left"),
        pytest.param(BALANCED, tally(4, 1, assumed=4), 1, Step.ADJUST, id="balanced: silence is no consensus"),
        pytest.param(BALANCED, tally(1, 9), 1, Step.ADJUST, id="balanced: wishes alone never fail before the limit"),
        pytest.param(BALANCED, tally(1, 1), 5, Step.FORCE_FINALIZE, id="balanced: half is forced at the limit"),
        pytest.param(BALANCED, tally(2, 3), 5, Step.FAIL_TIMEOUT, id="balanced: less than half fails at the limit"),
        pytest.param(T05, tally(silent=3), 1, Step.RESEND, id="nobody answered: once more"),
        pytest.param(T05, tally(3, assumed=3), 1, Step.RESEND, id="assumed accepts alone are nobody's answer"),
        pytest.param(T05, tally(2, silent=3), 1, Step.RESEND, id="more than half silent: once more"),
        pytest.param(T05, tally(2, silent=2), 1, Step.ADJUST, id="exactly half silent is judged"),
        pytest.param(T05, tally(silent=3), 5, Step.FAIL_NO_FEEDBACK, id="nobody answered the last round"),
    ],
)
def test_a_round_leads_to(policy: Policy, votes: Tally, number: int, step: Step) -> None:
    assert evaluate(policy, votes, number) is step


@pytest.mark.parametrize("policy", PRESETS.values(), ids=lambda each: each.name)
class TestTheCoreGate:
    """It overrides finalizing and failing by rate."""

    def test_an_empty_core_seat_is_offered_to_the_reserve(self, policy: Policy) -> None:
        assert evaluate(policy, tally(9, withdraws=1), 1, Plan(core_lost=1, reserve=1)) is Step.SUBSTITUTE
        assert evaluate(policy, tally(1, withdraws=9), 1, Plan(core_lost=2, reserve=2)) is Step.SUBSTITUTE

    def test_without_enough_reserve_the_plan_falls(self, policy: Policy) -> None:
        assert evaluate(policy, tally(9, withdraws=1), 1, Plan(core_lost=1, reserve=0)) is Step.FAIL_CORE_WITHDRAWN
        # Where needs decide, whom there is is asked, and whoever asked decides about the rest.
        some = Step.SUBSTITUTE if policy.by_needs else Step.FAIL_CORE_WITHDRAWN
        assert evaluate(policy, tally(8, withdraws=2), 1, Plan(core_lost=2, reserve=1)) is some
        asked = Step.ASK_REQUESTER if policy.by_needs else Step.FAIL_CORE_WITHDRAWN
        assert evaluate(policy, tally(9, withdraws=1), 1, Plan(core_lost=1, can_ask=True)) is asked

    def test_in_the_last_round_there_is_no_time_for_a_substitute(self, policy: Policy) -> None:
        last = policy.max_rounds
        step = Step.SUBSTITUTE if policy.by_needs else Step.FAIL_CORE_WITHDRAWN  # it then has one round more
        assert evaluate(policy, tally(9, withdraws=1), last, Plan(core_lost=1, reserve=5)) is step

    def test_it_can_be_switched_off(self, policy: Policy) -> None:
        off = policy.model_copy(update={"core_gate": False})
        assert evaluate(off, tally(99, withdraws=1), 1, Plan(core_lost=1)) is not Step.FAIL_CORE_WITHDRAWN


def test_the_presets_are_the_table() -> None:
    rows = {
        name: (each.max_rounds, each.finalize_at, each.fail_below, each.fail_on_rejections, each.force_at)
        for name, each in PRESETS.items()
    }
    assert rows == {
        "t05-v4": (5, 80, 50, None, None),
        "story05": (3, 100, None, None, Share(percent=50, more=True)),
        "tech-v3": (3, 100, None, Share(percent=50, more=True), None),
        "balanced": (5, 80, None, None, Share(percent=50)),
    }
    assert STORY.feedback_timeout == 30
    assert all(each.core_gate for each in PRESETS.values())


@given(
    st.sampled_from(list(PRESETS.values())),
    st.integers(0, 40),
    st.integers(0, 40),
    st.integers(0, 40),
    st.integers(0, 40),
    st.integers(1, 5),
)
def test_no_rate_is_ever_compared_as_a_float(
    policy: Policy, accepts: int, negotiates: int, withdraws: int, silent: int, number: int
) -> None:
    """Scaling every count by three changes no verdict: with floats, some would."""
    once = tally(accepts, negotiates, withdraws, silent)
    thrice = tally(3 * accepts, 3 * negotiates, 3 * withdraws, 3 * silent)

    assert evaluate(policy, once, number) is evaluate(policy, thrice, number)


@given(st.sampled_from(list(PRESETS.values())), st.integers(0, 9), st.integers(0, 9), st.integers(0, 9))
def test_the_last_round_always_ends_it(policy: Policy, accepts: int, negotiates: int, withdraws: int) -> None:
    step = evaluate(policy, tally(accepts, negotiates, withdraws), policy.max_rounds)

    assert step not in (Step.ADJUST, Step.RESEND, Step.SUBSTITUTE)
