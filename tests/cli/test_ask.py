"""``towow ask``: one demand, its whole negotiation, and what its exit code and its one JSON object say of it."""

import asyncio
import contextlib
import io
import json
from pathlib import Path
from subprocess import PIPE
from typing import Any, Final

import pytest

from bot.command_line import main
from engine.negotiation.public.models import PublicNegotiation
from tests.anthropic_server import KEY, Fits, LocalAnthropic, Says, Status, Step
from tests.profiles.people import shipped

from .conftest import MEETUP, PROTOTYPE, WITH_PHOTOS, Towow, ended, process

NOBODY: Final = "I need a yacht with a crew of twelve for a month in the Bahamas"


@pytest.mark.parametrize(
    ("demand", "needed"),
    [
        pytest.param(MEETUP, ({"场地", "venue"}, {"演讲嘉宾", "AI speaker"}), id="a venue and speakers, in Chinese"),
        pytest.param(
            PROTOTYPE, ({"UX design", "UI design"}, {"mobile development", "backend"}), id="design and engineering"
        ),
    ],
)
def test_a_demand_ends_with_different_people_for_what_it_needs(
    towow: Towow, demand: str, needed: tuple[set[str], set[str]]
) -> None:
    done = towow("ask", demand, "--json")

    assert (done.code, done.err) == (0, "")
    report = done.report
    assert report["channel_status"] == "finalized"
    assert report["degraded"] == []
    people = shipped()
    first, second = (
        {each for each in report["confirmed_participants"] if tags.intersection(people[each].tags)} for tags in needed
    )
    assert first
    assert second - first


@pytest.fixture(scope="module")
def report() -> dict[str, Any]:
    """Of one demand that ended well."""
    with contextlib.redirect_stdout(io.StringIO()) as out:
        assert main(["ask", MEETUP, "--json"]) == 0
    report: dict[str, Any] = json.loads(out.getvalue())
    return report


def test_the_report_is_the_public_json_and_the_events(report: dict[str, Any]) -> None:
    assert report.keys() == {*PublicNegotiation.model_fields, "events"}
    assert [each["round"] for each in report["rounds"]] == list(range(1, len(report["rounds"]) + 1))
    for each in report["rounds"]:
        counted = each["tally"]
        assert len(each["votes"]) == sum(counted[kind] for kind in counted if kind != "withdraws")
    assert report["rounds"][-1]["decision"] == "finalize"
    assert report["proposal"] == report["proposals"][report["rounds"][-1]["version"] - 1]


def test_in_the_seeds_shape_it_has_the_seeds_fields_and_no_others(towow: Towow) -> None:
    done = towow("ask", MEETUP, "--json", "--shape", "seed")

    assert done.report.keys() == {"demand", "offers", "proposals", "gaps"}
    assert done.report["demand"].keys() == {
        "demand_id", "requester_id", "raw_input", "surface_demand", "deep_understanding", "capability_tags",
        "context", "status", "created_at",
    }  # fmt: skip
    assert done.report["offers"][0].keys() == {
        "offer_id", "agent_id", "demand_id", "decision", "contribution", "conditions", "reasoning", "decline_reason",
        "confidence", "submitted_at",
    }  # fmt: skip
    plan = done.report["proposals"][-1]
    assert plan.keys() == {
        "proposal_id", "demand_id", "version", "summary", "objective", "assignments", "timeline", "rationale", "gaps",
        "confidence", "created_at",
    }  # fmt: skip
    assert plan["assignments"][0].keys() == {
        "agent_id", "display_name", "role", "responsibility", "dependencies", "notes",
    }  # fmt: skip
    assert plan["timeline"].keys() == {"start_date", "milestones"}


