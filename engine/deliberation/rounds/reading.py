"""Holds what a model has answered to what exists: people, tasks, arguments, options and dates.

What a model has made up is left out, and logged by kind without its words; nothing is made up in its place. Only a task
whose id is none, or is another task's, is given a new one.
"""

import logging
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from itertools import count
from typing import Any, Final, TypeVar

from msgspec.structs import replace

from engine.deliberation.answers import (
    LONGEST_OUTPUT,
    MOST_TASKS,
    BriefAnswer,
    ClosingAnswer,
    CriticAnswer,
    CriticDraft,
    CriticReply,
    Critique,
    DebaterAnswer,
    FactRead,
    Flaw,
    HostAnswer,
    Move,
    OptionRead,
    Plan,
    PlannerAnswer,
    PlanTask,
    PointAnswer,
    Position,
    ReportAnswer,
    Risk,
    SlotChange,
    SlotPair,
    Suggestion,
)
from engine.deliberation.opening.briefs import demanding, tag_of, without_words_of
from engine.deliberation.rounds.plan_check import option_id
from engine.deliberation.terms import LONGEST_OPTION, MOST_OPTIONS, Brief
from engine.facts.circumstances import Money
from engine.facts.quoting import letters, stands_in
from engine.facts.shortening import shorten
from engine.kernel import ModelAnswer

# ── what an answer names ──────────────────────────────────────────────────────────────────────────────────────────────
# Finds what an answer names among what exists: an option, a person, a day.


def iso_date(text: str) -> str:
    """Return a date as ``2026-03-09``; empty where the text is none. A time of day behind it is left out."""
    try:
        return date.fromisoformat(text.strip()[:10]).isoformat() if len(text.strip()) >= 10 else ""
    except ValueError:
        return ""


def chosen(said: str, options: Iterable[str]) -> str:
    """Return the option that a text names, by its id or its name, in the option's own words; empty where it names
    none, or several.
    """
    spelled = letters(said)
    if not spelled:
        return ""
    options = (*options,)
    by_id = [each for place, each in enumerate(options) if said.strip().casefold() == option_id(place)]
    if by_id:
        return by_id[0]
    among = {each: letters(each) for each in options}
    exact = [each for each, spelling in among.items() if spelling == spelled]
    if exact:
        return exact[0]
    named = [each for each, spelling in among.items() if spelling and (spelling in spelled or spelled in spelling)]
    return named[0] if len(named) == 1 else ""


def person(said: str, people: Mapping[str, str]) -> str:
    """Return the id of whom a text names, by id or by a name that only one of them has; empty where it is nobody."""
    if said in people:
        return said
    spelled = letters(said)
    named = [each for each, name in people.items() if spelled in (letters(each), letters(name))] if spelled else []
    return named[0] if len(named) == 1 else ""


log = logging.getLogger(__name__)


# ── an answer and what exists ─────────────────────────────────────────────────────────────────────────────────────────


Answer = TypeVar("Answer", bound=ModelAnswer)

LONGEST_SENTENCE: Final = 400
"""Characters of a reason, a risk, a solution or an answer."""
LONGEST_TITLE: Final = 160
LONGEST_DETAIL: Final = 240
"""Characters of what a task brings about, and by what one sees it."""
MOST_REASONS: Final = 8
MOST_TAGS: Final = 5
MOST_CRITERIA: Final = 5
MOST_IDS: Final = 12
"""Ids of facts and arguments that one thing rests on."""
MOST_HOURS: Final = 2_000
"""Of one task: a year of one person's work. What is more is a mistake, and counts as not estimated."""
BRIEF: Final = "brief"
"""The id of what the goal itself says."""
DECISIONS: Final = frozenset({"go", "go_with_changes", "no_go"})

_TASK_ID: Final = re.compile(r"task-[1-9]\d{0,2}")
"""Ids are told to everybody, so that they are never words of a model."""
_NUMBER: Final = re.compile(r"\d{1,5}(?:\.\d{1,4})?")


@dataclass(frozen=True)
class Known:
    """What an answer may name."""

    people: Mapping[str, str] = field(default_factory=dict)
    """Names by ``person_id``."""
    arguments: Mapping[str, str] = field(default_factory=dict)
    """Of everything that was said to the agent, facts included: its kind, by id."""
    options: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    """What was said: an option that a model reads out of it stands there."""
    tasks: frozenset[str] = frozenset()
    """Ids of the brief's tasks, and of every version of the plan that the agent was told of."""


