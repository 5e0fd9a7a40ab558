"""Who may be given a ticket over HTTP: whoever may be given one in Slack."""

from bot.api.context import Call
from bot.listeners.colleagues import actor_of
from engine.delivery.rules import RULEBOOK
from engine.delivery.state import Delivery
from engine.errors import NotAllowed


async def check_colleague(call: Call, state: Delivery, user: str) -> None:
    """Ask Slack about whoever is neither known in the delivery nor has a profile. The rules say who may ask at all.

    Raises:
        NotAColleague: a bot, or an account that was closed.
        NotAllowed: somebody of another company.
        CallFailed: Slack did not say who it is.
        StoreError
    """
    if not call.may_read(RULEBOOK.protocol, state) or user in _known(state):
        return
    tenant = call.workspace.tenant
    people = (await call.context.services.settings.directory(tenant)).people.values()
    if any(each.profile is not None and each.profile.slack_user == user for each in people):
        return
    if await actor_of(await call.slack(), tenant, user) != user:
        raise NotAllowed("Tickets are for people of this workspace.")


def _known(state: Delivery) -> set[str]:
    held = {user for each in state.tickets.values() for user in each.holders}
    return held | {each.user_id for each in state.brief.people} | {state.requester_id}
