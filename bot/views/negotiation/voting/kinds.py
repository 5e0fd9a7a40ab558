"""How each kind of vote looks and what is said of it: one row a kind, beside the row that says what it means."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, Protocol

from bot.texts import Texts, texts_in
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.negotiation.button_values import VoteButton, vote_action
from engine.negotiation.events import ProposalFeedback
from engine.negotiation.state import Negotiation, Seat
from engine.negotiation.terms import Source
from engine.negotiation.voting.kinds import FeedbackType

Said = Callable[[Texts], str]


def _never(_: Texts) -> str:
    """What is said of a twin's vote that no twin may cast."""
    return ""


class SaidOf(Protocol):
    def __call__(self, texts: Texts, who: str, /) -> str: ...


def _never_of(_: Texts, _who: str) -> str:
    """As `_never`."""
    return ""


@dataclass(frozen=True, slots=True)
class Button:
    label: Said
    key: str
    """In a terminal: a letter of the kind's name."""
    form: Literal["", "why", "change"] = ""
    """What the form behind it asks; without anything, one click is the vote, unless a seat has to be chosen."""
    heading: Said | None = None
    """Of the form, where it is not the label."""
    style: str = ""


@dataclass(frozen=True, slots=True)
class Look:
    alone: Said
    """Where it stands beside a name."""
    theirs: SaidOf
    yours: Said
    past: Said
    thanks: Said
    your_twins: Said = _never
    a_twins: Said = _never
    would: Said = _never
    """What one's own twin has only prepared."""
    they_would: SaidOf = _never_of
    button: Button | None = None

    @property
    def plainly(self) -> str:
        """In English and without its mark, for logs."""
        return self.alone(texts_in("en")).split(" ", 1)[1]


LOOKS: Final[Mapping[FeedbackType, Look]] = {
    FeedbackType.ACCEPT: Look(
        button=Button(lambda texts: texts.say("Accept"), "a", style="primary"),
        alone=lambda texts: texts.say("✅ accepts"),
        theirs=lambda texts, who: texts.say("✅ {who} accepts", who=who),
        yours=lambda texts: texts.say("✅ You accept"),
        your_twins=lambda texts: texts.say("✅ Your twin accepts"),
        a_twins=lambda texts: texts.say("✅ The twin accepts"),
        would=lambda texts: texts.say("📝 Your twin would accept"),
        they_would=lambda texts, who: texts.say("📝 {who}: the twin would accept", who=who),
        past=lambda texts: texts.say("accepted"),
        thanks=lambda texts: texts.say("Thank you, your yes is recorded."),
    ),
    FeedbackType.NEGOTIATE: Look(
        button=Button(
            lambda texts: texts.say("Negotiate…"),
            "n",
            form="change",
            heading=lambda texts: texts.say("Ask for a change"),
        ),
        alone=lambda texts: texts.say("💬 asks for a change"),
        theirs=lambda texts, who: texts.say("💬 {who} asks for a change", who=who),
        yours=lambda texts: texts.say("💬 You ask for a change"),
        your_twins=lambda texts: texts.say("💬 Your twin asks for a change"),
        a_twins=lambda texts: texts.say("💬 The twin asks for a change"),
        would=lambda texts: texts.say("📝 Your twin would ask for a change"),
        they_would=lambda texts, who: texts.say("📝 {who}: the twin would ask for a change", who=who),
        past=lambda texts: texts.say("asked for a change"),
        thanks=lambda texts: texts.say("Thank you, your wish is recorded. It will be weighed in the next version."),
    ),
    FeedbackType.ABSTAIN: Look(
        button=Button(lambda texts: texts.say("Abstain"), "s"),
        alone=lambda texts: texts.say("⚪ abstains"),
        theirs=lambda texts, who: texts.say("⚪ {who} abstains", who=who),
        yours=lambda texts: texts.say("⚪ You abstain: neither for nor against, and your part stays as it is"),
        past=lambda texts: texts.say("abstained"),
        thanks=lambda texts: texts.say(
            "Thank you, it is recorded that you abstain. Your part in the plan stays as it is."
        ),
    ),
    FeedbackType.REJECT: Look(
        alone=lambda texts: texts.say("✋ says no"),
        theirs=lambda texts, who: texts.say("✋ {who} says no", who=who),
        yours=lambda texts: texts.say("✋ You say no"),
        your_twins=lambda texts: texts.say("✋ Your twin says no"),
        a_twins=lambda texts: texts.say("✋ The twin says no"),
        would=lambda texts: texts.say("📝 Your twin would say no"),
        they_would=lambda texts, who: texts.say("📝 {who}: the twin would say no", who=who),
        past=lambda texts: texts.say("said no"),
        thanks=lambda texts: texts.say("Thank you, your no is recorded."),
    ),
    FeedbackType.WITHDRAW: Look(
        button=Button(
            lambda texts: texts.say("Withdraw…"),
            "w",
            form="why",
            heading=lambda texts: texts.say("Withdraw"),
        ),
        alone=lambda texts: texts.say("👋 withdraws"),
        theirs=lambda texts, who: texts.say("👋 {who} withdraws", who=who),
        yours=lambda texts: texts.say("👋 You withdraw"),
        your_twins=lambda texts: texts.say("👋 Your twin withdraws"),
        a_twins=lambda texts: texts.say("👋 The twin withdraws"),
        would=lambda texts: texts.say("📝 Your twin would withdraw"),
        they_would=lambda texts, who: texts.say("📝 {who}: the twin would withdraw", who=who),
        past=lambda texts: texts.say("withdrew"),
        thanks=lambda texts: texts.say("Thank you for telling us. You are out once this round ends."),
    ),
}


def kind_of_vote(vote: ProposalFeedback, texts: Texts) -> str:
    if vote.source is Source.ASSUMED:
        return texts.say("☑️ did not object in time")
    return LOOKS[vote.feedback_type].alone(texts)


BUTTONS: Final[Mapping[FeedbackType, Button]] = {kind: each.button for kind, each in LOOKS.items() if each.button}


def vote_button(state: Negotiation, seat: Seat) -> VoteButton:
    """What the buttons of a seat of the latest round carry."""
    latest = state.rounds[-1]
    return VoteButton(stream=state.channel_id, round=latest.number, digest=latest.digest, agent_id=seat.agent_id)


def vote_buttons(
    button: VoteButton, kinds: Sequence[FeedbackType], texts: Texts, *, is_plain: bool = False
) -> tuple[Block, ...]:
    """The buttons with which people vote.

    Args:
        kinds: those that the negotiation takes.
        is_plain: none of them is filled, since another one is.
    """
    return tuple(_button(each, button.value(), texts, is_plain=is_plain) for each in kinds if each in BUTTONS)


def _button(kind: FeedbackType, value: str, texts: Texts, *, is_plain: bool) -> Block:
    button = BUTTONS[kind]
    more: dict[str, Any] = {"style": button.style} if button.style and not is_plain else {}
    return blocks.button(button.label(texts), vote_action(kind), value, **more)
