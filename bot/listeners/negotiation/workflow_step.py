"""A workflow of Slack's Workflow Builder runs our step: it begins a negotiation, whose end ends the step.

The step belongs to whoever ran the workflow, as Slack itself says: nobody who builds a workflow can name somebody else.
"""

import logging
from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from slack_bolt.async_app import AsyncApp
from slack_bolt.context.async_context import AsyncBoltContext
from slack_sdk.web.async_client import AsyncWebClient

from bot.listeners.actor import actor_in, ran_by, tenant_of
from bot.listeners.conversation import Utterance
from bot.listeners.intake import place_of, stream_names
from bot.listeners.negotiation.intake import begin, why_not
from bot.listeners.negotiation.invitations import members_of
from bot.listeners.private_messages import tell
from bot.listeners.services import Services
from bot.listeners.written import written
from bot.posts.failures import CALL_ERRORS, Refused, failure
from bot.texts import texts_in
from bot.views.negotiation import notices
from engine.errors import Refusal, UnknownStream
from engine.kernel import StreamKey, Tenant
from engine.negotiation.ids import CHANNEL
from engine.negotiation.rules import RULEBOOK

log = logging.getLogger(__name__)

STEP: Final = "negotiate"
DEMAND: Final = "demand"
WHERE: Final = "channel"
"""The step and its inputs, as manifest.yml names them."""


def register(app: AsyncApp, services: Services) -> None:
    app.function(STEP)(WorkflowStep(services).executed)


class WorkflowStep:
    def __init__(self, services: Services) -> None:
        self._services = services

    async def executed(self, event: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient) -> None:
        """Begin the negotiation once, however often the run is told of; end a run at once that can begin none."""
        run, inputs = str(event["function_execution_id"]), _inputs(event)
        user = ran_by(event)
        if not user:
            await _fail(client, run, notices.nobody_ran_it(texts_in("en")))
            return
        if await self._has_begun(tenant_of(context), run):
            return
        texts = await self._services.texts.of(client, tenant_of(context), user)
        try:
            await self._begin(run, inputs, user, context, client)
        except Refusal as refusal:
            await _fail(client, run, why_not(refusal, str(inputs.get(DEMAND) or ""), texts))

    async def _begin(
        self, run: str, inputs: Mapping[str, Any], user: str, context: AsyncBoltContext, client: AsyncWebClient
    ) -> None:
        tenant = tenant_of(context)
        texts = await self._services.texts.of(client, tenant, user)
        channel = str(inputs.get(WHERE) or "")
        said = await written(self._services, client, tenant, {"text": str(inputs.get(DEMAND) or "")}, texts)
        utterance = Utterance(
            services=self._services,
            context=context,
            text=said.text,
            actor=actor_in(context),
            cause=_cause(run),
            place=partial(place_of, client, channel, chosen_by=user),
            texts=texts,
            mentioned=said.mentioned,
            groups=said.groups,
        )
        utterance.check_colleague()
        place = await utterance.place()
        named = await members_of(self._services, client, tenant, utterance.groups, utterance.actor, texts)
        begun = await begin(
            self._services,
            tenant,
            cause=utterance.cause,
            by=utterance.actor,
            text=utterance.text,
            place=place,
            ask_first=named.people,
            workflow_run=run,
        )
        if named.told and begun.is_new:
            tell(self._services, client, {"channel": channel, "user": user}, named.told)

    async def _has_begun(self, tenant: Tenant, run: str) -> bool:
        """Whether the run was told of before, and was taken: by now it might be refused."""
        for name in stream_names(tenant, CHANNEL, _cause(run)):
            try:
                state = await self._services.gateway.read(StreamKey(tenant, name), RULEBOOK)
            except UnknownStream:
                return False
            if state.workflow_run == run:
                return True
        return False


def _inputs(event: Mapping[str, Any]) -> Mapping[str, Any]:
    inputs = event.get("inputs")
    return inputs if isinstance(inputs, Mapping) else {}


def _cause(run: str) -> str:
    return f"workflow:{run}"


async def _fail(client: AsyncWebClient, run: str, why: str) -> None:
    """End a run that has begun nothing."""
    try:
        await client.functions_completeError(function_execution_id=run, error=why)
    except CALL_ERRORS as error:
        failed = failure(error)
        if not isinstance(failed, Refused):
            raise failed from error
        log.info("a workflow's step is not told why nothing began: %s", failed.why)
