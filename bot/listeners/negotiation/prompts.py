"""What somebody can say to ToWow about negotiations."""

from collections.abc import Sequence

from bot.listeners.services import Services
from bot.texts import Texts
from bot.views.kit.prompts import Prompt
from bot.views.negotiation.prompts import prompts
from engine.kernel import Tenant
from engine.projections.inbox import demands_of, open_votes_of


async def suggested(services: Services, tenant: Tenant, user: str, texts: Texts) -> Sequence[Prompt]:
    """
    Raises:
        StoreError
    """
    votes = await open_votes_of(services.store, tenant, user)
    demands = await demands_of(services.store, tenant, user, 1)
    return prompts(sum(len(each.agent_ids) for each in votes), bool(demands), texts)