def test_the_events_of_the_report_are_the_whole_stream_in_order(report: dict[str, Any]) -> None:
    events: list[dict[str, Any]] = report["events"]
    assert [each["seq"] for each in events] == list(range(1, len(events) + 1))
    assert all(each.keys() == {"event_id", "seq", "event_type", "timestamp", "payload"} for each in events)
    assert len({each["event_id"] for each in events}) == len(events)
    assert sorted(each["timestamp"] for each in events) == [each["timestamp"] for each in events]
    kinds = [each["event_type"] for each in events]
    assert (kinds[0], kinds[-1]) == ("towow.demand.submitted", "towow.gap.identified")
    assert kinds[-2] == "towow.proposal.finalized"
    assert all(each["payload"]["demand_id"] == report["demand_id"] for each in events)


def test_the_thread_is_printed_as_people_see_it(towow: Towow, two: Path) -> None:
    done = towow("ask", MEETUP, "--profiles", two)

    assert done.code == 0
    for words in ("You", MEETUP, "第 1 版方案", "📝 按简单规则拟的草案", "林晓"):
        assert words in done.out
    assert "\x1b[" not in done.out


def test_a_demand_for_which_there_is_nobody_fails_with_3(towow: Towow) -> None:
    done = towow("ask", NOBODY, "--json")

    assert done.code == 3
    assert (done.report["channel_status"], done.report["outcome"]) == ("failed", "no_candidates")
    assert done.report["proposal"] is None
    assert done.report["rounds"] == []
    assert done.report["question"] == {"about": "people", "question": ""}


def unwrapped(printed: str) -> str:
    """Return what is printed without the frame and the breaks that the width of a terminal makes."""
    return "".join(printed.replace("│", " ").split())


@pytest.mark.parametrize(
    ("demand", "help_in"),
    [
        pytest.param(
            NOBODY, ("Nobody was found this time", "Rules are sure of nobody", "Do you know whom to ask"), id="English"
        ),
        pytest.param(
            "想租一艘带船员的游艇出海一个月", ("这次没有找到人", "对谁都没有把握", "你知道可以问谁吗"), id="Chinese"
        ),
    ],
)
def test_whoever_finds_nobody_is_told_what_would_help(towow: Towow, demand: str, help_in: tuple[str, ...]) -> None:
    done = towow("ask", demand)

    assert done.code == 3
    said = unwrapped(done.out)
    for words in help_in:
        assert unwrapped(words) in said
    for blame in ("No agreement", "no agreement", "There was no answer", "没有谈成", "没有达成一致"):
        assert unwrapped(blame) not in said, "nobody was asked, and nobody could answer"


async def test_what_nobody_can_make_out_ends_with_a_question_that_was_not_anybody_s_to_answer(
    two: Path, tmp_path: Path
) -> None:
    asking = Says(
        {
            "surface_demand": "Asdf qwer",
            "deep_understanding": {"motivation": ""},
            "needs": [],
            "question": "What would you like to see done?",
            "confidence": "low",
            "language": "en",
        }
    )
    async with LocalAnthropic() as anthropic:
        anthropic.always(asking)
        address, words = anthropic.url, ("ask", "Asdf qwer", "--profiles", two, "--json")
        done = await asyncio.to_thread(
            lambda: ended(process(*words, cwd=tmp_path, ANTHROPIC_API_KEY=KEY, ANTHROPIC_BASE_URL=address))
        )

    assert (done.code, done.report["channel_status"]) == (4, "cancelled")
    assert done.report["question"] == {"about": "demand", "question": "What would you like to see done?"}


@pytest.mark.parametrize(
    "demand",
    [
        pytest.param("", id="empty"),
        pytest.param(" \n", id="blanks"),
        pytest.param("🎉", id="no words"),
        pytest.param("x" * 4_001, id="4,001 characters"),
        pytest.param("x" * 60_000, id="more than a message takes"),
        pytest.param("\udcff venue", id="bytes that are no text"),
    ],
)
def test_what_is_no_demand_is_bad_input(towow: Towow, demand: str) -> None:
    done = towow("ask", demand, "--json")

    assert (done.code, done.out) == (2, "")
    assert done.complaints[-1].startswith("towow")
    assert "Traceback" not in done.err


