"""The policy of a negotiation, and what the tally of a round leads to."""

from collections.abc import Callable
from enum import StrEnum
from typing import Final, Literal

from msgspec import Struct
from pydantic import Field

from engine.kernel import Validated
from engine.negotiation.voting.tally import Tally, is_silent, lacks_quorum


class Share(Validated):
    """A part of everyone asked, in percent; compared as integers, never as floats."""

    percent: int = Field(ge=0, le=100)
    more: bool = False
    """More than it, not just as much."""

    def reached_by(self, part: int, total: int) -> bool:
        if not total:
            return False  # nobody is no share of nobody
        return 100 * part > self.percent * total if self.more else 100 * part >= self.percent * total


MOST_CANDIDATES: Final = 20
"""The upper bound of every policy."""


class Policy(Validated):
    """Frozen at the start of a negotiation and kept in its first event. Durations are seconds, rates are percent."""

    name: str = "t05-v4"
    max_rounds: int = Field(5, ge=1, le=20)
    finalize_at: int = Field(80, ge=1, le=100)
    """Accepts from which on it is finalized."""
    fail_below: int | None = Field(50, ge=0, le=100)
    """Accepts below this fail the negotiation in any round."""
    fail_on_rejections: Share | None = None
    """Rejections (reject and withdraw) that fail it in any round."""
    force_at: Share | None = None
    """Accepts that force-finalize the last round; None: any share does."""
    core_gate: bool = True
    """Whether a plan fails when its core seats are left, and is held back until they accept."""
    core_must_agree: bool = False
    """Whether it fails at the limit where no version has the accept of its core seats; else that is a risk of it.

    This and ``judge_best`` are what `balanced` did before needs decided: negotiations that had begun go on by them.
    """
    judge_best: bool = False
    """Whether ``force_at`` is held against the best version at the limit; else against the last one."""
    by_needs: bool = False
    """Whether what is needed, and who has said yes to it, decides before any rate: a plan fails only where something
    essential is lost for good or, at the limit, refused. Whoever leaves counts in no rate, nobody's silence makes a
    consensus, and a version that nobody objects to is sent once more and no oftener."""
    max_candidates: int = Field(10, ge=1, le=MOST_CANDIDATES)
    response_timeout: float = Field(300, gt=0)
    feedback_timeout: float = Field(120, gt=0)
    human_window: float = Field(3600, ge=0)
    """How long a linked person may overrule their twin; 0: nobody is waited for."""
    first_window: float = Field(0, ge=0)
    """How long the offers, once they are in, and the demand may be corrected before the first proposal is made, where
    linked people were asked."""
    asks_early: bool = False
    """Whether what waits for nobody is asked beside what is waited for: who could help, by the message as it stands,
    while it is read; and the first version, while people may correct their offers."""
    override_window: float = Field(30, ge=0)
    """How long the requester may vote for unlinked seats, after the last twin answered."""
    stuck_grace: float = Field(30, gt=0)
    """Seconds after its deadline, or after its last event, when a negotiation counts as stalled."""
    max_duration: float = Field(600, gt=0)
    """How long machines may be waited for altogether; the windows that people are given are not counted."""
    silence: Literal["accept", "silent"] = "accept"
    require_model: bool = False
    """Whether it ends where no model can understand the demand, choose whom to ask or make the first plan, instead of
    going on with what rules make of it. A later version that no model can make is none: the last valid one stands."""
    blind_votes: bool = False
    """Whether, until a round is evaluated, everybody is told only that a seat has voted, and not what."""
    second_opinion: bool = True
    """Whether another reader than the drafter says what it thinks of each version, beside the votes. Limits in words
    are read by it in any case."""
    prepares: bool = False
    """Whether twins only prepare their votes, and people give them, however far each has let their twin go."""
    check_ins: bool = False
    """Whether whoever has promised something is asked how it stands on the day before."""
    max_depth: int = Field(1, ge=0, le=1)
    """How deep a plan's gaps are looked for: 0 not at all, 1 in negotiations of their own, and never below those."""
    gap_importance: int = Field(60, ge=0, le=100)
    """The importance from which on a gap is looked for."""
    max_subnets: int = Field(3, ge=0, le=10)
    """Of one plan; the most important gaps come first."""
    subnet_timeout: float = Field(300, gt=0)
    """How long machines may take to fill a gap; the time that people are given comes on top."""

    @property
    def machine_time(self) -> float:
        """Seconds of waiting for machines after which nothing more is waited for: at least those of one round."""
        return max(self.max_duration, self.response_timeout + self.feedback_timeout + self.stuck_grace)

    def window(self, *, linked: bool, unlinked: bool) -> float:
        """Seconds that people are given in a round.

        Args:
            linked: whether any seat belongs to somebody.
            unlinked: whether any belongs to no one, so that whoever asked may speak for it.
        """
        return max(self.human_window if linked else 0, self.override_window if unlinked else 0)

    @property
    def subnet_window(self) -> float:
        """Seconds after which a gap that is still open is given up. Offers may be asked of people, too."""
        offers = self.human_window + self.first_window
        return self.subnet_timeout + offers + self.max_rounds * (self.human_window + self.override_window)


