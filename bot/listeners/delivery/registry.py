"""Who may carry tickets out besides people, and how deliveries are scheduled: the files' words in the rules' terms."""

from bot.listeners.services import Services
from engine.delivery.commands import ChangeRoles
from engine.delivery.inbox import OPEN_DELIVERY
from engine.delivery.policy import DEFAULT, Policy
from engine.delivery.rules import RULEBOOK
from engine.delivery.terms import Role, WorkerKind
from engine.errors import UnknownStream
from engine.kernel import StreamKey
from engine.workers.registry import Registry


def roles_of(registry: Registry) -> tuple[Role, ...]:
    """Return what the rules know of each role, in the order of the registry."""
    checks = tuple(registry.checks)
    return tuple(
        Role(
            role_id=each.role_id,
            name=each.display_name,
            kind=WorkerKind(each.metadata.protocol),
            is_manager=each.type == "manager",
            capabilities=each.capabilities,
            has_instances=each.supports_multiple_instances,
            checks=checks,
            is_high_risk=each.metadata.risk == "high",
        )
        for each in registry.roles
    )


def policy_of(services: Services) -> Policy:
    """Return the figures of ``scheduler_config.json`` as it is now; the defaults without one."""
    figures = services.scheduling.get(RULEBOOK.protocol)
    policy = figures.current() if figures is not None else DEFAULT
    return policy if isinstance(policy, Policy) else DEFAULT


async def tell_deliveries(services: Services) -> None:
    """Tell every delivery that goes on who may work now, and by which figures, unless it knows that."""
    roles, policy = roles_of(services.workers.registry()), policy_of(services)
    for tenant in await services.store.tenants():
        for stream in await services.store.records(tenant, OPEN_DELIVERY):
            await _tell(services, StreamKey(tenant, stream), roles, policy)


async def _tell(services: Services, key: StreamKey, roles: tuple[Role, ...], policy: Policy) -> None:
    try:
        state = await services.gateway.read(key, RULEBOOK)
        if (tuple(state.roles.values()), state.policy) == (roles, policy):
            return
        at = services.now()
        command = ChangeRoles(command_id=f"roles:{key.stream}:{at}", at=at, roles=roles, policy=policy)
        await services.gateway.send(key, RULEBOOK, command)
    except UnknownStream:
        return  # its record is older than a restored database
