"""The tools of the Planner and the Critic, in the shapes of seed 001, section 3."""

from typing import Any

import pytest
from msgspec.structs import replace

from engine.deliberation.rounds.tools import MOST_TEXTS, compare_positions, tools_for
from engine.llm.conversation import call_tool
from engine.llm.encoder import Meaning
from engine.llm.tools import ToolFault, ToolRefused, ToolUnavailable

from .encoders import counting, no_encoder
from .scenario import BRIEF, opened

NEAR = ("Book the room by 7 December", "Book the room by 7 December, since it is wanted")
FAR = "Do not book any room"


async def called(name: str, said: Any, encoder: Meaning | None = None) -> Any:
    state = opened(brief=replace(BRIEF, time_zone="Asia/Shanghai")).state
    tools = tools_for(state, encoder or counting()[0])
    return await call_tool(tools, name, said, seconds=5)


async def test_positions_are_compared_in_the_seeds_shape() -> None:
    outcome = await called("compare_positions", {"texts": [*NEAR, FAR]})
    assert outcome.result["success"] is True
    data = outcome.result["data"]
    assert list(data) == [
        "embeddings", "similarity_matrix", "mean_similarity", "most_different_pair", "most_different_similarity",
    ]  # fmt: skip
    assert [len(each) for each in data["embeddings"]] == [64, 64, 64]
    matrix = data["similarity_matrix"]
    assert [matrix[each][each] for each in range(3)] == [1.0, 1.0, 1.0]
    assert matrix[0][1] > matrix[0][2]
    assert 2 in data["most_different_pair"]
    assert data["most_different_similarity"] == min(matrix[0][1], matrix[0][2], matrix[1][2])
    assert data["mean_similarity"] == pytest.approx((matrix[0][1] + matrix[0][2] + matrix[1][2]) / 3, abs=1e-3)


async def test_the_time_is_the_sessions() -> None:
    now = (await called("get_now", {})).result["data"]
    assert now == {
        "now": "2027-01-15T16:00:00",
        "timezone": "Asia/Shanghai",
        "weekday": "Friday",
        "date": "2027-01-15",
    }
    offset = {"years": 0, "months": 0, "weeks": 2, "days": 3, "hours": 0}
    date = (await called("calculate_date", {"base_date": "2025-12-04", "offset": offset})).result["data"]
    assert date == {"result_date": "2025-12-21", "weekday": "Sunday"}


@pytest.mark.parametrize("texts", [(), ("One",), ("A",) * (MOST_TEXTS + 1)])
def test_too_few_and_too_many_texts_are_refused(texts: tuple[str, ...]) -> None:
    with pytest.raises(ToolRefused, match="two to"):
        compare_positions(texts, counting()[0])


async def test_without_an_encoder_the_tool_does_not_work_and_the_model_is_told() -> None:
    with pytest.raises(ToolUnavailable):
        compare_positions(NEAR, no_encoder())
    outcome = await called("compare_positions", {"texts": [*NEAR]}, no_encoder())
    assert outcome.call.fault is ToolFault.FAILED
    assert outcome.result["success"] is False
