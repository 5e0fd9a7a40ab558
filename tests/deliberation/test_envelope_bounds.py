"""What is no JSON of the deliberation is refused, and what it says names what is wrong and quotes nobody."""

import json
import re
from collections.abc import Iterator
from typing import Any, Final

import pytest
from pydantic import ValidationError

from engine.deliberation.answers import LONGEST_OUTPUT
from engine.deliberation.envelopes.outputs import DEEPEST
from engine.deliberation.envelopes.tools import ENVELOPES

from .envelope_cases import CHECKS, SHAPES, again, read, refusal, with_
from .seed_001 import example

TASK: Final = "metadata.plan.phases.0.tasks.0"
ANALYSIS: Final = "metadata.analysis"
WRONG: Final = [
    ("2.2", "agent_id", "critic", "Agent.PLANNER"),
    ("2.2", "round", 0, "greater than or equal to 1"),
    ("2.2", "round", 6, "less than or equal to 5"),
    ("2.2", "round", "1", "valid integer"),
    ("2.2", "round", True, "valid integer"),
    ("2.2", "output_type", "report", "Input should be 'plan'"),
    ("2.2", "timestamp", "2025-12-04T10:00:00", "pattern"),
    ("2.2", "timestamp", "2025-02-30T10:00:00Z", "no such time"),
    ("2.2", "timestamp", "2025-12-04T24:00:00Z", "pattern"),
    ("2.2", "timestamp", 1764842400, "valid string"),
    ("2.2", "metadata.position.confidence", 1.01, "less than or equal to 1"),
    ("2.2", "metadata.position.confidence", -0.01, "greater than or equal to 0"),
    ("2.2", "metadata.position.confidence", "0.5", "valid number"),
    ("2.2", "metadata.position.confidence", True, "valid number"),
    ("2.2", "metadata.position.key_reasons", "because", "valid array"),
    ("2.2", "metadata.position.key_reasons", ["x"] * 51, "at most 50 items"),
    ("2.2", "metadata.position.conclusion", "x" * 6001, "at most 6000 characters"),
    ("2.2", f"{TASK}.deadline", "2026-02-29", "no calendar has such a day"),
    ("2.2", f"{TASK}.deadline", "20260115", "pattern"),
    ("2.2", f"{TASK}.deadline", "٢٠٢٦-01-15", "pattern"),
    ("2.2", f"{TASK}.deadline", "2026-01-15T00:00:00Z", "pattern"),
    ("2.2", f"{TASK}.estimated_hours", -1, "greater than or equal to 0"),
    ("2.2", f"{TASK}.estimated_hours", "42", "valid integer"),
    ("2.2", "metadata.plan.phases", [{"phase_name": "1", "duration": "", "tasks": []}] * 21, "at most 20 items"),
    ("2.3", "metadata.critique.risks.0.severity", "critical", "'high', 'medium' or 'low'"),
    ("2.3", "metadata.critique.suggestions.0.priority", "High", "'high', 'medium' or 'low'"),
    ("2.3", "metadata.critique.validity_check.feasible", "yes", "valid boolean"),
    ("2.3", "metadata.critique.validity_check.feasible", 1, "valid boolean"),
    ("2.4", "metadata.decision.action", "string", "Action.CONTINUE"),
    ("2.4", "metadata.decision.next_agents", ["judge"], "Agent.REPORTER"),
    ("2.4", f"{ANALYSIS}.consensus_level", 1.2, "less than or equal to 1"),
    ("2.4", f"{ANALYSIS}.similarity_matrix.0.1", -0.5, "greater than or equal to 0"),
    ("2.4", f"{ANALYSIS}.most_different_pair", [0, -1], "greater than or equal to 0"),
    ("2.4", f"{ANALYSIS}.most_different_pair", [0, 1, 2], "at most 2 items"),
    ("2.5", "metadata.final_plan.consensus_level", 0.9, "'high', 'medium' or 'low'"),
    ("2.5", "metadata.final_plan.rounds", 6, "less than or equal to 5"),
    ("3.1 in", "tool", "search", "'compare_positions', 'get_now', 'calculate_date'"),
    ("3.1 in", "texts", ["alone"], "at least 2 items"),
    ("3.1 out", "success", 1, "Unable to extract tag"),
    ("3.2 out", "data.now", "2025-12-04T10:00:00Z", "pattern"),
    ("3.2 out", "data.timezone", "../etc", "pattern"),
    ("3.2 out", "data.weekday", "Thu", "'Monday'"),
    ("3.3 in", "offset.weeks", 10**6 + 1, "less than or equal to"),
    ("3.3 in", "offset.minutes", 1, "Extra inputs"),
    ("4.1", "mode", "single_agent", "'multi_agent'"),
    ("4.1", "status", "max_rounds_reached", "'in_progress', 'converged' or 'terminated'"),
    ("4.1", "agents.host.status", "asleep", "'idle', 'waiting' or 'completed'"),
    ("5.2", "instructions.rounds_remaining", 5, "less than or equal to 4"),
    ("5.3", "instructions.target", "host", "Agent.CRITIC"),
    ("5.4", "action", "terminate", "does not match any of the expected tags"),
    ("6.1 request", "message", " ", "pattern"),
    ("6.1 request", "message", "x" * 4001, "at most 4000 characters"),
    ("7.1", "error", "agent_asleep", "does not match any of the expected tags"),
    ("7.3", "tool", "search", "'compare_positions', 'get_now' or 'calculate_date'"),
    ("8", "changes_from_last_round.confidence_delta", 1.5, "less than or equal to 1"),
]
"""Section, path, value, and why it is refused: what a field says by itself."""
UNFIT: Final = [
    ("2.3", "metadata.critique.target_round", 2, "target_round 2 comes after round 1"),
    ("2.4", f"{ANALYSIS}.similarity_matrix", [[1.0, 0.92], [0.92, 1.0], [0.88, 0.89]], "square"),
    ("2.4", f"{ANALYSIS}.similarity_matrix.0.1", 0.5, "similarity has no direction: [1][0] is 0.92, [0][1] 0.5"),
    ("2.4", f"{ANALYSIS}.similarity_matrix.1.1", 0.99, "[1][1] is 1, not 0.99"),
    ("2.4", f"{ANALYSIS}.most_different_pair", [0, 3], "no pair of 3 positions"),
    ("2.4", f"{ANALYSIS}.most_different_pair", [1, 1], "no pair of 3 positions"),
    ("2.4", f"{ANALYSIS}.most_different_pair", [0, 1], "[0, 1] is 0.92 alike; another one 0.88"),
    ("3.1 out", "data.mean_similarity", 0.86, "mean_similarity is 0.8700, not 0.86"),
    ("3.1 out", "data.most_different_similarity", 0.88, "most_different_similarity is 0.81, not 0.88"),
    ("3.1 out", "data.embeddings.0", [0.1], "one dimension, not [1, 768]"),
    ("3.1 out", "data.embeddings", [[0.1], [0.2]], "2 embeddings, and a similarity_matrix of 3"),
    ("3.2 out", "data.date", "2025-12-05", "now is on 2025-12-04, not on 2025-12-05"),
    ("4.1", "max_rounds", 1, "current_round 2 of 1"),
    ("4.1", "history.0.round", 3, "round 3 has outputs of other rounds: [1]"),
    ("4.1", "history", [{"round": 3, "outputs": []}], "history tells of rounds [3] in round 2"),
    ("4.1", "history", [{"round": 1, "outputs": []}] * 2, "history tells of rounds [1, 1] in round 2"),
    ("4.1", "agents.host.last_output", example("2.2"), "last_output of host is one of planner"),
    ("4.1", "updated_at", "2025-12-04T10:05:00+01:00", "before created_at"),
]
"""What does not fit together, which no schema can say."""


