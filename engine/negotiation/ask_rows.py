"""What a phase says of the questions it puts to models: one row a prompt, which `asks` unites."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypedDict

from engine.directory.profile import Profile, Profiles
from engine.errors import ModelUnavailable
from engine.kernel import Ask, Command, Millis, plain
from engine.negotiation.answers import Understanding
from engine.negotiation.given import Given
from engine.negotiation.offers.screening import texts_in
from engine.negotiation.remembering import remembered
from engine.negotiation.state import Negotiation
from engine.negotiation.terms import Asked, Proposal
from engine.times.availability import ReadCalendar

Texts = tuple[str, ...]
Busy = Mapping[str, ReadCalendar]
"""By agent id, when somebody is busy, of those whose calendar is known."""


@dataclass(frozen=True, slots=True)
class Asking:
    """One question in its place: of which negotiation, about whom, among which people."""

    state: Negotiation
    about: str
    """The agent id of the twin that is asked, or what else of the negotiation it is about."""
    name: str
    """The effect's, e.g. ``feedback/2/bob``."""
    profiles: Profiles
    busy: Busy = field(default_factory=dict)
    at: Millis = 0
    """When it is asked; 0 where nobody has looked at a clock."""

    @classmethod
    def of(cls, state: Negotiation, ask: Ask, profiles: Profiles, busy: Busy, at: Millis = 0) -> "Asking":
        return cls(state, ask.about, ask.name, profiles, busy, at)

    @property
    def demand(self) -> Understanding:
        return self.state.understanding or Understanding(surface_demand=self.state.raw_input)

    @property
    def last(self) -> Proposal:
        """The last version of the plan; rounds exist only behind a first one."""
        assert self.state.proposal is not None, "no version was made yet"  # noqa: S101
        return self.state.proposal

    @property
    def agreed(self) -> Proposal:
        """The plan as it was agreed; what it lacks is asked behind an agreement alone."""
        assert self.state.agreed is not None, "nothing was agreed"  # noqa: S101
        return self.state.agreed.final_proposal

    @property
    def profile(self) -> Profile | None:
        return self.profiles.get(self.about)

    @property
    def own_profile(self) -> Profile:
        """The profile of whoever's twin is asked, as it is given to the twin: what it is asked is the same however far
        it goes.
        """
        if (found := self.profile) is None:
            raise ModelUnavailable(f"{self.about} has no profile any more; its twin cannot be asked")
        return found.model_copy(update={"twin": "votes"}) if found.only_prepares else found

    @property
    def public_words(self) -> Texts:
        """What the public profiles of those say who were asked."""
        return _public_words(self.profiles, self.state.invited)

    def public_of(self, agent_id: str) -> Texts:
        return _public_texts(self.profiles[agent_id]) if agent_id in self.profiles else ()


class Recorded(TypedDict, total=False):
    """What every command carries that records an answer, or what stands in for one."""

    command_id: str
    at: Millis
    model: str
    prompt_hash: str
    degraded: str


Check = Callable[[Any], str]
"""Says what is wrong with an answer, so that it is asked for once more; empty where nothing is."""

LookUps = Mapping[str, Callable[[], Any]]
"""What rules that answer instead of a model may look up, by name."""


class Known(NamedTuple):
    """An answer that is there already."""

    value: Any
    model: str = ""
    """Who has given it."""


class AskRow(NamedTuple):
    """All that is known of one prompt."""

    returns: type[Any]
    given: Callable[[Asking], Given]
    """What a model is given: a twin its own person's profile, and every other question what everybody may read."""
    record: Callable[[Asking, Any, Recorded], Command]
    """The command that records an answer, or what stands in for one; with None where nothing does."""
    known: Callable[[Asking], Known | None] = lambda _: None
    """The answer that is there already, so that no model is asked."""
    check: Callable[[Asking], Check | None] = lambda _: None
    beside: Callable[[Asking], LookUps] = lambda _: {}
    held: Callable[[Asking, Any], Any] = lambda _, answer: answer
    """A model's answer, held against what is known.

    Raises:
        InvalidAnswer: it is none.
    """
    stand_in: Callable[[Asking], Any] = lambda _: None
    """MODELS, "Degradation, by prompt": never consent, never a worse plan, always labelled."""
    until: Callable[[Asking], Millis] = lambda _: 0
    """When nobody waits for the answer any more: its step ends by an alarm, or with the negotiation; 0 where that has
    no end of its own.
    """


AskRows = Mapping[str, AskRow]
"""By the prompt's name, without its folder."""


def until_the_end(asking: Asking) -> Millis:
    return asking.state.until


@remembered
def _public_texts(profile: Profile) -> Texts:
    return tuple(texts_in(plain(profile.public)))


@remembered
def _public_words(profiles: Profiles, invited: Mapping[str, Asked]) -> Texts:
    known = (profiles.get(each) for each in invited)
    return tuple(text for each in known if each for text in _public_texts(each))