def held(answer: Answer, known: Known) -> Answer:
    reader = _Reader(known)
    read: Answer = reader.answer(answer)
    if reader.dropped:
        kinds = ", ".join(f"{kind} ({number})" for kind, number in sorted(reader.dropped.items()))
        log.warning("an answer names what does not exist, and that is left out: %s", kinds)
    return read


def cut(text: str, most: int) -> str:
    return shorten(text.strip(), most)


def sentences_of(texts: Iterable[str], most: int = MOST_REASONS, longest: int = LONGEST_SENTENCE) -> tuple[str, ...]:
    """Return the first of the texts that say something, each once."""
    return tuple(dict.fromkeys(filter(None, (cut(each, longest) for each in texts))))[:most]


class _Reader:
    def __init__(self, known: Known) -> None:
        self._known = known
        self._tasks = set(known.tasks)
        self._renamed: dict[str, str] = {}
        self._names: frozenset[str] = frozenset()
        """What a position calls the days, owners and numbers that it names."""
        self.dropped: Counter[str] = Counter()

    def answer(self, said: Any) -> Any:
        match said:
            case DebaterAnswer():
                return self._debater(said)
            case HostAnswer():
                return replace(said, content=cut(said.content, LONGEST_OUTPUT), pairs=self._pairs(said.pairs))
            case BriefAnswer():
                return self._brief(said)
            case ClosingAnswer():
                return replace(
                    said,
                    uncertainties=sentences_of(said.uncertainties),
                    worst_case=cut(said.worst_case, LONGEST_SENTENCE),
                )
            case ReportAnswer():
                listed = {
                    name: sentences_of(getattr(said, name), 2 * MOST_REASONS)
                    for name in (
                        "key_agreements",
                        "resolved_concerns",
                        "remaining_uncertainties",
                        "open_disagreements",
                        "dissent",
                    )
                }
                return replace(said, content=cut(said.content, LONGEST_OUTPUT), **listed)
            case CriticReply():
                named = self._arguments(said.arguments, MOST_IDS)
                return replace(said, content=cut(said.content, LONGEST_OUTPUT), arguments=named)
        raise TypeError(f"{type(said).__name__} is no answer of a deliberation")

    # ── Planner and Critic ────────────────────────────────────────────────────────────────────────────────────────

    def _debater(self, said: DebaterAnswer) -> DebaterAnswer:
        fields: dict[str, Any] = {}
        # The plan first: what follows may name its tasks.
        if isinstance(said, PlannerAnswer | CriticDraft):
            fields["plan"] = self._plan(said.plan)
        if isinstance(said, CriticAnswer | CriticDraft):
            fields["critique"] = self._critique(said.critique)
        held = self._position(said.position)
        self._names = frozenset(
            (
                *(each.name for each in held.dates),
                *(each.name for each in held.owners),
                *(each.name for each in held.quantities),
            )
        )
        return replace(
            said,
            content=cut(said.content, LONGEST_OUTPUT),
            position=held,
            moves=tuple(filter(None, map(self._move, said.moves))),
            answers=tuple(filter(None, map(self._answer_to, said.answers))),
            flaws=tuple(filter(None, map(self._flaw, said.flaws))),
            **fields,
        )

    def _position(self, said: Position) -> Position:
        return replace(
            said,
            conclusion=cut(said.conclusion, LONGEST_SENTENCE),
            key_reasons=sentences_of(said.key_reasons),
            assumptions=sentences_of(said.assumptions),
            choice=self._option(said.choice) if self._known.options else cut(said.choice, LONGEST_OPTION),
            dates=tuple(replace(each, name=cut(each.name, LONGEST_TITLE)) for each in said.dates if each.day),
            owners=tuple(
                replace(each, name=cut(each.name, LONGEST_TITLE), person_id=owner)
                for each in said.owners
                if (owner := self._person(each.person_id))
            ),
            quantities=tuple(replace(each, name=cut(each.name, LONGEST_TITLE)) for each in said.quantities),
            open_risks=tuple(replace(each, risk=cut(each.risk, LONGEST_SENTENCE)) for each in said.open_risks),
            because=self._arguments(said.because, MOST_IDS),
            uncertainties=sentences_of(said.uncertainties),
            worst_case=cut(said.worst_case, LONGEST_SENTENCE),
        )

    def _plan(self, said: Plan) -> Plan:
        numbered = [(place, task) for place, phase in enumerate(said.phases) for task in phase.tasks]
        if len(numbered) > MOST_TASKS:
            self.dropped["tasks beyond the most there may be"] += len(numbered) - MOST_TASKS
        kept = numbered[:MOST_TASKS]
        ids = self._task_ids([task.task_id.strip() for _, task in kept])
        self._tasks.update(ids)
        tasks: dict[int, list[PlanTask]] = {}
        for task_id, (place, task) in zip(ids, kept, strict=True):
            tasks.setdefault(place, []).append(self._task(task, task_id, ids))
        return replace(
            said,
            title=cut(said.title, LONGEST_TITLE),
            goal=cut(said.goal, LONGEST_SENTENCE),
            phases=tuple(
                replace(
                    phase,
                    phase_name=cut(phase.phase_name, LONGEST_TITLE),
                    duration=cut(phase.duration, LONGEST_TITLE),
                    tasks=tuple(tasks[place]),
                )
                for place, phase in enumerate(said.phases)
                if place in tasks
            ),
        )

    def _task_ids(self, said: list[str]) -> list[str]:
        """Return an id for each task: its own, or a new one where that is none, or is another task's already."""
        ids: list[str] = []
        own = {each for each in said if self._is_task_id(each)}
        for each in said:
            task_id = each if each in own and each not in ids else self._new_id({*own, *ids})
            self._renamed.setdefault(each, task_id)
            ids.append(task_id)
        return ids

    def _is_task_id(self, said: str) -> bool:
        return said in self._tasks or bool(_TASK_ID.fullmatch(said))

    def _new_id(self, taken: Collection[str]) -> str:
        self.dropped["ids of tasks"] += 1
        return next(each for number in count(1) if (each := f"task-{number}") not in taken and each not in self._tasks)

    def _task(self, said: PlanTask, task_id: str, ids: Collection[str]) -> PlanTask:
        before = [self._renamed.get(each.strip(), "") for each in said.depends_on]
        depends_on = tuple(dict.fromkeys(each for each in before if each in ids and each != task_id))
        if len(depends_on) < len(said.depends_on):
            self.dropped["tasks to depend on"] += len(said.depends_on) - len(depends_on)
        hours = said.estimated_hours
        if hours > MOST_HOURS:
            self.dropped["hours"] += 1
            hours = 0
        return replace(
            said,
            task_id=task_id,
            title=cut(said.title, LONGEST_TITLE),
            owner=self._person(said.owner),
            estimated_hours=round(hours, 2),
            starts=self._date(said.starts),
            deadline=self._date(said.deadline),
            tags=sentences_of(said.tags, MOST_TAGS, 40),
            depends_on=depends_on,
            expected_output=cut(said.expected_output, LONGEST_DETAIL),
            acceptance_criteria=sentences_of(said.acceptance_criteria, MOST_CRITERIA, LONGEST_DETAIL),
            because=self._arguments(said.because, MOST_IDS),
        )

    def _critique(self, said: Critique) -> Critique:
        return replace(
            said,
            risks=tuple(map(self._risk, said.risks)),
            suggestions=tuple(map(self._suggestion, said.suggestions)),
        )

    def _risk(self, said: Risk) -> Risk:
        return replace(
            said,
            risk=cut(said.risk, LONGEST_SENTENCE),
            impact=cut(said.impact, LONGEST_SENTENCE),
            task_id=self._task_named(said.task_id),
            repeats=self._repeated(said.repeats, "risk"),
        )

    def _suggestion(self, said: Suggestion) -> Suggestion:
        # A task that a suggestion adds may be named by what else is suggested.
        for each in said.changes:
            added = each.task_id.strip()
            if each.slot == "task" and each.value.strip() and added not in self._renamed:
                self._renamed[added] = added if added and self._is_task_id(added) else self._new_id(())
                self._tasks.add(self._renamed[added])
        return replace(
            said,
            issue=cut(said.issue, LONGEST_SENTENCE),
            solution=cut(said.solution, LONGEST_SENTENCE),
            changes=tuple(filter(None, map(self._change, said.changes))),
            repeats=self._repeated(said.repeats, "suggestion"),
        )

    def _change(self, said: SlotChange) -> SlotChange | None:
        """Return the change as far as it can be made; None where its task or its value does not exist."""
        is_of_task = said.slot not in ("conclusion", "decision", "choice")
        task_id = self._task_named(said.task_id) if is_of_task else ""
        value = self._value(said)
        if value is None or (is_of_task and not task_id):
            self.dropped["changes"] += 1
            return None
        return replace(said, task_id=task_id, value=value)

    def _value(self, said: SlotChange) -> str | None:
        value = said.value.strip()
        match said.slot:
            case "start" | "deadline":
                return (iso_date(value) or None) if value else ""
            case "hours":
                return value if _NUMBER.fullmatch(value) and float(value) <= MOST_HOURS else None
            case "owner":
                return (person(value, self._known.people) or None) if value else ""
            case "decision":
                return value.lower() if value.lower() in DECISIONS else None
            case "choice":
                known = self._known.options
                return (chosen(value, known) if known else cut(value, LONGEST_OPTION)) or None
            case "conclusion":
                return cut(value, LONGEST_SENTENCE) or None
            case _:
                return cut(value, LONGEST_TITLE)

    def _move(self, said: Move) -> Move | None:
        is_of_task = said.slot not in ("conclusion", "decision", "choice")
        is_of_name = is_of_task and said.task_id.strip() in self._names
        task_id = said.task_id.strip() if is_of_name else self._task_named(said.task_id) if is_of_task else ""
        argument = self._argument(said.argument)
        if not argument or (is_of_task and not task_id):
            self.dropped["moves"] += 1
            return None
        return replace(said, task_id=task_id, argument=argument, why=cut(said.why, LONGEST_SENTENCE))

    def _answer_to(self, said: PointAnswer) -> PointAnswer | None:
        argument, answer = self._argument(said.argument), cut(said.answer, LONGEST_SENTENCE)
        return replace(said, argument=argument, answer=answer) if argument and answer else None

    def _flaw(self, said: Flaw) -> Flaw | None:
        argument, flaw = self._argument(said.argument), cut(said.flaw, LONGEST_SENTENCE)
        return replace(said, argument=argument, flaw=flaw) if argument and flaw else None

    # ── the Host, and the brief ───────────────────────────────────────────────────────────────────────────────────

    def _pairs(self, said: Iterable[SlotPair]) -> tuple[SlotPair, ...]:
        """Return each slot once at most."""
        found: dict[str, str] = {}
        for each in said:
            planner, critic = each.planner.strip(), each.critic.strip()
            if planner and critic and planner not in found and critic not in found.values():
                found[planner] = critic
        return tuple(SlotPair(planner=planner, critic=critic) for planner, critic in found.items())

    def _brief(self, said: BriefAnswer) -> BriefAnswer:
        """An option that stands nowhere in the brief is none, and one alone is no choice."""
        labels = [cut(each.label, LONGEST_OPTION) for each in said.options]
        labels = [*dict.fromkeys(each for each in labels if stands_in(each, *self._known.texts))][:MOST_OPTIONS]
        given = self._known.options or (labels if len(labels) > 1 else [])
        ids = {option_id(place): option_id(place) for place in range(len(given))} | {
            each.option_id.strip(): option_id(given.index(label))
            for each in said.options
            if (label := chosen(each.label, given) or chosen(each.option_id, given))
        }
        return replace(
            said,
            language=tag_of(said.language),
            options=tuple(OptionRead(option_id=option_id(place), label=each) for place, each in enumerate(given)),
            facts=tuple(filter(None, (self._fact(each, ids) for each in said.facts))),
        )

    def _fact(self, said: FactRead, ids: Mapping[str, str]) -> FactRead | None:
        """Return what a fact says, as far as all that it names exists: nothing is held against somebody else."""
        read = replace(
            said,
            fact_id=said.fact_id.strip(),
            person_id=self._person(said.person_id),
            option_id=ids.get(said.option_id.strip(), ""),
            task_id=self._task_named(said.task_id),
            before=self._task_named(said.before),
            demands=demanding(said.demands),
            cost=without_words_of(said.cost),
        )
        is_known = read.fact_id == BRIEF or self._known.arguments.get(read.fact_id) == "fact"
        pairs = ((said.person_id, read.person_id), (said.option_id, read.option_id), (said.task_id, read.task_id))
        if not is_known or any(was.strip() and not now for was, now in pairs):
            self.dropped["facts"] += 1
            return None
        return read if read.demands or read.people or read.before or read.cost != Money() else None

    # ── what exists ───────────────────────────────────────────────────────────────────────────────────────────────

    def _argument(self, said: str) -> str:
        argument = said.strip()
        return self._counted(argument if argument in self._known.arguments else "", said, "arguments")

    def _arguments(self, said: Iterable[str], most: int) -> tuple[str, ...]:
        return tuple(dict.fromkeys(filter(None, map(self._argument, said))))[:most]

    def _repeated(self, said: str, kind: str) -> str:
        argument = self._argument(said)
        return self._counted(
            argument if self._known.arguments.get(argument) == kind else "", argument, f"{kind}s before"
        )

    def _task_named(self, said: str) -> str:
        task_id = self._renamed.get(said.strip(), said.strip())
        return self._counted(task_id if task_id in self._tasks else "", said, "tasks")

    def _person(self, said: str) -> str:
        return self._counted(person(said.strip(), self._known.people), said, "people")

    def _option(self, said: str) -> str:
        return self._counted(chosen(said, self._known.options), said, "options")

    def _date(self, said: str) -> str:
        return self._counted(iso_date(said), said, "dates")

    def _counted(self, found: str, said: str, kind: str) -> str:
        if said.strip() and not found:
            self.dropped[kind] += 1
        return found


