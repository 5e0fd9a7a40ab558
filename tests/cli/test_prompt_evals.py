"""Cases of single prompts: there are enough in both languages, each can fail, and the offline model passes."""

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest
from msgspec.structs import replace

from bot.commands.evals import OF_PROMPTS, evaluate, parts
from bot.demo.deliberation.evals.play import Arguing
from bot.demo.deliberation.evals.prompts import RULES as OF_DELIBERATIONS
from bot.demo.delivery.evals.rules import RULES as OF_DELIVERIES
from bot.demo.evals.part import EvalsPart, Table
from bot.demo.evals.questions.cases import Expected, PromptCase
from bot.demo.evals.questions.checks import CHECKS, Asked, Rule, faults, unmet
from bot.demo.evals.questions.posing import Recorder
from bot.demo.negotiation.evals.prompts import RULES as OF_NEGOTIATIONS
from bot.models import needed_prompts, offline_model
from bot.protocol_row import policies
from bot.registry import PROTOCOLS
from engine.deliberation.answers import Critique, FactRead, Risk, SlotPair
from engine.delivery.answers import AdviseAnswer, PlanAnswer, PlannedTask, ProposeAnswer, WorkAnswer
from engine.errors import Misconfigured
from engine.facts.language import Language
from engine.llm.port import Question
from engine.negotiation.answers import Covering
from tests.profiles.people import shipped

from .conftest import Towow

PARTS: Final = {name: part for name, part in parts(PROTOCOLS).items() if name.endswith(OF_PROMPTS)}
RULES: Final[Mapping[str, Mapping[str, Sequence[Rule]]]] = {
    "negotiation": OF_NEGOTIATIONS,
    "deliberation": OF_DELIBERATIONS,
    "delivery": OF_DELIVERIES,
}
PROFILES: Final = shipped()
FEWEST: Final = 5
FEWEST_OF_ONE_LANGUAGE: Final = 1
OTHER: Final[Mapping[Language, str]] = {
    "zh": "Somebody has written all of this in English instead.",
    "en": "这一整段话都是用中文写的，而不是英文。",
}
WITHOUT_TEXTS: Final = frozenset({f"directory{OF_PROMPTS}"})
"""Whose answers are data alone: they have no language, and rules read only a part of what a model reads."""


ARGUED: Final = f"deliberation{OF_PROMPTS}"
"""Rules argue nothing: there the answers are of two who say nothing of their own, and no judgement is expected."""


RIGHT: Final[Mapping[str, Any]] = {
    "plan/en-open-day": PlanAnswer(
        tasks=(
            PlannedTask(
                task_id="task-1",
                title="Write the invitation",
                owner="writer",
                expected_outputs=("invitation.md",),
                deadline="2026-12-01",
            ),
            PlannedTask(task_id="task-2", title="Book the hall", owner="person-1", expected_outputs=("Confirmation",)),
            PlannedTask(
                task_id="task-3",
                title="Print the posters",
                owner="person-2",
                expected_outputs=("Photo of the posters",),
                depends_on=("task-1",),
            ),
        )
    ),
    "propose/en-migration": ProposeAnswer(
        summary="Copy the members first, look, and only then move them.",
        draft_steps=("Make a copy and count the members in it", "Move them, and count again"),
        open_questions=("How long does a copy take?",),
        risks=("Members are lost on the way; the two counts differ then",),
    ),
    "work/en-invitation": WorkAnswer(outputs=("You are invited to our open day on 12 December, 14:00 to 18:00.",)),
    "advise/en-known": AdviseAnswer(action="answer", text="The hall holds 80 people."),
}
"""Answers to cases that take judgement, by the case."""


class Kept:
    """The questions of a protocol's cases, and answers of the right form."""

    def __init__(self, part: EvalsPart) -> None:
        self.cases = {case.id: case for case in part.load(None) if isinstance(case, PromptCase)}
        self.model = Arguing() if part is PARTS[ARGUED] else offline_model(PROTOCOLS)
        recorder = Recorder(self.model)
        table = Table(recorder, needed_prompts(PROTOCOLS), PROFILES, policies(PROTOCOLS)["balanced"])

        async def played() -> list[Any]:
            return [await part.play(case, table) for case in self.cases.values()]

        self.outcomes = asyncio.run(played())
        self.questions: dict[str, Question[Any]] = {
            each.key.stream: each for each in recorder.questions if each.key is not None
        }

    def answer(self, case: str) -> Any:
        """Return a right answer: the one written down, where it takes judgement; else that of whoever answers here."""
        if case in RIGHT:
            return RIGHT[case]
        return asyncio.run(self.model.answer(self.questions[case])).value


@cache
def _kept(part: str) -> Kept:
    return Kept(PARTS[part])


