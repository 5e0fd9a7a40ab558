"""What an agent is told, and what it says back."""

from pathlib import Path

import pytest

from engine.workers.acp import AgentTrouble, ask_agent
from engine.workers.acp_lines import LONGEST_ISSUE, MOST_ISSUES, UNSAID, read_blocked

from .conftest import LIMITS, ROLE, Bench


async def test_an_agent_is_told_its_task_as_it_is_and_what_must_be_there(bench: Bench) -> None:
    await bench.attempt("writes", text="Write $task, not {outputs}; `rm -rf /` is only a text.")
    assert bench.told().startswith("Write $task, not {outputs}; `rm -rf /` is only a text.\n\nIn the end")
    assert "- `plan.md`: The plan\n" in bench.told()


async def test_an_agent_that_follows_another_is_told_so(bench: Bench) -> None:
    await bench.attempt("writes", attempt=2)
    assert bench.told().startswith("Somebody has worked on this before you")


async def test_an_agent_says_what_it_lacks_in_a_file(bench: Bench) -> None:
    outcome = await bench.attempt("is blocked")
    assert (outcome.failure, outcome.registered) == (None, ())
    assert outcome.issues == ("What I lack", "the budget", "whose the hall is")


async def test_what_it_lacked_before_is_forgotten(bench: Bench) -> None:
    (bench.directory / "BLOCKED.md").write_text("the budget")
    assert (await bench.attempt("writes")).issues == ()


async def test_a_link_is_no_excuse(bench: Bench) -> None:
    outcome = await bench.attempt("links its excuse")
    assert (outcome.failure, outcome.issues) == ("evidence_missing", ())


async def test_an_agent_says_what_it_thinks_of_a_proposal(bench: Bench) -> None:
    outcome = await bench.attempt("discusses", purpose="discuss")
    assert (outcome.failure, outcome.agrees) == (None, False)
    assert outcome.answers == ("On Friday",)
    assert outcome.issues == ("The hall is not free",)
    assert "Do not begin yet" in bench.told()


async def test_what_it_says_after_its_turn_was_answered_is_waited_for(bench: Bench) -> None:
    outcome = await bench.attempt("disagrees late", purpose="discuss")
    assert (outcome.failure, outcome.agrees, outcome.issues) == (None, False, ("The hall is not free",))


async def test_the_last_words_of_ordinary_work_are_waited_for(bench: Bench) -> None:
    assert (await bench.attempt("tells late what it did")).summary == "I have written the plan. It costs 40."


@pytest.mark.parametrize(
    ("how", "failure"),
    [
        pytest.param("agrees and dies", "exit", id="dies before it has said all"),
        pytest.param("disagrees late and shortly", "protocol", id="says both"),
    ],
)
async def test_who_cannot_be_heard_out_does_not_agree(bench: Bench, how: str, failure: str) -> None:
    outcome = await bench.attempt(how, purpose="discuss")
    assert (outcome.failure, outcome.agrees) == (failure, False)


async def test_an_answer_that_cannot_be_read_is_none(bench: Bench) -> None:
    assert (await bench.attempt("chats", purpose="discuss")).failure == "protocol"


async def test_an_agent_can_be_asked(bench: Bench) -> None:
    launch = bench.launch("chats")
    assert await ask_agent(ROLE, "What do you think?", launch, LIMITS, bench.clock) == "Sounds good to me!"
    assert bench.told() == "What do you think?"
    assert bench.left() == []


async def test_an_agent_that_is_asked_may_refuse(bench: Bench) -> None:
    with pytest.raises(AgentTrouble, match="refuses") as trouble:
        await ask_agent(ROLE, "What do you think?", bench.launch("ends with refusal"), LIMITS, bench.clock)
    assert trouble.value.failure == "exit"


@pytest.mark.parametrize(
    ("text", "issues"),
    [
        pytest.param(b"", (UNSAID,), id="empty"),
        pytest.param(b"\n - \n#\n", (UNSAID,), id="nothing but marks"),
        pytest.param(b"\xff\x00\n* the key\n", ("\ufffd", "the key"), id="no text"),
        pytest.param(b"x" * 20_000, ("x" * LONGEST_ISSUE,), id="a long line"),
        pytest.param(b"x\n" * 100, ("x",) * MOST_ISSUES, id="many lines"),
    ],
)
def test_what_an_agent_lacks_is_read_within_bounds(tmp_path: Path, text: bytes, issues: tuple[str, ...]) -> None:
    (tmp_path / "BLOCKED.md").write_bytes(text)
    assert read_blocked(tmp_path) == issues