# ── what it is asked for once more ────────────────────────────────────────────────────────────────────────────────────
# What an answer lacks so much that it is asked for once more, with what is wrong. What is still wrong then is left out
# (`engine.deliberation.rounds.reading`), or argued about.


MOST_TOLD: Final = 12


def faults(said: DebaterAnswer, known: Known, brief: Brief) -> str:
    """Say what is wrong with an answer of the Planner's or the Critic's; empty where nothing is."""
    found = [*_of_position(said, known)]
    if isinstance(said, PlannerAnswer | CriticDraft):
        found += _of_plan(said.plan, known, brief)
        found += _of_choice(said, known)
    if (critique := getattr(said, "critique", None)) is not None:
        found += _of_critique(critique, known)
    return "\n".join([*dict.fromkeys(found)][:MOST_TOLD])


def _of_position(said: DebaterAnswer, known: Known) -> Iterator[str]:
    if known.options and not chosen(said.position.choice, known.options):
        yield "position.choice names none of the brief's options; write one of them, word for word."
    if [each for each in said.moves if each.argument.strip() not in known.arguments]:
        yield "moves name arguments that do not exist; use the ids that are given, and no others."


def _of_choice(said: PlannerAnswer | CriticDraft, known: Known) -> Iterator[str]:
    """What is chosen stands in the tasks."""
    choice = chosen(said.position.choice, known.options)
    if not choice or said.position.decision == "no_go":
        return
    argument = option_id(known.options.index(choice))
    if not any(argument in {each.strip() for each in task.because} for task in said.plan.tasks):
        yield f"No task carries out what is chosen; name {argument} in the `because` of the tasks that do."


