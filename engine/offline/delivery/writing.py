"""What rules can write for a ticket that is only words: a frame with all that is known, which says what it is."""

from collections.abc import Sequence

from engine.delivery.answers import WorkAnswer
from engine.delivery.given import BriefGiven, ResultGiven, StepsGiven, TaskGiven
from engine.facts.language import language_of
from engine.offline.delivery.phrases import phrase


def work(
    brief: BriefGiven,
    task: TaskGiven,
    instruction: StepsGiven,
    results: Sequence[ResultGiven],
    told: Sequence[str],
) -> WorkAnswer:
    language = language_of(brief.goal)
    texts = []
    for label in task.expected_outputs:
        lines = [f"# {label}", "", f"> {phrase('written', language)}", "", f"**{task.title}**", ""]
        lines.append(phrase("for", language, goal=brief.goal))
        if task.deadline:
            lines += ["", phrase("until", language, day=task.deadline)]
        known = [*(each.text for each in brief.facts), *(f"{each.title}: {each.summary}" for each in results), *told]
        if known:
            lines += ["", f"## {phrase('known', language)}", "", *(f"- {each}" for each in known[:30])]
        lines += ["", f"## {phrase('steps', language)}", "", *(f"- [ ] {each}" for each in instruction.steps[:20])]
        if instruction.acceptance_criteria:
            lines += ["", f"## {phrase('criteria', language)}", ""]
            lines += [f"- [ ] {each}" for each in instruction.acceptance_criteria]
        lines += ["", phrase("to_fill", language), ""]
        texts.append("\n".join(lines))
    return WorkAnswer(outputs=tuple(texts))
