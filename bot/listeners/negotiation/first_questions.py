"""Has the limits of people read whose twins are asked now, beside what they are asked and never before it.

It is lost where the process ends just then; the next question to the same twin makes up for it.
"""

import logging
from collections.abc import Sequence

from bot.listeners.services import Services
from bot.posts.slack_calls import Clients
from bot.workspace_settings import directory_key
from engine.directory.messages import ReadProfiles
from engine.directory.rules import RULEBOOK
from engine.errors import EngineError
from engine.kernel import Event, StreamKey
from engine.llm.port import OFFLINE
from engine.negotiation.events import DemandBroadcast, FilterCompleted, SubstituteInvited
from engine.runtime.runtime import Listener

log = logging.getLogger(__name__)


def heard(services: Services, _: Clients) -> Listener:
    """Return who has the limits of everybody read whose twin is asked."""

    def listen(key: StreamKey, events: Sequence[Event]) -> None:
        asked = tuple(dict.fromkeys(agent_id for each in events for agent_id in _asked_by(each)))
        if asked:
            found = [each.model for each in events if isinstance(each, FilterCompleted)]
            with_model = any(each not in ("", OFFLINE) for each in found)
            services.background.spawn(read_limits(services, key, asked, with_model=with_model))

    return listen


async def read_limits(services: Services, key: StreamKey, agent_ids: Sequence[str], *, with_model: bool) -> None:
    """
    Args:
        with_model: whether a model answers here, and no rules.
    """
    try:
        directory = await services.settings.directory(key.tenant)
        new = directory.to_read(agent_ids, with_model=with_model)
        if not new:
            return
        at = services.now()
        command = ReadProfiles(command_id=f"read:{key.stream}:{at}", at=at, agent_ids=new, with_model=with_model)
        await services.gateway.begin(directory_key(key.tenant), RULEBOOK, command, is_admitted=True)
    except (EngineError, TimeoutError) as error:
        log.warning("the limits of those who are asked in %s are not read yet: %s", key.stream, error)


def _asked_by(event: Event) -> tuple[str, ...]:
    match event:
        case DemandBroadcast():
            return event.recipients
        case SubstituteInvited():
            return (event.agent_id,)
        case _:
            return ()
