"""Puts the question of a case to a model, and says what is wrong with the answer."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from msgspec.structs import replace

from bot.demo.evals.part import TENANT, EvalsPart, MakeCase, Outcome, Table
from bot.demo.evals.questions.cases import PromptCase, load_prompt_cases
from bot.demo.evals.questions.checks import ANSWERED, CHECKS, Asked, Rule, faults
from engine.errors import Misconfigured, ModelError
from engine.kernel import StreamKey
from engine.llm.port import OFFLINE, Answer, Model, Question, Returns

NONCE: Final = "evals-of-prompts"

Compose = Callable[[PromptCase, Table], Awaitable[Question[Any]]]
"""Makes the question of a case, with what stands in the prompt's file."""


class Recorder:
    """A model that answers as another one does, and keeps the questions."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self.questions: list[Question[Any]] = []

    async def answer(self, question: Question[Returns]) -> Answer[Returns]:
        self.questions.append(question)
        return await self._model.answer(question)


async def played_once(
    table: Table, scene: str, play: Callable[[Recorder], Awaitable[object]], model: Model
) -> Sequence[Question[Any]]:
    """Return the questions that are put while a scene is played, which is done for the first case that asks.

    Args:
        model: answers them.
    """

    async def questions() -> Sequence[Question[Any]]:
        recorder = Recorder(model)
        await play(recorder)
        return recorder.questions

    if scene not in table.kept:
        table.kept[scene] = asyncio.ensure_future(questions())
    found: Sequence[Question[Any]] = await table.kept[scene]
    return found


def chosen(
    case: PromptCase, name: str, questions: Sequence[Question[Any]], subject: Callable[[Question[Any]], str]
) -> Question[Any]:
    """Return the question that a case means, of all that were put while its scene was played.

    Args:
        name: the prompt's.
        subject: whom or what a question is about.

    Raises:
        Misconfigured: it was not put.
    """
    found = [each for each in questions if each.prompt.name == name]
    found = [each for each in found if case.about in ("", subject(each))]
    if len(found) < case.nth:
        raise Misconfigured([f"{case.id}: the scene {case.scene!r} asks {name} {len(found)} times of {case.about!r}."])
    return found[case.nth - 1]


def part_of(
    protocol: str,
    prompts: Sequence[str],
    compose: Compose,
    rules: Mapping[str, Sequence[Rule]],
    *,
    told: MakeCase | None = None,
) -> EvalsPart:
    """Return what a protocol's prompts add to ``towow evals``.

    Args:
        rules: by prompt, what holds of each of its answers.
        told: as `EvalsPart.told`.
    """

    def load(path: Path | None) -> Sequence[PromptCase]:
        return load_prompt_cases(protocol, prompts, path)

    async def play(case: PromptCase, table: Table) -> Outcome:
        composed = await compose(case, table)
        prompt = table.prompts[f"{protocol}/{case.prompt}"]
        question = replace(composed, prompt=prompt, key=StreamKey(TENANT, case.id), until=0)
        question = replace(question, language=question.language or case.tag)
        everybody = [each.user_name for each in table.profiles.values()]
        asked = Asked(case, question, tuple(everybody))
        try:
            prompt.render(question.given, NONCE, question.language)
            answer = await table.model.answer(question)
        except (ModelError, ValueError) as error:
            return Outcome(case, "no answer", dict.fromkeys(CHECKS, ()) | {ANSWERED: (str(error),)})
        if answer.model == OFFLINE:  # rules are told of those, too, whom they may look up
            told = {each.user_name for look_up in question.beside.values() for each in look_up()}
            asked = Asked(case, question, tuple(each for each in everybody if each not in told))
        found = faults(asked, answer.value, rules.get(case.prompt, ()))
        return Outcome(case, "right" if not any(found.values()) else "wrong", found)

    return EvalsPart(load, play, CHECKS, told)
