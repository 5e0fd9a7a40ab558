"""What somebody has told their twin for good becomes a case that each model can be held to."""

from pathlib import Path

import pytest
import yaml

from .conftest import Towow

MEETUP = "下周六下午在北京办一个50人的AI聚会，需要场地和讲者"


def cases_of(printed: str) -> list[dict[str, object]]:
    found: list[dict[str, object]] = yaml.safe_load(printed)
    return found


@pytest.mark.parametrize("line", ["周六不行", "Only if the host sends a card"])
def test_of_a_line_nothing_is_expected_until_somebody_says_it(towow: Towow, line: str) -> None:
    told = towow("evals", "told", "user_agent_lin_xiao", "--demand", MEETUP, "--line", line)
    assert told.out.startswith("# Nothing is expected of it yet: add expect.\n")
    (case,) = cases_of(told.out)
    assert (case["about"], case["told"], case["scene"]) == ("lin_xiao", [line], MEETUP)
    assert "expect" not in case


def test_what_is_printed_is_a_file_of_cases(towow: Towow, tmp_path: Path) -> None:
    lines = ["--line", "周六不行", "--line", "星期六没空", "--line", "Only if the host sends a card"]
    cases = tmp_path / "told.yaml"
    printed = towow("evals", "told", "lin_xiao", "--demand", MEETUP, *lines).out
    assert len({str(each["id"]) for each in cases_of(printed)}) == 3
    cases.write_text(printed, "utf-8")
    assert towow("evals", "negotiation-prompts", "--cases", str(cases)).code == 0
    expected = [each | {"expect": {"one_of": {"decision": ["decline"]}}} for each in cases_of(printed)]
    cases.write_text(yaml.safe_dump(expected), "utf-8")
    assert towow("evals", "negotiation-prompts", "--cases", str(cases)).code == 3


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nobody", "--demand", MEETUP), "Nobody is called 'nobody'"),
        (("lin_xiao", "--demand", "I want to repair my bike", "--line", "x"), "is not asked for 'I want to repair"),
        (("lin_xiao", "--demand", MEETUP), "holds no line that was told for good"),
        (("lin_xiao",), "takes one name and a demand"),
    ],
    ids=["a stranger", "a demand of others", "no line", "no demand"],
)
def test_what_is_lacking_is_said(towow: Towow, arguments: tuple[str, ...], said: str) -> None:
    told = towow("evals", "told", *arguments)
    assert told.code != 0
    assert said in told.err
