"""A round of votes, and what each seat of it knows."""

from collections.abc import Mapping

from msgspec import Struct, field

from engine.kernel import Millis
from engine.negotiation.answers import FeedbackType
from engine.negotiation.events import ChangeRequested, FeedbackEvaluated, ProposalFeedback, Subject


class Seat(Struct, frozen=True, gc=False):
    """One participant in one round. The latest human vote counts, else the twin's, else what silence means."""

    agent_id: str
    display_name: str
    user_id: str | None
    twin_asked: bool = True
    """Whether the twin still owes its vote."""
    twin: ProposalFeedback | None = None
    human: ProposalFeedback | None = None
    assumed: ProposalFeedback | None = None
    twin_degraded: bool = False
    reached: bool = False
    """Whether the linked person is known to have been told of this round."""
    unreachable: bool = False
    """The linked person could not be told of this round."""
    gone: bool = False
    """The linked person has no account any more."""
    has_twin: bool = True
    """Whether there is a twin that votes here."""
    spoken: bool = False
    """A person has voted for this seat before, so its twin is not asked."""
    handed_back: bool = False
    """The person has let their twin vote again since they voted last."""
    delegate: str = ""
    """The user who may decide for the linked person as well (in a round that is over: who could)."""
    former_delegates: tuple[str, ...] = ()
    """Former delegates, who were replaced while the round was open."""
    is_limited: bool = False
    """Whether the person has limits in words."""
    was_read: bool = False
    """Whether the second reader has held them against the version, or could not."""
    twin_doubts: bool = False
    """Whether the twin's answer, the owner's own words or data leave open whether a limit is kept."""
    reader_doubts: bool = False
    """Whether the second reader says that one is broken, or is not sure."""

    @property
    def vote(self) -> ProposalFeedback | None:
        return self.human or (self.twin if self.twin_counts else None) or self.assumed

    @property
    def waits(self) -> bool:
        """Whether only the person can accept, or whoever speaks for them."""
        return self.human is None and (self.twin_doubts or self.reader_doubts)

    @property
    def is_unread(self) -> bool:
        """Whether the twin's accept counts once the second reader has answered."""
        return self.is_limited and not self.was_read and self._has_accepted

    @property
    def twin_counts(self) -> bool:
        """Whether the twin's vote stands. No machine's consent does where a limit is in doubt."""
        is_in_doubt = self.twin_doubts or self.reader_doubts or (self.is_limited and not self.was_read)
        return not (is_in_doubt and self._has_accepted)

    @property
    def is_guarded(self) -> bool:
        """Whether whoever asked may not vote for it: a limit is in doubt, or nobody has held it against the version."""
        return self.waits or (self.is_limited and self.human is None and (self.twin is None or not self.was_read))

    @property
    def _has_accepted(self) -> bool:
        return self.twin is not None and self.twin.feedback_type is FeedbackType.ACCEPT

    @property
    def decides_alone(self) -> bool:
        """Whether no twin votes here: it could not answer, a limit is in doubt, or its person has voted before."""
        return self.twin_degraded or self.spoken or (self.waits and (self.twin is None or not self.twin_counts))

    @property
    def stand_in(self) -> str:
        """The delegate whose vote counts here; empty if the counting vote is somebody else's."""
        by = self.human.by if self.human else None
        return by if by and self.user_id and by != self.user_id else ""

    @property
    def is_awaited(self) -> bool:
        """Whether somebody may still decide here: the twin, or the person, unless they are gone or have handed back to
        their twin, or their delegate.
        """
        if self.human is not None:
            return False
        if self.twin_asked:
            return True
        return (not self.handed_back or self.twin is None) and (not self.gone or bool(self.delegate))


class Round(Struct, frozen=True, gc=False):
    number: int
    version: int
    digest: str
    seats: Mapping[str, Seat]
    deadline: Millis = 0
    twins_until: Millis = 0
    people_until: Millis = 0
    requester_until: Millis = 0
    reminded: Mapping[str, str] = field(default_factory=dict)
    """Agent id -> who was reminded, where nobody had decided at half time: the delegate, else the linked person."""
    opinions_due: tuple[Subject, ...] = ()
    """What the second reader was asked about this version and has not answered."""
    for_reader: bool = False
    """Whether nothing but the second reader is waited for."""
    request: ChangeRequested | None = None
    """The change that the requester has asked for in this round."""
    tally: FeedbackEvaluated | None = None
    """Set when the round has closed."""