def cases(table: list[tuple[str, str, Any, str]]) -> list[Any]:
    return [pytest.param(*each, id=f"{each[0]} {each[1]}: {str(each[2])[:24]}") for each in table]


@pytest.mark.parametrize(("section", "at", "value", "why"), cases(WRONG))
def test_what_cannot_be_is_refused_and_it_says_why_and_by_the_schema_too(
    section: str, at: str, value: Any, why: str
) -> None:
    name, said = SHAPES[section][0], with_(example(section), at, value)

    assert why in refusal(name, said)
    assert not CHECKS[name].is_valid(said)


@pytest.mark.parametrize(("section", "at", "value", "why"), cases(UNFIT))
def test_what_does_not_fit_together_is_refused_and_it_says_why(section: str, at: str, value: Any, why: str) -> None:
    name, said = SHAPES[section][0], with_(example(section), at, value)

    assert why in refusal(name, said)
    assert CHECKS[name].is_valid(said)


def objects(value: Any, at: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every object within a JSON value, by its path."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    if isinstance(value, dict):
        yield at, value
    for key, each in inside:
        yield from objects(each, f"{at}.{key}".lstrip("."))


@pytest.mark.parametrize("section", SHAPES)
def test_a_field_that_nobody_knows_is_refused_by_its_name_wherever_it_is(section: str) -> None:
    name = SHAPES[section][0]
    for at, _ in objects(example(section)):
        if name == "base_output" and at == "metadata":
            continue  # anything may be in it
        where = f"{at}.unexpected".lstrip(".")
        said = with_(example(section), where, "our secret")
        with pytest.raises(ValidationError) as refused:
            read(name, said)
        [error] = refused.value.errors()
        assert error["msg"] == "Extra inputs are not permitted"
        # Where a union says of which of its classes it speaks, that stands in the path as well.
        assert "our secret" not in refusal(name, said)
        steps = iter(str(each) for each in error["loc"])
        assert all(each in steps for each in where.split("."))
        assert not CHECKS[name].is_valid(said)


SPARED: Final = ("changes_from_last_round", "analysis", "weeks", "days")
"""Other examples are without it; nothing was compared; one of both is enough."""


@pytest.mark.parametrize("section", SHAPES)
def test_no_other_field_of_the_seed_may_be_missing(section: str) -> None:
    name = SHAPES[section][0]
    for at, found in objects(example(section)):
        for key in {*found} - {*SPARED}:
            rest = {each: found[each] for each in found if each != key}
            said = with_(example(section), at, rest) if at else rest
            assert re.search("Field required|Unable to extract tag", refusal(name, said)), f"{at}.{key}"
            assert not CHECKS[name].is_valid(said)


def places(value: Any, at: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Where something else could stand in a JSON value; of a list, its first place."""
    yield at
    inside = [*value.items()] if isinstance(value, dict) else [*enumerate(value)][:1] if isinstance(value, list) else []
    for key, each in inside:
        yield from places(each, (*at, key))


def replaced(value: Any, at: tuple[str | int, ...], new: Any) -> Any:
    if not at:
        return new
    copy = value.copy()
    copy[at[0]] = replaced(value[at[0]], at[1:], new)
    return copy


@pytest.mark.parametrize("levels", [pytest.param(100_000, id="than a stack"), pytest.param(150, id="than anything")])
@pytest.mark.parametrize("section", SHAPES)
def test_what_is_nested_deeper_is_refused_like_anything_else_wherever_it_is(section: str, levels: int) -> None:
    deep = '{"metadata": [' * levels + "]}" * levels
    said, reader = example(section), ENVELOPES[SHAPES[section][0]]
    for at in places(said):
        text = json.dumps(replaced(said, at, "deep")).replace('"deep"', deep)
        with pytest.raises(ValidationError) as refused:
            reader.validate_json(text)
        assert len(str(refused.value)) < 10_000


def test_what_is_known_of_no_metadata_has_bounds_all_the_same() -> None:
    def nested(levels: int) -> Any:
        return {"in": nested(levels - 1)} if levels else 1

    base = example("2.1")

    assert again("base_output", base | {"metadata": nested(DEEPEST)})
    assert "deeper" in refusal("base_output", base | {"metadata": nested(DEEPEST + 1)})
    deep: Any = 1
    for _ in range(100_000):
        deep = {"in": deep}
    with pytest.raises(ValidationError, match="deeper"):
        ENVELOPES["base_output"].validate_python(base | {"metadata": deep})
    assert "values" in refusal("base_output", base | {"metadata": {"in": [[1] * 100] * 100}})


def test_an_output_says_two_thousand_tokens_and_not_a_letter_more() -> None:
    said = example("2.2") | {"content": "词" * LONGEST_OUTPUT}

    assert again("agent_output", said) == said
    assert "at most 6000 char" in refusal("agent_output", said | {"content": "词" * (LONGEST_OUTPUT + 1)})


def test_words_that_are_no_text_are_refused() -> None:
    with pytest.raises(ValidationError):
        ENVELOPES["agent_output"].validate_python(example("2.2") | {"content": "\ud800"})
