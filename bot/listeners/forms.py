"""Forms that were sent: what was filled in, and how a form stays open that was refused or not recorded."""

import hashlib
import json
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_bolt.context.async_context import AsyncBoltContext
from slack_sdk.web.async_client import AsyncWebClient

from bot.listeners.clicks import Wording
from bot.listeners.interaction import Interaction
from bot.listeners.services import Services
from bot.posts.failures import CallFailed
from bot.views.kit import notices
from bot.views.kit.fields import InvalidForm, Values
from bot.views.kit.notice import notice
from engine.errors import Refusal, StoreError

log = logging.getLogger(__name__)

FormView = Mapping[str, Any]
"""A form as it was sent: its blocks, and in ``state`` what was filled in."""

Answer = Mapping[str, Any]
"""What Slack is told to do with a form; empty to close it."""

NOT_RECORDED: Final = (StoreError, CallFailed, TimeoutError)
"""What was sent may not be on disk: it is not acknowledged as done."""


@dataclass(slots=True)
class Form(Interaction):
    """One form that was sent."""

    @property
    def view(self) -> FormView:
        view: FormView = self.body["view"]
        return view

    @property
    def name(self) -> str:
        return str(self.view["callback_id"])

    @property
    def values(self) -> Values:
        values: Values = self.view["state"]["values"]
        return values

    @property
    def cause(self) -> str:
        """Identify what was sent, so that answers that are delivered twice are one command."""
        return cause_of_form(self.view)


Beside = Callable[[Form, Exception], str | None]
"""The field beside which an error is shown; None where the form has none."""


def beside_first_field(form: Form, _: Exception) -> str | None:
    return first_field(form.view)


def beside(field: str) -> Beside:
    """Show every error beside one field."""
    return lambda _form, _error: field


def on_form(
    app: AsyncApp,
    services: Services,
    name: str,
    handle: Callable[[Form], Awaitable[Answer | None]],
    refused: Wording = notices.refused,
    field: Beside = beside_first_field,
) -> None:
    """Call ``handle`` for each form that is sent. A form that is refused or not recorded stays open and says why.

    Args:
        handle: returns what becomes of the form; None closes it.
        refused: words a refusal.
        field: says beside which field an error is shown.
    """

    async def sent(ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient) -> None:
        await ack(**await _answer(Form(services, body, context, client), handle, refused, field))

    app.view(name)(sent)


async def _answer(
    form: Form, handle: Callable[[Form], Awaitable[Answer | None]], refused: Wording, field: Beside
) -> Answer:
    try:
        return await handle(form) or {}
    except InvalidForm as invalid:
        return errors(invalid.errors)
    except Refusal as refusal:
        return stays_open(field(form, refusal), refused(refusal, await form.texts()))
    except NOT_RECORDED as error:
        log.error("the form %s could not be recorded: %r", form.name, error)
        return stays_open(field(form, error), notices.went_wrong(form.known_texts()))


def stays_open(field: str | None, sentence: str) -> Answer:
    """Leave the form open, with what was filled in; show the sentence in place of a form without fields."""
    return errors({field: sentence}) if field else shows(notice(sentence))


def errors(said: Mapping[str, str]) -> Answer:
    """Leave the form open, with a sentence beside each of the named fields."""
    return {"response_action": "errors", "errors": {**said}}


def shows(view: Mapping[str, Any]) -> Answer:
    """Show another view in place of the form."""
    return {"response_action": "update", "view": view}


def first_field(view: FormView) -> str | None:
    """Return the first field of a form. A payload may lack anything: that can be what is wrong with it."""
    blocks = view.get("blocks")
    for block in blocks if isinstance(blocks, list) else ():
        if isinstance(block, dict) and block.get("type") == "input" and block.get("block_id"):
            return str(block["block_id"])
    return None


def cause_of_form(view: FormView) -> str:
    """Identify a form's answers: delivered twice they are one command, mended after an error they are another."""
    answers = json.dumps(view["state"]["values"], sort_keys=True)
    return f"view:{view['id']}:{view['hash']}:{hashlib.sha256(answers.encode()).hexdigest()[:12]}"
