"""The ledger's rows, as the store has them."""

from engine.kernel import Tenant
from engine.llm.ledger import KIND, Call
from engine.store.port import Store

from .prompt_cases import KEY


async def rows(store: Store, tenant: Tenant = KEY.tenant) -> list[Call]:
    return [Call.model_validate_json(each) for each in (await store.records(tenant, KIND)).values()]
