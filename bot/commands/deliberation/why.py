"""What a deliberation says to ``towow why``: on which facts a task rests, and what it goes on from."""

from collections.abc import Iterator
from typing import Final

from bot.commands.why import Step, WhyPart, written
from engine.deliberation.rounds.plans import final_plan
from engine.deliberation.state import Deliberation
from engine.kernel import iso


def _step(state: Deliberation, part: str) -> Step:
    final = final_plan(state)
    task = next((each for each in final.plan.tasks if each.task_id == part), None) if final else None
    said = [f"{state.brief.title or '(its words were erased)'} was argued out: {state.status}"]
    if task is not None:
        said.insert(0, f"task {part} of the plan: {task.title}")
        said += [*_facts(state, task.because)]
    origin = state.brief.origin
    if origin:
        said.append(f"{state.requester_id} had it argued out at {iso(state.opened_at)}")
        return Step(said, origin, task.owner if task else "")
    return Step([*said, written(state.requester_id, state.brief.goal, state.place, iso(state.opened_at))])


def _facts(state: Deliberation, because: tuple[str, ...]) -> Iterator[str]:
    for each in because:
        if (argument := state.arguments.get(each)) is not None:
            yield f"because of {each}, said by {argument.by or 'all'}: {argument.text}"


PART: Final = WhyPart(_step)