@pytest.fixture(scope="module", params=[each for each in PARTS if each not in WITHOUT_TEXTS])
def kept(request: pytest.FixtureRequest) -> Kept:
    return _kept(request.param)


def test_every_prompt_has_cases_in_both_languages() -> None:
    cases = Counter[str]()
    languages = Counter[tuple[str, str]]()
    for name, part in PARTS.items():
        for case in part.load(None):
            prompt = f"{name.removesuffix(OF_PROMPTS)}/{case.id.partition('/')[0]}"
            cases[prompt] += 1
            languages[prompt, case.id.partition("/")[2][:2]] += 1
    assert set(cases) == set(needed_prompts(PROTOCOLS))
    assert {prompt: number for prompt, number in cases.items() if number < FEWEST} == {}
    assert {(p, of) for p in cases for of in ("zh", "en") if languages[p, of] < FEWEST_OF_ONE_LANGUAGE} == set()


def test_the_offline_model_passes(kept: Kept) -> None:
    judged = {"expected"} if kept is _kept(ARGUED) else set[str]()
    held = [each for each in kept.outcomes if not kept.cases[each.case.id].needs_model]
    found = {each.case.id: {name for name, said in each.faults.items() if said} - judged for each in held}
    assert {id_: names for id_, names in found.items() if names} == {}


def test_each_case_is_in_the_language_that_its_name_says(kept: Kept) -> None:
    asked = {id_: Asked(case, kept.questions[id_]).language for id_, case in kept.cases.items()}
    assert asked == {id_: id_.partition("/")[2][:2] for id_ in asked}


def test_each_case_can_fail(kept: Kept) -> None:
    """An answer in the wrong language is wrong in every case, whatever else it says."""
    lenient = []
    for id_, case in kept.cases.items():
        asked = Asked(case, kept.questions[id_])
        wrong = spoiled(kept.answer(id_), OTHER[asked.language])
        if id_.startswith(("brief/", "verify/")):  # these return data, and nobody reads it
            continue
        if not faults(asked, wrong)["language"]:
            lenient.append(id_)
    assert lenient == []


def test_each_expectation_can_fail(kept: Kept) -> None:
    """Whatever is expected of a case, there is an answer of its form that is not it."""
    lenient = []
    for id_, case in kept.cases.items():
        for name, said in case.expect.model_dump().items():
            for path, value in said.items():
                one = Expected.model_validate({name: {path: value}})
                if not any(list(unmet(one, each)) for each in _others(one)):
                    lenient.append(f"{id_}: {name} {path}")
    assert lenient == []


def _others(expected: Expected) -> list[Any]:
    """Plain answers that are empty, too long, or say just what must not be said."""
    refused = [_readable(each) for of in expected.never.values() for each in of]
    many = {path: [0] * 100 for path in expected.count}
    return [{}, _nested(dict.fromkeys(expected.never, refused)), _nested(many), refused]


def _readable(pattern: str) -> str:
    return pattern.partition("|")[0].replace("\\", "")