PRESETS: dict[str, Policy] = {
    each.name: each
    for each in (
        Policy(),
        Policy(
            name="story05",
            max_rounds=3,
            finalize_at=100,
            fail_below=None,
            force_at=Share(percent=50, more=True),
            feedback_timeout=30,
        ),
        Policy(
            name="tech-v3",
            max_rounds=3,
            finalize_at=100,
            fail_below=None,
            fail_on_rejections=Share(percent=50, more=True),
        ),
        Policy(
            name="balanced",
            fail_below=None,
            force_at=Share(percent=50),
            by_needs=True,
        ),
    )
}


FIRST_WINDOW: Final = 60.0
"""Seconds. Where people are asked, they get this long; a policy by itself gives none."""

FOR_PEOPLE: Final[dict[str, Policy]] = {
    name: each.model_copy(update={"first_window": FIRST_WINDOW, "asks_early": True}) for name, each in PRESETS.items()
}
"""The presets as a workspace starts with them."""


RULES: Final = (
    "name", "max_rounds", "finalize_at", "fail_below", "fail_on_rejections", "force_at", "core_must_agree",
    "judge_best", "by_needs",
)  # fmt: skip
"""The part of a policy that is about agreement; the rest is about time and people."""


def ruled_by(policy: Policy, preset: str) -> Policy:
    return policy.model_copy(update={each: getattr(PRESETS[preset], each) for each in RULES})


class Consent(StrEnum):
    """How far people consent to a plan's essential needs and core seats."""

    GIVEN = "given"
    UNSAID = "unsaid"
    """Somebody whom it depends on is silent, or nobody covers it, which everybody knows."""
    REFUSED = "refused"


class Plan(Struct, frozen=True, gc=False):
    """What a round leaves of the plan, besides its votes. The defaults are those of a plan without core seats."""

    core_lost: int = 0
    """Core seats whose participant withdrew in this round."""
    reserve: int = 0
    """How many of these could be taken over by somebody of the reserve, each by another one; where needs decide, by
    somebody in the plan as well."""
    is_held_back: bool = False
    """Whether somebody without whom it falls has not accepted."""
    lacks_essential: bool = False
    """Whether nobody who accepted covers something that the demand cannot do without."""
    is_repeated: bool = False
    """Whether the same plan was sent before."""
    has_new_wishes: bool = False
    """Whether somebody asks for a change that no version was made for yet, so that the next one may be another one."""
    can_ask: bool = False
    """Whether whoever asked can be given time to decide."""


class Best(Struct, frozen=True, gc=False):
    """How the version did that did best."""

    votes: Tally
    is_held_back: bool = False
    consent: Consent | None = None
    """None where nobody has said what is needed, and no core seat is refused."""


_WHOLE: Final = Plan()


class Step(StrEnum):
    """What a closed round leads to. Failures are called by their outcome."""

    FINALIZE = "finalize"
    FINALIZE_INCOMPLETE = "finalize_incomplete"
    """Enough accept, but what they agree on lacks something essential."""
    ADJUST = "adjust"
    RESEND = "resend"
    """The same version is sent once more, because too few have answered."""
    SUBSTITUTE = "substitute"
    """Somebody else is asked for a core seat before the next round."""
    ASK_REQUESTER = "ask_requester"
    """Whoever asked decides what becomes of it: something essential is lost, or the same version would be sent for the
    third time."""
    FORCE_FINALIZE = "force_finalize"
    FAIL_NO_FEEDBACK = "no_feedback"
    FAIL_NO_PARTICIPANTS = "no_participants"
    """Everybody left, and no rate fails the negotiation before."""
    FAIL_LOW_ACCEPTANCE = "low_acceptance"
    FAIL_MAJORITY_REJECT = "majority_reject"
    FAIL_CORE_WITHDRAWN = "core_withdrawn"
    FAIL_CORE_NOT_AGREED = "core_not_agreed"
    FAIL_TIMEOUT = "negotiation_timeout"


