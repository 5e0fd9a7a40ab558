"""Asks the prompts of a deliberation one by one, and what holds of each of their answers."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Any, Final
from unicodedata import east_asian_width

from bot.demo.deliberation.evals.play import Arguing, Case, brief_of, load_cases, play
from bot.demo.evals.part import EvalsPart, Table
from bot.demo.evals.questions.cases import PromptCase
from bot.demo.evals.questions.checks import Rule
from bot.demo.evals.questions.posing import Recorder, chosen, part_of, played_once
from bot.protocol_row import Protocol
from engine.deliberation.answers import (
    BriefAnswer,
    ClosingAnswer,
    CriticAnswer,
    CriticDraft,
    CriticReply,
    DebaterAnswer,
    HostAnswer,
    PlannerAnswer,
    ReportAnswer,
)
from engine.deliberation.asks import RETURNS
from engine.errors import Misconfigured
from engine.llm.port import Question

Given = Mapping[str, Any]
MOST_TASKS: Final = 10
MOST_LISTED: Final = 5
WORDS: Final[Mapping[str, int]] = {"position": 160, "host": 100, "reply": 140, "report": 560}
"""The most words of what people read, by the room that they take: what the prompt asks for, and some more."""

COLUMNS: Final = 6
"""Of a word and the space behind it, on average, as wide as texts are shown."""
_CODES: Final = re.compile(r"\b(?:force_opposition|terminate|converge)\b")
_ID: Final = re.compile(r"\b(?:fact|point|risk|suggestion|finding|person|task)-\d+")


def _length(text: str) -> int:
    """In words of the usual width."""
    return sum(2 if east_asian_width(each) in "WF" else 1 for each in text) // COLUMNS


def _is_short(kind: str) -> Rule:
    def rule(_: Given, answer: DebaterAnswer | HostAnswer | CriticReply | ReportAnswer) -> Iterator[str]:
        if (length := _length(answer.content)) > WORDS[kind]:
            yield f"what people read has {length} words"
        if found := _ID.search(answer.content):
            yield f"what people read holds the id {found.group()}"

    return rule


def _plan_is_sound(given: Given, answer: PlannerAnswer | CriticDraft) -> Iterator[str]:
    brief, tasks = given["brief"], answer.plan.tasks
    people, ids = {each.person_id: each for each in brief.people}, {each.task_id for each in tasks}
    yield from (f"{each} is the id of {times} tasks" for each, times in _ids(answer).items() if times > 1)
    if not 1 <= len(tasks) <= MOST_TASKS:
        yield f"there are {len(tasks)} tasks"
    due = {each.task_id: each.deadline for each in tasks}
    for task in tasks:
        if task.owner and task.owner not in people:
            yield f"{task.title} is given to {task.owner}, who is nobody"
        if not task.deadline:
            yield f"{task.title} has no deadline"
        if not task.acceptance_criteria:
            yield f"nobody can see whether {task.title} is done"
        for before in task.depends_on:
            if before not in ids:
                yield f"{task.title} waits for {before}, which is no task"
            elif due[before] > task.deadline:
                yield f"{task.title} is due before {before}"
    for person_id, person in people.items():
        hours = sum(each.estimated_hours for each in tasks if each.owner == person_id)
        if person.hours is not None and hours > person.hours:
            yield f"{person.name} has {person.hours} hours, and {hours} are planned"


def _ids(answer: PlannerAnswer | CriticDraft) -> Counter[str]:
    """Return the agent ids of people by the names of their files. Somebody who is not in these profiles is left out."""
    return Counter(each.task_id for each in answer.plan.tasks)


def _takes_a_position(given: Given, answer: DebaterAnswer) -> Iterator[str]:
    options, held = [each.label for each in given["brief"].options], answer.position
    if options and held.decision != "no_go" and held.choice not in options:
        yield f"{held.choice!r} is none of the options"
    if not held.key_reasons:
        yield "it gives no reason"


def _moves_nothing_yet(_: Given, answer: DebaterAnswer) -> Iterator[str]:
    if answer.moves or answer.answers or answer.flaws:
        yield "the first version answers somebody"


def _names_its_reasons(given: Given, answer: DebaterAnswer) -> Iterator[str]:
    known = {each.argument_id for each in given["arguments"]} | {each.fact_id for each in given["facts"]}
    known |= {each.argument for each in given["findings"]}
    named = [each.argument for each in answer.moves]
    named += [each.argument for each in answer.answers] + [each.argument for each in answer.flaws]
    yield from (f"{each} is no argument" for each in named if each not in known)


def _answers_what_it_must(given: Given, answer: DebaterAnswer) -> Iterator[str]:
    answered = {each.argument for each in answer.answers}
    for each in given["instructions"].must_address:
        if each.argument and each.argument not in answered:
            yield f"{each.argument} has no answer"


def _keeps_ids(given: Given, answer: PlannerAnswer) -> Iterator[str]:
    yield from (f"{each} is the id of {times} tasks" for each, times in _ids(answer).items() if times > 1)
    before = {each.title: each.task_id for each in given["own"].plan.tasks} if given["own"].plan else {}
    for task in answer.plan.tasks:
        if task.title in before and before[task.title] != task.task_id:
            yield f"{task.title} has lost its id"


def _objects(given: Given, answer: CriticAnswer) -> Iterator[str]:
    critique = answer.critique
    if len(critique.risks) > MOST_LISTED or len(critique.suggestions) > MOST_LISTED:
        yield "it lists more than people read"
    if critique.validity_check.has_no and not (critique.risks or critique.suggestions):
        yield "it says that something does not hold, and not what"
    grave = [each for each in given["findings"] if each.severity == "high"]
    if grave and not (critique.risks or critique.suggestions):
        yield "it has nothing against a plan that cannot be carried out"


def _speaks_plainly(_: Given, answer: HostAnswer) -> Iterator[str]:
    if found := _CODES.search(answer.content):
        yield f"{found.group()} is a code"


def _lays_out_only_what_stands(given: Given, answer: HostAnswer) -> Iterator[str]:
    sides = [{each.slot_id: each.kind for each in given[side]} for side in ("planner", "critic")]
    for pair in answer.pairs:
        kinds = [side.get(said) for side, said in zip(sides, (pair.planner, pair.critic), strict=True)]
        if None in kinds or kinds[0] != kinds[1]:
            yield f"{pair.planner} and {pair.critic} are no pair"


def _reads_what_stands(given: Given, answer: BriefAnswer) -> Iterator[str]:
    known = {each.fact_id for each in given["facts"]} | {"brief"}
    people = {each.person_id for each in given["brief"].people} | {""}
    for fact in answer.facts:
        if fact.fact_id not in known or fact.person_id not in people:
            yield f"{fact.fact_id} of {fact.person_id} is no fact"


def _closes(_: Given, answer: ClosingAnswer) -> Iterator[str]:
    if len(answer.uncertainties) > MOST_LISTED:
        yield f"{len(answer.uncertainties)} uncertainties are more than people read"
    if not answer.worst_case:
        yield "it does not say the worst that can happen"


def _reports_all(given: Given, answer: ReportAnswer) -> Iterator[str]:
    basis = given["basis"]
    if basis.is_divergent and basis.open_disagreements and not (answer.open_disagreements or answer.dissent):
        yield "it leaves out the disagreement"
    if not basis.is_divergent and answer.open_disagreements and not basis.open_disagreements:
        yield "it makes up a disagreement"
    if basis.uncertainties and not answer.remaining_uncertainties:
        yield "it leaves out what is uncertain"
    names = {each.person_id: each.name for each in given["brief"].people}
    for task in given["plan"].tasks:
        if names.get(task.owner, "") not in answer.content:
            yield f"{names[task.owner]} carries something, and is not named"


def _rests_on_what_stands(given: Given, answer: CriticReply) -> Iterator[str]:
    known = {each.argument_id for each in given["arguments"]} | {each.fact_id for each in given["facts"]}
    yield from (f"{each} is no argument" for each in answer.arguments if each not in known)


FIRST: Final[Sequence[Rule]] = (_is_short("position"), _plan_is_sound, _takes_a_position, _moves_nothing_yet)
LATER: Final[Sequence[Rule]] = (
    _is_short("position"),
    _takes_a_position,
    _names_its_reasons,
    _answers_what_it_must,
)

RULES: Final[Mapping[str, Sequence[Rule]]] = {
    "plan": FIRST,
    "draft": FIRST,
    "revise": (*LATER, _keeps_ids),
    "criticise": (*LATER, _objects),
    "brief": (_reads_what_stands,),
    "host": (_is_short("host"), _speaks_plainly, _lays_out_only_what_stands),
    "close": (_closes,),
    "report": (_is_short("report"), _reports_all),
    "reply": (_is_short("reply"), _rests_on_what_stands),
}
"""By prompt."""


@cache
def _goals() -> Mapping[str, Case]:
    """Return the cases that are played from beginning to end, by id."""
    return {each.id: each for each in load_cases()}


async def composed(row: Protocol, case: PromptCase, table: Table) -> Question[Any]:
    """Return the question that a case means. Nobody has judged anything in whatever was answered before it."""
    scene = _goals().get(case.scene)
    if scene is None:
        raise Misconfigured([f"{case.id}: no goal is called {case.scene!r}"])
    brief = brief_of(scene)

    async def deliberated(model: Recorder) -> None:
        await play(row, brief, model, table.prompts, question=case.words)

    questions = await played_once(table, f"deliberation {case.scene} {case.words}", deliberated, Arguing())
    return chosen(case, f"deliberation/{case.prompt}", questions, _whose)


def _whose(question: Question[Any]) -> str:
    return str(question.given.get("role", ""))


def part(row: Protocol) -> EvalsPart:
    return part_of("deliberation", tuple(RETURNS), partial(composed, row), RULES)