def _of_plan(plan: Plan, known: Known, brief: Brief) -> Iterator[str]:
    if not plan.tasks:
        yield "The plan has no task; give at least one, in a phase."
    if len(plan.tasks) > MOST_TASKS:
        yield f"The plan has {len(plan.tasks)} tasks; {MOST_TASKS} are the most. Put together what one person does."
    for task in plan.tasks:
        for name, said in (("starts", task.starts), ("deadline", task.deadline)):
            if said.strip() and not iso_date(said):
                yield f"{name} of {task.task_id} is no date; write it like 2026-03-09."
        if not task.deadline.strip():
            yield f"{task.task_id} has no deadline; give it one."
        elif (deadline := iso_date(task.deadline)) and brief.today and deadline < brief.today:
            yield f"The deadline of {task.task_id} is before today, {brief.today}."
        elif deadline and brief.ends and deadline > brief.ends and task.stage != "after":
            yield f"The deadline of {task.task_id} is after the end, {brief.ends}."
        if task.owner.strip() and not person(task.owner.strip(), known.people):
            yield f"The owner of {task.task_id} is nobody of the brief; use a person_id, or leave it empty."


def _of_critique(critique: Critique, known: Known) -> Iterator[str]:
    for suggestion in critique.suggestions:
        for change in suggestion.changes:
            if not _is_possible(change, known):
                yield f"A change of {change.slot} has a value that cannot be; write it in the form that was asked for."
    check = critique.validity_check
    if check.has_no and not critique.risks and not critique.suggestions:
        yield "validity_check has a false, and no risk and no suggestion says why."


def _is_possible(change: SlotChange, known: Known) -> bool:
    value = change.value.strip()
    match change.slot:
        case "start" | "deadline":
            return not value or bool(iso_date(value))
        case "owner":
            return not value or bool(person(value, known.people))
        case "choice":
            return bool(chosen(value, known.options))
    return True
