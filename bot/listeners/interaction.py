"""What a person does in Slack with a button, a shortcut or a form; and what they are told where nothing came of it.

A form stays open that was refused or not recorded.
"""

import hashlib
import json
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_bolt.context.async_context import AsyncBoltContext
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from bot.listeners.actor import actor_in, check_colleague, tenant_of
from bot.listeners.private_messages import spot_of_click, tell
from bot.listeners.restored_cards import refused_on_card
from bot.listeners.services import Services
from bot.posts.failures import CallFailed
from bot.texts import Texts
from bot.views.kit import notices
from bot.views.kit.fields import InvalidForm, Values
from bot.views.kit.modals import notice
from engine.directory.state import Directory
from engine.errors import Refusal, StoreError
from engine.kernel import Command, Millis, StreamKey, Tenant

log = logging.getLogger(__name__)
Said = TypeVar("Said", bound=Command)

_CHANGED_ALREADY: Final = ("hash_conflict", "not_found")
"""What Slack answers where a modal was changed, or closed, since the click in it."""


@dataclass(slots=True)
class Interaction:
    services: Services
    body: Mapping[str, Any]
    context: AsyncBoltContext
    client: AsyncWebClient
    language: str = ""
    """The tag of the language of what it is about, such as a demand: for where nobody knows the person's."""
    tenant: Tenant = field(init=False)
    actor: str = field(init=False)
    """Who acts, as the engine is told."""
    _directory: Directory | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self.tenant, self.actor = tenant_of(self.context), actor_in(self.context)

    @property
    def user(self) -> str:
        """Who reads the answer, as Slack calls them."""
        return str(self.body["user"]["id"])

    def key(self, stream: str) -> StreamKey:
        """Return the key of a stream of this workspace. No payload reaches another workspace's."""
        return StreamKey(self.tenant, stream)

    def now(self) -> Millis:
        return self.services.clock.now()

    def check_colleague(self) -> None:
        """Check that whoever acts is of this workspace."""
        check_colleague(self.context, self.actor)

    async def is_admin(self) -> bool:
        """Return whether whoever acts is an admin."""
        return await self.services.settings.is_admin(self.tenant, self.actor, await self.directory())

    async def directory(self) -> Directory:
        """Return who is who in the workspace, as it was when this interaction first asked, or last changed it."""
        if self._directory is None:
            self._directory = await self.services.settings.directory(self.tenant)
        return self._directory

    def directory_changed(self) -> None:
        """Have the directory read anew when it is next asked for."""
        self._directory = None

    async def texts(self) -> Texts:
        return await self.services.texts.of(self.client, self.tenant, self.user, self.language)

    def known_texts(self) -> Texts:
        """Return the same without asking Slack for the person's language."""
        return self.services.texts.known(self.tenant, self.user, self.language)

    async def open(self, view: Mapping[str, Any]) -> None:
        await self.client.views_open(trigger_id=self.body["trigger_id"], view={**view})


Wording = Callable[[Refusal, Texts], str]
"""What a person is told about a refusal."""


@dataclass(slots=True)
class Click(Interaction):
    """One click on a button."""

    @property
    def name(self) -> str:
        return str(self.body["actions"][0]["action_id"])

    @property
    def value(self) -> str:
        return str(self.body["actions"][0]["value"])

    @property
    def cause(self) -> str:
        """Identify the click, so that one that is delivered twice is one command."""
        return cause_of_click(self.body)

    @property
    def values(self) -> Values:
        """What was entered in the fields beside the button."""
        state = self.body.get("state")
        values = state.get("values") if isinstance(state, Mapping) else None
        return values if isinstance(values, Mapping) else {}

    @property
    def spot(self) -> dict[str, Any]:
        """Where the person looks who clicked."""
        return spot_of_click(self.body)

    @property
    def is_in_modal(self) -> bool:
        return (self.body.get("view") or {}).get("type") == "modal"

    async def open_above(self, view: Mapping[str, Any]) -> None:
        """Open a modal: above the one in which the button stands, where it stands in one."""
        show = self.client.views_push if self.is_in_modal else self.client.views_open
        await show(trigger_id=self.body["trigger_id"], view={**view})

    async def redraw(self, view: Mapping[str, Any]) -> None:
        """Show the modal in which was clicked otherwise, unless it has changed or closed since."""
        shown = self.body["view"]
        try:
            await self.client.views_update(view_id=shown["id"], hash=shown["hash"], view={**view})
        except SlackApiError as error:
            if error.response["error"] not in _CHANGED_ALREADY:
                raise

    def tell(self, text: str) -> None:
        """Tell only the person who clicked."""
        tell(self.services, self.client, self.spot, text)


def on_click(
    app: AsyncApp,
    services: Services,
    name: str,
    handle: Callable[[Click], Awaitable[None]],
    refused: Wording = notices.refused,
) -> None:
    """Call ``handle`` for each click on a button. Tell somebody who is refused in private."""

    async def clicked(ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient) -> None:
        click = Click(services, body, context, client)
        try:
            await handle(click)
        except Refusal as refusal:
            texts = await click.texts()
            click.tell(refused(refusal, texts))
            await refused_on_card(click.services, click.client, click.tenant, body, refusal, texts)
        await ack()

    app.action(name)(clicked)


def on_shortcut(
    app: AsyncApp, services: Services, kind: str, name: str, handle: Callable[[Interaction], Awaitable[None]]
) -> None:
    """Call ``handle`` for each use of a shortcut.

    Args:
        kind: ``message_action`` or ``shortcut``, as Slack calls them.
    """

    async def chosen(ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient) -> None:
        await handle(Interaction(services, body, context, client))
        await ack()

    app.shortcut({"type": kind, "callback_id": name})(chosen)


def cause_of_click(body: Mapping[str, Any]) -> str:
    """Identify a click, so that one that is delivered twice is one command."""
    action = body["actions"][0]
    container: Mapping[str, Any] = body["container"]
    return ":".join(
        ("click", body["user"]["id"], container.get("message_ts", ""), action["action_id"], action["action_ts"])
    )


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


async def command_of(act: Click | Form, kind: Callable[..., Said], **fields: Any) -> Said:
    """Make a command of what a person does: it says who did it and when, and whether as an admin."""
    by, as_admin = act.actor, await act.is_admin()
    return kind(command_id=act.cause, at=act.now(), by=by, as_admin=as_admin, **fields)
