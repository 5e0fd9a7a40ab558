"""What is wrong with a plan, so that it cannot be carried out at all."""

from collections import Counter
from collections.abc import Sequence
from graphlib import CycleError, TopologicalSorter

from engine.delivery.terms import MOST_OUTPUTS, MOST_TICKETS, Task


def faults_of(tasks: Sequence[Task]) -> tuple[str, ...]:
    """Return a sentence for each fault; nothing where it can be carried out."""
    found: list[str] = []
    if not tasks:
        return ("There is no task in the plan.",)
    if len(tasks) > MOST_TICKETS:
        found.append(f"The plan has {len(tasks)} tasks; {MOST_TICKETS} are the most.")
    counted = Counter(each.task_id for each in tasks)
    found += [f"Several tasks are called {name}; each needs a name of its own." for name, n in counted.items() if n > 1]
    for each in tasks:
        if not each.task_id:
            found.append("A task has no id.")
        if not each.title.strip():
            found.append(f"The task {each.task_id} has no title.")
        if len(each.outputs) > MOST_OUTPUTS:
            found.append(f"{each.task_id} has {len(each.outputs)} expected outputs; {MOST_OUTPUTS} are the most.")
        found += [
            f"{each.task_id} depends on {name}, which is no task of the plan."
            for name in each.depends_on
            if name not in counted
        ]
    if cycle := cycle_in(tasks):
        found.append(f"{' → '.join(cycle)} wait for each other, so none of them could ever begin.")
    return tuple(found)


def cycle_in(tasks: Sequence[Task]) -> tuple[str, ...]:
    """Return tasks that wait for each other, the first one once more at the end; nothing where none do."""
    known = {each.task_id for each in tasks}
    graph = {each.task_id: [name for name in each.depends_on if name in known] for each in tasks}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return tuple(reversed(error.args[1]))
    return ()
