"""Begins deliveries over HTTP: of a goal, of a plan, or of what another stream has agreed on."""

from typing import NamedTuple

from bot.api.context import Call
from bot.api.delivery.deliveries import as_told, check_account, told
from bot.api.delivery.schemas import DeliveryTold, NewDelivery
from bot.api.streams import handed_over, reader_of_begun
from bot.listeners.delivery.beginning import begin, goal_brief
from bot.listeners.delivery.registry import roles_of
from bot.views.kit.mrkdwn import mention
from engine.delivery.envelopes.payloads import Output, PlanTask
from engine.delivery.errors import InvalidPlan
from engine.delivery.planning.briefs import brief_of
from engine.delivery.planning.planning import named_owner, worker_called
from engine.delivery.rules import RULEBOOK
from engine.delivery.state import Delivery
from engine.delivery.terms import Brief, ExpectedOutput, Owner, PlannedBy, Role, Task
from engine.errors import IllegalStep, NotAColleague, NotAllowed, UnknownStream
from engine.kernel import HandedPerson, Place


class _Asked(NamedTuple):
    brief: Brief
    by: str
    place: Place = Place()
    """Where it is shown; over HTTP alone it is shown nowhere."""


async def begin_delivery(call: Call) -> DeliveryTold:
    """Begin one, or find the one that its origin has already."""
    said: NewDelivery = call.body
    services, tenant = call.context.services, call.workspace.tenant
    asked = await (_of_origin(call, said) if said.origin else _of_goal(call, said))
    tasks = tuple([await _task(call, each, asked.brief) for each in said.tasks])
    begun = await begin(
        services,
        tenant,
        cause=call.cause("delivery"),
        by=asked.by,
        brief=asked.brief,
        place=asked.place,
        tasks=tasks,
        conversation_id=said.conversation_id,
    )
    state = await call.context.gateway.read(begun.key, RULEBOOK)
    if not begun.is_new and not said.origin:
        _check_same(state, asked, said)
    knows = reader_of_begun(call, RULEBOOK, state, has_origin=bool(state.brief.origin))
    return told(await as_told(call, state, knows))


async def _of_goal(call: Call, said: NewDelivery) -> _Asked:
    """Return what is to be carried out as a goal or plan of the caller's says it."""
    by = call.acts_for(said.user_id, "userId")
    return _Asked(await goal_brief(call.context.services, call.workspace.tenant, said.goal, by), by)


async def _task(call: Call, given: PlanTask, brief: Brief) -> Task:
    """Return a task with whoever it names, as they are called here."""
    people = {name: each for each in brief.people for name in (each.person_id, each.user_id) if name}
    roles = {each.role_id: each for each in roles_of(call.context.services.workers.registry())}
    title, _, rest = given.description.strip().partition("\n")
    return Task(
        task_id=given.task_id,
        title=title[:200],
        description=rest.strip() or (title if len(title) > 200 else ""),
        owner=_owner(given, people, roles),
        depends_on=given.dependencies,
        outputs=tuple(_output(each) for each in given.expected_outputs),
        acceptance=given.acceptance_criteria,
        risks=given.risks,
        needs_proposal=given.risk == "high",
        risk_reason=given.risk_reason if given.risk == "high" else "",
        checked_by=await _checker(call, given, people),
        deadline=given.deadline,
    )


async def _checker(call: Call, given: PlanTask, people: dict[str, HandedPerson]) -> str:
    """Return the user who is to approve it: one of the goal's or plan's people, or any colleague; empty where it names
    nobody.
    """
    named = given.checked_by.strip()
    person = people.get(named)
    if not named or (person is not None and person.user_id):
        return person.user_id if person is not None else ""
    try:
        if person is None and mention(named):
            await check_account(call, named)
            return named
    except NotAColleague:
        pass
    raise InvalidPlan(
        f"Task {given.task_id}: checked_by names {named}, who is nobody with an account here. "
        "Give the id of a person of this workspace, or leave it empty."
    )


def _owner(given: PlanTask, people: dict[str, HandedPerson], roles: dict[str, Role]) -> Owner:
    """Return the person or worker whom a task names.

    Raises:
        InvalidPlan: neither a person nor a worker is called so, or both are named.
    """
    person, role = given.assigned_to.person_id, given.assigned_to.role_id
    if role and person:
        raise InvalidPlan(
            f"Task {given.task_id}: assigned_to names the role {role} and the person {person}; name one of them."
        )
    if role:  # a role is one, and never a person who happens to have its name
        return worker_called(role, roles, given.task_id)
    is_known = not person or person in people
    return named_owner(person, people, roles) if is_known else worker_called(person, roles, given.task_id)


def _output(given: Output | str) -> ExpectedOutput:
    if isinstance(given, str):
        return ExpectedOutput(label=given)
    return ExpectedOutput(label=given.label, path=given.path)


async def _of_origin(call: Call, said: NewDelivery) -> _Asked:
    """Return what is to be carried out as the stream that it goes on from has agreed on it.

    Raises:
        NotAllowed: neither have they asked for it nor are they an admin.
        UnknownStream: there is no such stream, or it is not theirs to read.
        NothingToHandOver
        Refusal, StoreError, TimeoutError
    """
    handed, zone = await handed_over(
        call,
        said.origin,
        said.user_id,
        unknown=UnknownStream("There is nothing called so that could be carried out; an origin is a stream's id."),
        not_theirs=NotAllowed("Whoever asked for it, or an admin, has its plan carried out."),
    )
    locale = call.context.services.texts.locale(call.workspace.tenant, handed.requester_id)
    brief = brief_of(handed, now=call.now(), time_zone=zone, locale=locale)
    return _Asked(brief, handed.requester_id, handed.place)


def _check_same(state: Delivery, asked: _Asked, said: NewDelivery) -> None:
    """Check that the Idempotency-Key begins what it began before."""
    is_written = state.planned_by is PlannedBy.FILE
    planned = [each.task.task_id for each in state.tickets.values() if is_written and not each.added_by]
    before = (state.requester_id, state.conversation_id, planned)
    is_same = before == (asked.by, said.conversation_id, [each.task_id for each in said.tasks])
    # Words are empty once they were erased.
    if not is_same or (not state.erased and state.brief.goal != asked.brief.goal.strip()):
        raise IllegalStep("This Idempotency-Key was used for another delivery; take a new one.")