@pytest.mark.parametrize(
    ("policy", "code", "rounds", "outcome"),
    [
        ("t05-v4", 0, 5, "partial_consensus"),
        ("tech-v3", 0, 3, "partial_consensus"),
        ("balanced", 3, 2, "core_not_agreed"),  # the same plan for the same wish is sent once more
        ("story05", 3, 3, "negotiation_timeout"),
    ],
)
def test_the_policy_says_how_much_agreement_is_enough(
    towow: Towow, two: Path, policy: str, code: int, rounds: int, outcome: str
) -> None:
    votes = ("--vote", "lin_xiao=accept", "--vote", "chen_mo=negotiate:我要讲一小时")

    done = towow("ask", MEETUP, "--profiles", two, "--policy", policy, "--json", *votes)

    assert (done.code, len(done.report["rounds"]), done.report["outcome"]) == (code, rounds, outcome)


def test_an_unknown_policy_is_bad_input_that_names_the_known_ones(towow: Towow) -> None:
    done = towow("ask", MEETUP, "--policy", "unanimous")

    assert done.code == 2
    for known in ("t05-v4", "story05", "tech-v3", "balanced"):
        assert known in done.err


def test_a_plan_that_lacks_somebody_is_amended_or_says_that_nobody_was_found(towow: Towow, two: Path) -> None:
    """Neither of the two takes photos, and there is nobody else here."""
    done = towow("ask", WITH_PHOTOS, "--profiles", two, "--json")

    assert done.code == 0
    [gap] = [each for each in done.report["gaps"] if each["importance"] >= 60]
    assert (gap["gap_type"], gap["search"]["status"]) == ("摄影师", "failed")
    assert "towow.subnet.failed" in [each["event_type"] for each in done.report["events"]]


@pytest.mark.parametrize(
    ("answer", "key", "said"),
    [
        pytest.param(
            Fits(), "sk-ant-other", "Anthropic refuses the key; copy ANTHROPIC_API_KEY anew", id="a wrong key"
        ),
        pytest.param(
            Status(404),
            KEY,
            "there is no model claude-haiku-5-5; set LLM_MODEL",
            id="a wrong model",
            marks=pytest.mark.exhaustive,
        ),
    ],
)
async def test_where_claude_could_not_be_asked_it_says_why_and_what_to_do(
    two: Path, tmp_path: Path, answer: Step, key: str, said: str
) -> None:
    async with LocalAnthropic() as anthropic:
        anthropic.always(answer)
        there = {"ANTHROPIC_API_KEY": key, "ANTHROPIC_BASE_URL": anthropic.url, "LLM_MODEL": "claude-haiku-5-5"}
        done = await asyncio.to_thread(
            lambda: ended(process("ask", MEETUP, "--profiles", two, cwd=tmp_path, screen=PIPE, **there))
        )
    assert done.code == 3
    assert [line for line in done.complaints if said in line]


def test_where_peoples_own_votes_are_wanted_no_twins_counts(towow: Towow) -> None:
    done = towow("ask", MEETUP, "--own-votes", "--json")

    assert {vote["feedback_type"] for each in done.report["rounds"] for vote in each["votes"]} == {None}
    assert done.report["channel_status"] != "finalized"


def test_somebody_gives_the_vote_that_their_twin_has_prepared(towow: Towow) -> None:
    done = towow("ask", MEETUP, "--own-votes", "--json", "--vote", "lin_xiao=prepared@1")

    cast = [vote for each in done.report["rounds"] for vote in each["votes"] if vote["feedback_type"]]
    assert {(each["agent_id"], each["source"]) for each in cast} == {("user_agent_lin_xiao", "human")}
    assert "was not taken" not in done.err


def test_where_a_twin_votes_itself_nothing_is_prepared_to_be_given(towow: Towow) -> None:
    done = towow("ask", MEETUP, "--json", "--vote", "lin_xiao=prepared")

    assert "the vote of user_agent_lin_xiao was not taken: Their twin has prepared no vote." in done.err