def _nested(values: Mapping[str, Any]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for path, value in values.items():
        *above, last = path.split(".")
        at = made
        for name in above:
            at = at.setdefault(name, {})
        at[last] = value
    return made


def spoiled(answer: Any, text: str) -> Any:
    """Put a text into every field that people read."""
    changed: dict[str, Any] = {}
    for name, value in ((each, getattr(answer, each)) for each in answer.__struct_fields__):
        if name in (
            "content",
            "summary",
            "intent_summary",
            "reasoning",
            "analysis",
            "surface_demand",
            "notes",
            "text",
            "understood",
        ):
            changed[name] = text
        elif name in ("condition_1_analysis", "worst_case", "answers", "next_actions", "title"):
            changed[name] = text if isinstance(value, str) else (text,)
        elif name == "tasks" and value:
            changed[name] = tuple(spoiled(each, text) for each in value)
    return replace(answer, **changed)


Change = Callable[[Any], Any]
RAIN: Final = Risk(risk="It rains")


@pytest.mark.parametrize(
    ("part", "case", "check", "change"),
    [
        ("negotiation", "understand/en-budget", "rules", lambda it: replace(it, question="What?")),
        ("negotiation", "understand/zh-hours", "dates", lambda it: replace(it, uncertainties=("[TBD] 2023-05-01？",))),
        ("negotiation", "understand/zh-meetup", "form", lambda it: replace(it, surface_demand="```json 场地```")),
        ("negotiation", "understand/zh-wedding", "expected", lambda it: replace(it, needs=it.needs[:1])),
        ("negotiation", "filter/en-prototype", "names", lambda it: _first(it, agent_id="user_agent_nobody")),
        ("negotiation", "filter/en-prototype", "rules", lambda it: _first(it, display_name="Somebody Else")),
        ("negotiation", "filter/en-tractor", "names", lambda it: replace(it, analysis="Nobody but Sauron can do it")),
        ("negotiation", "respond/zh-venue", "rules", lambda it: replace(it, decline_reason="我没有时间")),
        ("negotiation", "respond/zh-venue", "names", lambda it: replace(it, covers=(Covering(need_id="need_77"),))),
        ("negotiation", "respond/en-facilitator", "rules", lambda it: replace(it, conditions=())),
        ("negotiation", "aggregate/zh-meetup", "rules", lambda it: replace(it, assignments=it.assignments * 2)),
        ("negotiation", "aggregate/zh-meetup", "rules", lambda it: replace(it, assignments=it.assignments[1:])),
        ("negotiation", "aggregate/zh-meetup", "rules", lambda it: replace(it, conditions=())),
        ("negotiation", "feedback/en-content", "rules", lambda it: replace(it, adjustment_request="Ten more")),
        ("negotiation", "feedback/zh-venue-wish", "rules", lambda it: replace(it, adjustment_request="")),
        ("negotiation", "adjust/zh-one-left", "rules", lambda it: replace(it, adjustment_summary=None)),
        ("negotiation", "adjust/zh-two-granted", "rules", lambda it: replace(it, assignments=it.assignments[1:])),
        ("negotiation", "gaps/zh-whole", "rules", lambda it: replace(it, is_complete=False)),
        ("negotiation", "recurse/zh-photographer", "rules", lambda it: replace(it, condition_3_met=False)),
        ("negotiation", "compromise/en-speaker-stays", "rules", lambda it: replace(it, suggestions=())),
        ("deliberation", "plan/en-ielts", "rules", lambda it: replace(it, plan=replace(it.plan, phases=()))),
        ("deliberation", "plan/en-ielts", "fits", lambda it: replace(it, plan=replace(it.plan, phases=()))),
        ("deliberation", "plan/en-venue", "rules", lambda it: _choosing(it, "The Moon")),
        (
            "deliberation",
            "criticise/en-content",
            "expected",
            lambda it: replace(it, critique=Critique(risks=(RAIN,) * 9)),
        ),
        ("deliberation", "host/en-ielts", "rules", lambda it: replace(it, content="converge")),
        ("deliberation", "host/en-ielts", "rules", lambda it: replace(it, content="agree " * 200)),
        (
            "deliberation",
            "host/en-ielts",
            "rules",
            lambda it: replace(it, pairs=(SlotPair(planner="p1", critic="c9"),)),
        ),
        ("deliberation", "brief/en-budget", "rules", lambda it: replace(it, facts=(FactRead(fact_id="fact-99"),))),
        ("deliberation", "close/en-critic-venue", "rules", lambda it: replace(it, worst_case="")),
        ("deliberation", "report/en-venue", "rules", lambda it: replace(it, open_disagreements=(), dissent=())),
        ("deliberation", "reply/en-venue", "rules", lambda it: replace(it, arguments=("risk-99",))),
        ("delivery", "clarify/en-clear", "rules", lambda it: replace(it, questions=("Why?",) * 4)),
        ("delivery", "plan/en-open-day", "rules", lambda it: _task(it, owner="person-9")),
        ("delivery", "plan/en-open-day", "dates", lambda it: _task(it, deadline="2023-12-01")),
        ("delivery", "plan/en-open-day", "rules", lambda it: _task(it, depends_on=(it.tasks[0].task_id,))),
        ("delivery", "propose/en-migration", "rules", lambda it: replace(it, risks=())),
        ("delivery", "discuss/en-one-question", "rules", lambda it: replace(it, answers=())),
        ("delivery", "instruct/en-agent", "rules", lambda it: replace(it, resources=("made-up.xlsx",))),
        ("delivery", "work/en-invitation", "rules", lambda it: replace(it, outputs=("Write to me@example.org",))),
        ("delivery", "review/en-failed-check", "rules", lambda it: replace(it, decision="approved")),
        ("delivery", "advise/en-known", "rules", lambda it: replace(it, action="reassign", role_id="nobody")),
        ("delivery", "report/en-one-left", "rules", lambda it: replace(it, summary="Fine.", next_steps=())),
    ],
)
def test_each_check_can_fail(part: str, case: str, check: str, change: Change) -> None:
    kept = _kept(f"{part}{OF_PROMPTS}")
    asked = Asked(kept.cases[case], kept.questions[case], ("Sauron",))
    rules = RULES[part][kept.cases[case].prompt]
    before = faults(asked, kept.answer(case), rules)
    assert not any(said for name, said in before.items() if name == check)
    assert faults(asked, change(kept.answer(case)), rules)[check]


def _first(shortlist: Any, **changed: str) -> Any:
    first, *others = shortlist.definitely_related
    return replace(shortlist, definitely_related=(replace(first, **changed), *others))


def _choosing(answer: Any, choice: str, **changed: str) -> Any:
    return replace(answer, position=replace(answer.position, choice=choice, **changed))


def test_the_command_tells_what_came_of_the_cases_of_a_prompt(towow: Towow) -> None:
    said = towow("evals", "negotiation-prompts", "--prompt", "compromise", "--json").report
    assert said["cases"] == said["passed"] >= FEWEST
    assert set(said["protocols"]["negotiation-prompts"]["checks"]) == set(CHECKS)
    of = said["prompts"]["negotiation/compromise"]
    assert (of["cases"], of["calls"], of["models"], of["cost_usd"]) == (said["cases"], 0, ["offline"], 0)
    assert of["hash"] == needed_prompts(PROTOCOLS)["negotiation/compromise"].content_hash


def test_a_prompt_that_nobody_knows_is_refused(towow: Towow) -> None:
    done = towow("evals", "negotiation-prompts", "--prompt", "guess")
    assert done.code == 2
    assert "guess" in done.err
    assert "negotiation/respond" in done.err
    assert "none in deliberation" in towow("evals", "deliberation", "--prompt", "plan").err


def test_a_prompt_may_be_called_as_the_report_calls_it(towow: Towow) -> None:
    assert set(towow("evals", "--prompt", "delivery/report", "--json").report["prompts"]) == {"delivery/report"}
    both = towow("evals", "--prompt", "report", "--json").report["prompts"]
    assert set(both) == {"delivery/report", "deliberation/report"}


def test_who_names_no_case_is_told_of_one_like_it(towow: Towow) -> None:
    done = towow("evals", "negotiation-prompts", "--case", "zh-venue")
    assert done.code == 2
    assert "Did you mean respond/zh-venue?" in done.err


def test_two_results_are_held_against_each_other(towow: Towow, tmp_path: Path) -> None:
    case = ("evals", "deliberation-prompts", "--case", "host/en-ielts", "--case", "host/zh-ielts", "--json")
    first = towow(*case).report
    second = json.loads(json.dumps(first))
    second["prompts"]["deliberation/host"] |= {"models": ["small"], "hash": "changed", "passed": 1, "cost_usd": None}
    worse = second["protocols"]["deliberation-prompts"]["results"][0]
    worse["faults"] = {"language": ["content is in another language"]}
    for name, report in (("one.json", first), ("other.json", second)):
        (tmp_path / name).write_text(json.dumps(report), "utf-8")
    done = towow("evals", "compare", tmp_path / "one.json", tmp_path / "other.json", "--json")
    assert done.code == 3
    assert done.report["passed"] == [2, 1]
    assert done.report["only_first"] == {f"deliberation-prompts {worse['id']}": worse["faults"]}
    assert not done.report["only_second"]
    assert not done.report["prompts"]["deliberation/host"]["same_words"]
    told = towow("evals", "compare", tmp_path / "other.json", tmp_path / "one.json")
    assert told.code == 0
    assert "no price" in told.out
    assert worse["id"] in told.out


def test_only_two_results_can_be_compared(towow: Towow, tmp_path: Path) -> None:
    assert towow("evals", "compare", tmp_path / "one.json").code == 2
    (tmp_path / "no.json").write_text("[]", "utf-8")
    assert "towow evals --json" in towow("evals", "compare", tmp_path / "no.json", tmp_path / "no.json").err


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("- {id: a, prompt: filter}", "either a scene"),
        ("- {id: a, prompt: guess, scene: zh-meetup}", "no prompt is called 'guess'"),
        ("- {id: a, prompt: filter, scene: zh-meetup, expect: {says: {analysis: ['(']}}}", "no regular expression"),
    ],
)
def test_a_broken_case_is_named(tmp_path: Path, written: str, message: str) -> None:
    file = tmp_path / "cases.yaml"
    file.write_text(written, "utf-8")
    with pytest.raises(Misconfigured, match=message):
        PARTS["negotiation-prompts"].load(file)


async def test_a_scene_that_does_not_ask_it_is_named() -> None:
    case = PromptCase(id="a", prompt="compromise", scene="zh-poster")
    with pytest.raises(Misconfigured, match="0 times"):
        await evaluate(PARTS["negotiation-prompts"], [case], PROFILES, None, PROTOCOLS)


def _task(plan: Any, **changed: Any) -> Any:
    first, *others = plan.tasks
    return replace(plan, tasks=(replace(first, **changed), *others))
