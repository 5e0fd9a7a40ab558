"""Cases of negotiations that are played from beginning to end, and what has to hold of what comes of them."""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Final, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field

from bot.demo.evals.part import (
    REQUESTER,
    TIME_ZONE,
    AnyCase,
    EvalsPart,
    Outcome,
    Pattern,
    Table,
    play_stream,
    read_cases,
)
from bot.protocol_row import Protocol
from engine.directory.profile import Profiles
from engine.facts.language import Language, catalogue_of
from engine.files import kept_folder
from engine.kernel import Millis
from engine.llm.port import Model, Prompt
from engine.negotiation.answers import Need
from engine.negotiation.commands import SubmitDemand
from engine.negotiation.plan.coverage import uncovered_essential
from engine.negotiation.policy import Policy
from engine.negotiation.state import Negotiation, Status
from engine.negotiation.terms import Proposal

FILE: Final = "evals/negotiation.yaml"
"""In the folder of the prompts."""

End = Literal["agreed", "lacking", "question", "failed"]


class ExpectedTime(BaseModel):
    """Dates and times of day as the reader writes them; what is left out is not checked."""

    model_config = ConfigDict(frozen=True, extra="forbid", coerce_numbers_to_str=True)

    first: str | None = None
    last: str | None = None
    start: str | None = None
    end: str | None = None


class Case(AnyCase):
    """A demand, and what must come of it."""

    demand: str
    needs: tuple[Pattern, ...] = ()
    people: int | None = None
    money: int | None = None
    place: Pattern | None = None
    when: ExpectedTime | None = None
    fits: dict[Pattern, tuple[str, ...]] = Field(default_factory=dict)
    """A need -> whom of these somebody has to be asked; names of files in profiles/."""
    never: tuple[str, ...] = ()
    ends: tuple[End, ...]


def load_cases(path: Path | None = None) -> tuple[Case, ...]:
    """Read the cases.

    Args:
        path: the file that came with the code, unless told otherwise.
    """
    return read_cases(path or kept_folder.folder("prompts") / FILE, Case)


Check = Callable[[Case, Negotiation, Profiles], Iterator[str]]
"""Yields what is wrong. What does not apply yields nothing."""


def end_of(state: Negotiation) -> End:
    match state.status:
        case Status.FINALIZED:
            return "agreed"
        case Status.FORCE_FINALIZED:
            return "lacking"
    return "question" if state.questions else "failed"


def _needs(case: Case, state: Negotiation, _: Profiles) -> Iterator[str]:
    needs = _understood(state)
    for pattern in case.needs:
        if not any(_says(each, pattern) for each in needs):
            yield f"no need is {pattern}, only: {', '.join(each.what for each in needs) or 'none'}"


def _numbers(case: Case, state: Negotiation, _: Profiles) -> Iterator[str]:
    if state.understanding is None:
        return
    said = state.understanding.context
    people = said.people.at_most or said.people.at_least or said.expected_attendees or 0
    if case.people is not None and people != case.people:
        yield f"{people} people instead of {case.people}"
    if case.money is not None and said.money.amount != case.money:
        yield f"{said.money.amount} of money instead of {case.money}"
    if case.place is not None and not re.search(case.place, said.location or "", re.I):
        yield f"the place is {said.location!r} instead of {case.place}"


def _dates(case: Case, state: Negotiation, _: Profiles) -> Iterator[str]:
    if case.when is None or state.understanding is None:
        return
    read = state.understanding.context.when
    context = state.understanding.context
    deadlines = {context.deadline, *(each.deadline for each in state.understanding.needs)}
    for name, expected in case.when.model_dump(exclude_none=True).items():
        is_deadline = name == "last" and case.when.first is None and expected in deadlines
        if getattr(read, name) != expected and not is_deadline:
            yield f"{name} is {getattr(read, name) or 'not read'} instead of {expected}"


def _people(case: Case, state: Negotiation, profiles: Profiles) -> Iterator[str]:
    asked = {*state.invited, *(each.agent_id for each in state.candidates)}
    for pattern, fitting in case.fits.items():
        if asked.isdisjoint(_ids(fitting, profiles)):
            yield f"nobody who fits {pattern} was asked, such as {', '.join(fitting)}"
    if wrong := sorted(asked & _ids(case.never, profiles)):
        yield f"{', '.join(wrong)} should not be asked"


def _ends(case: Case, state: Negotiation, _: Profiles) -> Iterator[str]:
    if (end := end_of(state)) not in case.ends:
        outcome = f" ({state.outcome})" if state.outcome else ""
        yield f"it ends with {end}{outcome} instead of {' or '.join(case.ends)}"


