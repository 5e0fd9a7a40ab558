"""What people write and click about lunches."""

from typing import Final

from slack_bolt.async_app import AsyncApp

from bot.listeners.conversation import Conversation, Utterance
from bot.listeners.intake import begin_once, stream_names
from bot.listeners.interaction import Answer, Click, Form, on_click, on_form
from bot.listeners.services import Services
from bot.texts import Texts
from bot.views.kit import notices
from bot.views.kit.button_values import StreamButton
from engine.errors import Refusal
from engine.kernel import Place

from .rules import RULEBOOK, CloseLunch, JoinLunch, ProposeLunch
from .views import CLOSE, JOIN, join_form, read_dish

PREFIX: Final = "lunch-"


def register(app: AsyncApp, services: Services) -> None:
    on_click(app, services, JOIN, _ask_dish)
    on_click(app, services, CLOSE, _close)
    on_form(app, services, JOIN, _join)


async def _take(utterance: Utterance) -> str | None:
    utterance.check_colleague()
    place = await utterance.place()
    names = stream_names(utterance.tenant, PREFIX, utterance.cause)
    gateway = utterance.services.gateway
    await begin_once(gateway, utterance.tenant, RULEBOOK, names, lambda name: _proposal(utterance, name, place))
    return None


def _proposal(utterance: Utterance, stream: str, place: Place) -> ProposeLunch:
    return ProposeLunch(
        command_id=utterance.cause,
        at=utterance.services.now(),
        by=utterance.actor,
        wish=utterance.text,
        place=place,
        stream=stream,
    )


def _refused(refusal: Refusal, utterance: Utterance) -> str:
    return notices.refused(refusal, utterance.texts)


def _usage(command: str, texts: Texts) -> str:
    return f"• `{command} lunch` – somebody to eat with."


CONVERSATION: Final = Conversation(_take, _refused, _usage, first_words=frozenset({"lunch"}))


async def _ask_dish(click: Click) -> None:
    stream = StreamButton.read(click.value).stream
    await click.services.gateway.read(click.key(stream), RULEBOOK)
    click.check_colleague()
    await click.open(join_form(stream, await click.texts()))


async def _join(form: Form) -> Answer | None:
    stream = StreamButton.read(str(form.view["private_metadata"])).stream
    command = JoinLunch(command_id=form.cause, at=form.now(), by=form.actor, dish=read_dish(form.view))
    await form.services.gateway.send(form.key(stream), RULEBOOK, command)
    return None


async def _close(click: Click) -> None:
    stream = StreamButton.read(click.value).stream
    command = CloseLunch(command_id=click.cause, at=click.now(), by=click.actor, as_admin=await click.is_admin())
    await click.services.gateway.send(click.key(stream), RULEBOOK, command)
