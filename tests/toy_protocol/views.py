"""The card of a lunch, and the form behind its button."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from slack_sdk.models.views import View

from bot.descriptions import Descriptions
from bot.texts import Texts, texts_in
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.button_values import StreamButton
from bot.views.kit.fields import entered_text, line_field, plain_text_object
from bot.views.kit.mrkdwn import Fit, mention
from bot.views.kit.post import Post, StepEnd
from bot.views.kit.presenter import AddressOf, Delivery, KnownLanguage, Reaction, SessionStatus, no_address
from engine.kernel import Command, Millis, Place
from engine.llm.port import Pause

from .rules import EVENTS, Lunch, Status

JOIN: Final = "lunch.join"
CLOSE: Final = "lunch.close"
DISH: Final = "dish"


class LunchPresenter:
    """A `Presenter` (bot/views/kit/presenter.py): a lunch has one card, in the channel where it was proposed."""

    def place(self, state: Lunch) -> Place | None:
        return state.place if state.place.channel else None

    def origin(self, state: Lunch) -> str:
        return ""

    def language(self, state: Lunch) -> str:
        return "en"

    def readers(self, state: Lunch) -> Sequence[str]:
        return ()

    def requester(self, state: Lunch) -> str:
        return state.by

    def posts(
        self, state: Lunch, known: KnownLanguage, pause: Pause | None = None, address: AddressOf = no_address
    ) -> Sequence[Post]:
        texts = texts_in("en")
        return (Post.from_card("card", state.wish, lambda fit: _card(state, fit), stream=state.stream, texts=texts),)

    def standing(self, state: Lunch, texts: Texts) -> str:
        return state.wish

    def session(self, state: Lunch) -> SessionStatus | None:
        return None

    def reaction(self, state: Lunch) -> Reaction | None:
        return None

    def step_end(self, state: Lunch, texts: Texts) -> StepEnd | None:
        return None

    def instead(self, state: Lunch, key: str, texts: Texts) -> str:
        return ""

    def reports(self, state: Lunch, deliveries: Mapping[str, Delivery], at: Millis) -> Sequence[Command]:
        return ()


def _card(state: Lunch, fit: Fit) -> list[Block]:
    where = fit.line(state.restaurant, 200) or "wherever you like"
    head = f"{mention(state.by)} goes for lunch: {fit.line(state.wish, 200)}"
    card = [blocks.section(head), blocks.section("Thinking…" if state.status is Status.THINKING else where)]
    card += [blocks.section(f"{mention(user)}: {fit.line(dish, 200)}") for user, dish in state.dishes.items()]
    if state.status is Status.CLOSED:
        return [*card, blocks.context("Closed")]
    if state.status is Status.OPEN:
        value = StreamButton(stream=state.stream).value()
        card.append(blocks.actions(blocks.button("Join…", JOIN, value), blocks.button("Close", CLOSE, value)))
    return card


def join_form(stream: str, texts: Texts) -> dict[str, Any]:
    return View(
        type="modal",
        callback_id=JOIN,
        title=plain_text_object("Lunch"),
        submit=plain_text_object(texts.say("Send")),
        close=plain_text_object(texts.say("Cancel")),
        private_metadata=StreamButton(stream=stream).value(),
        blocks=[line_field(DISH, "What will you have?", "", longest=100)],
    ).to_dict()


def read_dish(view: Mapping[str, Any]) -> str:
    return entered_text(view["state"]["values"], DISH)


DESCRIPTIONS: Final = Descriptions(
    protocol="lunch",
    events=EVENTS,
    plural="lunches",
    public_payload=lambda _type, fields: dict(fields),
    status=lambda state: str(state.status),
)
