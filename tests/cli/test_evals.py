"""``towow evals``: its cases are well made, each check can fail, and the offline model passes."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest
from msgspec.structs import replace

from bot.commands.evals import evaluate, parts
from bot.demo.negotiation.evals.play import CHECKS, Case, faults, load_cases, play
from bot.models import needed_prompts, offline_model, spoken
from bot.protocol_row import policies
from bot.registry import NEGOTIATION, PROTOCOLS
from engine.errors import Misconfigured
from engine.negotiation.answers import Need
from engine.negotiation.state import Negotiation, Status
from engine.negotiation.terms import HeldCondition
from tests.profiles.people import shipped

from .conftest import MEETUP, Towow

CASES: Final = load_cases()
PART: Final = parts(PROTOCOLS)["negotiation"]
PROFILES: Final = shipped()
BALANCED: Final = policies(PROTOCOLS)["balanced"]


def test_there_are_at_least_sixty_demands_and_half_are_chinese() -> None:
    chinese = [each for each in CASES if spoken(each.demand) == "zh"]
    assert len(CASES) >= 60
    assert abs(2 * len(chinese) - len(CASES)) <= len(CASES) * 0.1


@pytest.mark.parametrize("case", CASES, ids=lambda each: each.id)
def test_whom_a_case_names_has_a_profile(case: Case) -> None:
    named = {*case.never, *(each for fitting in case.fits.values() for each in fitting)}
    assert {f"user_agent_{each}" for each in named} <= set(PROFILES)


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("- {id: a, demand: b}", "ends"),
        ("- {id: a, demand: b, ends: [agreed], need: [c]}", "need"),
        ("- {id: a, demand: b, ends: [agreed], needs: ['(']}", "no regular expression"),
        (
            "- {id: a, demand: b, ends: [agreed]}\n- {id: a, demand: c, ends: [agreed]}",
            "more than one case is called a",
        ),
        ("a: [", "no YAML"),
    ],
)
def test_a_broken_case_is_named(tmp_path: Path, written: str, message: str) -> None:
    file = tmp_path / "cases.yaml"
    file.write_text(written, "utf-8")
    with pytest.raises(Misconfigured, match=message):
        load_cases(file)


@pytest.fixture
async def played() -> Negotiation:
    return await play(NEGOTIATION, MEETUP, offline_model(PROTOCOLS), needed_prompts(PROTOCOLS), PROFILES, BALANCED)


MEETUP_CASE: Final = Case(id="zh-meetup", demand=MEETUP, needs=("场地",), people=50, ends=("agreed", "lacking"))


def _plan_says(summary: str) -> Callable[[Negotiation], Negotiation]:
    def changed(state: Negotiation) -> Negotiation:
        assert state.final is not None
        plan = replace(state.final.final_proposal, summary=summary)
        return replace(state, final=replace(state.final, final_proposal=plan))

    return changed


def _with_uncovered_need(state: Negotiation) -> Negotiation:
    assert state.understanding is not None
    lacking = Need(need_id="need_99", what="一艘游艇")
    return replace(state, understanding=replace(state.understanding, needs=(*state.understanding.needs, lacking)))


def _with_broken_condition(state: Negotiation) -> Negotiation:
    broken = HeldCondition(agent_id="user_agent_lin_xiao", condition="早上九点到十一点", met=True, status="broken")
    last = replace(state.proposals[-1], conditions=(broken,))
    return replace(state, proposals=(*state.proposals[:-1], last))


@pytest.mark.parametrize(
    ("check", "case", "change"),
    [
        ("needs", MEETUP_CASE.model_copy(update={"needs": ("翻译",)}), lambda state: state),
        ("numbers", MEETUP_CASE.model_copy(update={"people": 51}), lambda state: state),
        ("people", MEETUP_CASE.model_copy(update={"never": ("chen_mo",)}), lambda state: state),
        ("people", MEETUP_CASE.model_copy(update={"fits": {"场地": ("mei_tan",)}}), lambda state: state),
        ("ends", MEETUP_CASE.model_copy(update={"ends": ("question",)}), lambda state: state),
        ("covered or said", MEETUP_CASE, _with_uncovered_need),
        ("conditions", MEETUP_CASE, _with_broken_condition),
        ("names", MEETUP_CASE, _plan_says("都交给 Nina Rossi 了")),
        ("language", MEETUP_CASE.model_copy(update={"id": "en-meetup"}), lambda state: state),
    ],
)
async def test_each_check_can_fail(
    played: Negotiation, check: str, case: Case, change: Callable[[Negotiation], Negotiation]
) -> None:
    assert played.status in (Status.FINALIZED, Status.FORCE_FINALIZED)
    assert not any(faults(MEETUP_CASE, played, PROFILES).values())
    found = {name for name, said in faults(case, change(played), PROFILES).items() if said}
    assert check in found


async def test_a_date_that_was_not_read_is_found() -> None:
    case = Case.model_validate(
        {"id": "a", "demand": MEETUP, "when": {"first": "2026-12-05", "last": "2026-12-05"}, "ends": ["agreed"]}
    )
    (result,) = await evaluate(PART, [case], PROFILES, BALANCED, PROTOCOLS)
    assert len(result.faults["dates"]) == 2


async def test_the_offline_model_passes_every_case_that_takes_no_model() -> None:
    results = await evaluate(PART, [each for each in CASES if not each.needs_model], PROFILES, BALANCED, PROTOCOLS)
    assert len(results) >= 40
    assert {each.case.id: each.faults for each in results if not each.passed} == {}


def test_the_command_tells_what_came_of_a_case(towow: Towow) -> None:
    done = towow("evals", "--case", "zh-poster", "--json")
    said = json.loads(done.out)
    assert (said["cases"], said["passed"]) == (1, 1)
    assert set(said["protocols"]["negotiation"]["checks"]) == set(CHECKS)
    assert done.code == 0


def test_a_case_that_nobody_knows_is_refused(towow: Towow) -> None:
    done = towow("evals", "--case", "zh-nothing")
    assert done.code == 2
    assert "zh-nothing" in done.err