def evaluate(
    policy: Policy, tally: Tally, number: int, plan: Plan = _WHOLE, best: Callable[[], Best] | None = None
) -> Step:
    """NEGOTIATION, "Evaluation order", for round ``number``: the first line that applies decides.

    Args:
        best: looks for the version that did best, where the last round decides by it; None: it is this one.
    """
    last = number >= policy.max_rounds
    if policy.by_needs:
        return _by_needs(policy, tally.of_those_who_stay, plan, best, last=last)
    if policy.core_gate and plan.core_lost:
        return Step.FAIL_CORE_WITHDRAWN if last or plan.reserve < plan.core_lost else Step.SUBSTITUTE
    is_deserted = tally.leaving == tally.total + tally.abstains
    if is_silent(tally):
        if not last:
            return Step.FAIL_NO_PARTICIPANTS if is_deserted else Step.RESEND
        return Step.FAIL_TIMEOUT if tally.abstains and not lacks_quorum(tally) else Step.FAIL_NO_FEEDBACK
    if Share(percent=policy.finalize_at).reached_by(tally.accepts, tally.total) and not plan.is_held_back:
        return Step.FINALIZE_INCOMPLETE if plan.lacks_essential else Step.FINALIZE
    if policy.fail_below is not None and 100 * tally.accepts < policy.fail_below * tally.total:
        return Step.FAIL_LOW_ACCEPTANCE
    if policy.fail_on_rejections is not None and policy.fail_on_rejections.reached_by(tally.rejects, tally.total):
        return Step.FAIL_MAJORITY_REJECT
    if not last:
        return Step.FAIL_NO_PARTICIPANTS if is_deserted else Step.ADJUST
    return _at_the_limit(policy, tally, best() if best else Best(tally))


def _at_the_limit(policy: Policy, tally: Tally, best: Best) -> Step:
    judged = best.votes if policy.judge_best else tally
    if policy.force_at is not None and not policy.force_at.reached_by(judged.accepts, judged.total):
        return Step.FAIL_TIMEOUT
    if policy.core_must_agree and best.is_held_back:
        return Step.FAIL_CORE_NOT_AGREED
    return Step.FORCE_FINALIZE


def _by_needs(policy: Policy, tally: Tally, plan: Plan, best: Callable[[], Best] | None, *, last: bool) -> Step:
    """NEGOTIATION, `balanced`: substance before rates, and no hollow consensus.

    Args:
        tally: of those who stay.
    """
    if policy.core_gate and plan.core_lost:
        if plan.reserve:
            return Step.SUBSTITUTE  # also in the last round, which then has one more
        return Step.ASK_REQUESTER if plan.can_ask else Step.FAIL_CORE_WITHDRAWN
    if not tally.total + tally.abstains:
        return Step.FAIL_NO_PARTICIPANTS
    agrees = Share(percent=policy.finalize_at).reached_by(tally.accepts, tally.total) and not plan.is_held_back
    if agrees and not is_silent(tally) and tally.accepts > tally.assumed:
        return Step.FINALIZE_INCOMPLETE if plan.lacks_essential else Step.FINALIZE
    if not last:
        if is_silent(tally) and not plan.is_repeated:
            return Step.RESEND
        if plan.has_new_wishes or not plan.is_repeated:
            return Step.ADJUST
        if plan.can_ask:
            return Step.ASK_REQUESTER
    return at_the_limit(policy, best() if best else Best(tally))


def at_the_limit(policy: Policy, best: Best) -> Step:
    """Where needs decide: what becomes of the best version, when no other one follows."""
    match best.consent:
        case Consent.REFUSED:
            return Step.FAIL_CORE_NOT_AGREED
        case Consent.GIVEN | Consent.UNSAID:
            return Step.FORCE_FINALIZE
        case None:
            votes = best.votes.of_those_who_stay
            is_enough = policy.force_at is None or policy.force_at.reached_by(votes.accepts, votes.total)
            return Step.FORCE_FINALIZE if is_enough else Step.FAIL_TIMEOUT
