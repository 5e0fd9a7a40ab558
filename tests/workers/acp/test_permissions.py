"""What an agent asks leave for is asked of people, and a recorded answer is for exactly the same question."""

from typing import Any

from msgspec.structs import replace

from engine.workers.port import AnsweredPermission, WorkOutcome

from .conftest import LIBRARY_AGENT, LIMITS, NOW, Bench

HOUR = 3_600_000


def answered(outcome: WorkOutcome, *, is_allowed: bool = True, expires: int = 0) -> dict[str, Any]:
    """The order's changes, once somebody has answered what it asks."""
    assert outcome.permission is not None
    answer = AnsweredPermission(digest=outcome.permission.digest, is_allowed=is_allowed, expires=expires)
    return {"permissions": (answer,), "agent_session": outcome.agent_session, "attempt": 2}


async def test_a_question_stops_the_agent_and_stays(bench: Bench) -> None:
    outcome = await bench.attempt("asks")
    assert outcome.failure is None
    assert outcome.permission is not None
    assert (outcome.permission.kind, outcome.permission.title) == ("execute", "Run a command")
    assert outcome.permission.detail == "rm plan.md"
    assert outcome.agent_session.startswith("session-")
    assert bench.answers()[0] == "cancelled"
    assert (bench.directory / "cancelled").exists()
    assert not (bench.directory / "plan.md").exists()
    assert bench.left() == []


async def test_an_agent_knows_that_its_turn_is_over_before_its_question_is_cancelled(bench: Bench) -> None:
    await bench.attempt("asks")
    assert bench.answers() == ["cancelled", "stopped"]


async def test_an_answer_is_given_at_once_when_the_same_is_asked_again(bench: Bench) -> None:
    asked = await bench.attempt("asks")
    outcome = await bench.attempt("asks", **answered(asked))
    assert (outcome.failure, outcome.permission) == (None, None)
    assert outcome.agent_session == asked.agent_session
    assert outcome.summary == "I have written the plan."
    assert bench.answers() == ["cancelled", "stopped", "allow_once"]
    assert "Do exactly the same step again" in bench.told()


async def test_an_agent_with_the_library_asks_and_is_answered_likewise(bench: Bench) -> None:
    bench.command = (*LIBRARY_AGENT, "asks")
    asked = await bench.attempt("asks", mode="acceptEdits")
    outcome = await bench.attempt("asks", mode="acceptEdits", **answered(asked))
    assert (outcome.failure, outcome.permission) == (None, None)
    assert outcome.agent_session == asked.agent_session
    assert outcome.summary == "I have written the plan."
    assert (outcome.input_tokens, outcome.output_tokens) == (50, 20)
    assert bench.answers() == ["cancelled", "stopped", "allow_once"]
    assert (bench.directory / "mode").read_text() == "acceptEdits"


async def test_a_refusal_is_given_likewise(bench: Bench) -> None:
    asked = await bench.attempt("asks")
    await bench.attempt("asks", **answered(asked, is_allowed=False))
    assert bench.answers() == ["cancelled", "stopped", "reject_once"]


async def test_another_question_is_asked_anew(bench: Bench) -> None:
    asked = await bench.attempt("asks something else when resumed")
    outcome = await bench.attempt("asks something else when resumed", **answered(asked))
    assert outcome.permission is not None
    assert outcome.permission.detail == "rm -r .."
    assert outcome.permission.digest != asked.permission.digest if asked.permission else False
    assert bench.answers() == ["cancelled", "stopped"] * 2


async def test_what_is_allowed_once_is_allowed_once(bench: Bench) -> None:
    asked = await bench.attempt("asks ten times")
    outcome = await bench.attempt("asks ten times", **answered(asked))
    assert outcome.permission == asked.permission
    assert bench.answers() == ["cancelled", "stopped", "allow_once", "cancelled", "stopped"]


async def test_what_is_allowed_for_a_while_is_allowed_ten_times(bench: Bench) -> None:
    asked = await bench.attempt("asks ten times")
    outcome = await bench.attempt("asks ten times", **answered(asked, expires=NOW + HOUR))
    assert (outcome.failure, outcome.permission) == (None, None)
    assert bench.answers() == ["cancelled", "stopped", *["allow_once"] * 10]


async def test_what_was_allowed_for_a_while_is_not_allowed_for_ever(bench: Bench) -> None:
    asked = await bench.attempt("asks")
    bench.clock.jump(NOW + HOUR)
    assert (await bench.attempt("asks", **answered(asked, expires=NOW + HOUR))).permission == asked.permission


async def test_an_agent_that_offers_only_leave_for_good_is_given_it_and_people_are_told(bench: Bench) -> None:
    asked = await bench.attempt("asks for good")
    outcome = await bench.attempt("asks for good", **answered(asked))
    assert bench.answers() == ["cancelled", "stopped", "allow_always"]
    assert outcome.summary.startswith("The agent offered only to be allowed for good")


async def test_an_agent_that_offers_no_answer_gets_none(bench: Bench) -> None:
    asked = await bench.attempt("asks without a choice")
    outcome = await bench.attempt("asks without a choice", **answered(asked))
    assert bench.answers() == ["cancelled", "stopped", "cancelled", "goes on"]
    assert [each.payload_type for each in outcome.faults] == ["session/request_permission"]


async def test_a_question_nobody_could_read_is_refused(bench: Bench) -> None:
    outcome = await bench.attempt("asks too much")
    assert bench.answers() == ["reject_once"]
    assert outcome.permission is None
    assert "was refused, since people can be shown 12000 at most" in outcome.faults[0].message


async def test_nobody_is_asked_about_a_proposal(bench: Bench) -> None:
    outcome = await bench.attempt("asks in a discussion", purpose="discuss")
    assert (outcome.permission, outcome.agrees) == (None, False)
    assert bench.answers() == ["reject_once"]


async def test_a_session_that_cannot_be_resumed_begins_anew_and_is_told_so(bench: Bench) -> None:
    asked = await bench.attempt("forgets")
    assert asked.agent_session == ""
    outcome = await bench.attempt("forgets", **answered(asked) | {"agent_session": "session-of-old"})
    assert outcome.summary == "I have written the plan."
    assert bench.answers() == ["cancelled", "stopped", "allow_once"]
    assert bench.told().startswith("Somebody has worked on this before you")


async def test_a_session_that_is_gone_begins_anew(bench: Bench) -> None:
    asked = await bench.attempt("asks")
    (bench.directory / ".session").unlink()
    outcome = await bench.attempt("asks", **answered(asked))
    assert outcome.summary == "I have written the plan."
    assert outcome.agent_session not in ("", asked.agent_session)


async def test_what_was_said_before_is_not_said_again(bench: Bench) -> None:
    first = await bench.attempt("lies")
    again = await bench.attempt("lies", agent_session=first.agent_session, limits=replace(LIMITS, silence=9.0))
    assert again.summary == first.summary == "Everything is done, and all files are there."