def _covered(_: Case, state: Negotiation, __: Profiles) -> Iterator[str]:
    plan = _plan(state)
    if plan is None:
        return
    gaps = "\n".join(plan.gaps)
    for need in uncovered_essential(state, plan):
        if need.what not in gaps:
            yield f"nobody covers {need.what}, and the plan does not list it as missing"
        if not any(each and each.casefold() in plan.summary.casefold() for each in (need.what, *need.tags)):
            yield f"nobody covers {need.what}, and the summary does not say so"
        if state.status is Status.FINALIZED:
            yield f"nobody covers {need.what}, and it is told as agreed"


def _conditions(_: Case, state: Negotiation, __: Profiles) -> Iterator[str]:
    for version in state.proposals:
        for each in version.conditions:
            if each.met and each.status == "broken":
                yield f"version {version.version} breaks {each.condition!r} and shows it as met"


def _names(_: Case, state: Negotiation, profiles: Profiles) -> Iterator[str]:
    for version in (*state.proposals, *([plan] if (plan := _plan(state)) else [])):
        seated = {each.agent_id for each in version.assignments}
        said = "\n".join(
            (
                version.summary,
                version.objective,
                version.rationale,
                *(f"{each.name}\n{each.deliverable}" for each in version.timeline.milestones),
            )
        )
        for agent_id, person in profiles.items():
            if agent_id not in seated and person.user_name in said:
                yield f"version {version.version} names {person.user_name}, who has no seat in it"
        for seat in version.assignments:
            if not (seat.role and seat.responsibility):
                yield f"version {version.version} does not say what {seat.display_name} does"


def _language(case: Case, state: Negotiation, _: Profiles) -> Iterator[str]:
    """Hold the language that was understood against the one that the case's name begins with."""
    said = state.understanding.language if state.understanding else ""
    expected = case.id.partition("-")[0]
    if said and expected in LANGUAGES and catalogue_of(said) != expected:
        yield f"its language is {said!r} instead of {expected}"


LANGUAGES: Final = get_args(Language)

CHECKS: Final[Mapping[str, Check]] = {
    "needs": _needs,
    "numbers": _numbers,
    "dates": _dates,
    "people": _people,
    "ends": _ends,
    "covered or said": _covered,
    "conditions": _conditions,
    "names": _names,
    "language": _language,
}


def faults(case: Case, state: Negotiation, profiles: Profiles) -> dict[str, tuple[str, ...]]:
    """Return what is wrong, by the name of the check; empty for what holds."""
    return {name: tuple(check(case, state, profiles)) for name, check in CHECKS.items()}


def _understood(state: Negotiation) -> tuple[Need, ...]:
    return state.understanding.needs if state.understanding else ()


def _says(need: Need, pattern: str) -> bool:
    return re.search(pattern, "\n".join((need.what, *need.tags)), re.I) is not None


def _plan(state: Negotiation) -> Proposal | None:
    """One task for everybody, or for nobody."""
    return state.final.final_proposal if state.final else None


def _ids(names: tuple[str, ...], profiles: Profiles) -> set[str]:
    """Return the agent ids of people by the names of their files. Somebody who is not in these profiles is left out."""
    return {each for name in names if (each := f"user_agent_{name}") in profiles}


CHANNEL = "collab-00000001"


async def play(
    row: Protocol, demand: str, model: Model, prompts: Mapping[str, Prompt], profiles: Profiles, policy: Policy
) -> Negotiation:
    """Play a demand to its end."""

    def begin(at: Millis) -> SubmitDemand:
        return SubmitDemand(
            command_id="evals",
            at=at,
            demand_id="d-00000001",
            channel_id=CHANNEL,
            requester_id=REQUESTER,
            raw_input=demand,
            policy=policy.model_copy(update={"human_window": 0.0, "override_window": 0.0}),
            time_zone=TIME_ZONE,
        )

    state = await play_stream(row, CHANNEL, begin, _goes_on, model=model, prompts=prompts, profiles=profiles)
    assert isinstance(state, Negotiation)  # noqa: S101 - its stream was begun by this protocol
    return state


def _goes_on(state: Negotiation) -> bool:
    return state.is_open or state.is_searching


async def outcome(row: Protocol, case: Case, table: Table) -> Outcome:
    state = await play(row, case.demand, table.model, table.prompts, table.profiles, table.policy)
    return Outcome(case, end_of(state), faults(case, state, table.profiles))


def part(row: Protocol) -> EvalsPart:
    return EvalsPart(load_cases, partial(outcome, row), tuple(CHECKS))
