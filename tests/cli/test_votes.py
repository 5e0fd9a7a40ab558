"""``--vote``: people who really click."""

from pathlib import Path
from typing import Any

import pytest

from bot.demo.negotiation.ask import ScriptedVote, read_votes
from engine.errors import Misconfigured
from engine.negotiation.voting.kinds import FeedbackType
from tests.profiles.people import shipped

from .conftest import MEETUP, Towow

LIN, CHEN = "user_agent_lin_xiao", "user_agent_chen_mo"


@pytest.mark.parametrize(
    ("text", "vote"),
    [
        pytest.param("lin_xiao=accept", ScriptedVote(LIN, FeedbackType.ACCEPT), id="short name"),
        pytest.param("user_agent_lin_xiao=accept", ScriptedVote(LIN, FeedbackType.ACCEPT), id="agent id"),
        pytest.param("lin_xiao=prepared", ScriptedVote(LIN, None), id="what is prepared"),
        pytest.param("lin_xiao=accept@2", ScriptedVote(LIN, FeedbackType.ACCEPT, round=2), id="in one round"),
        pytest.param(
            "lin_xiao=negotiate:at 10:30, not 11:00",
            ScriptedVote(LIN, FeedbackType.NEGOTIATE, "at 10:30, not 11:00"),
            id="colons in the text",
        ),
        pytest.param(
            "lin_xiao=negotiate:meet @cafe @ noon@3",
            ScriptedVote(LIN, FeedbackType.NEGOTIATE, "meet @cafe @ noon", 3),
            id="at signs in the text",
        ),
        pytest.param(
            "lin_xiao=withdraw:mail me: lin@example.org",
            ScriptedVote(LIN, FeedbackType.WITHDRAW, "mail me: lin@example.org"),
            id="an address in the text",
        ),
        pytest.param(
            "lin_xiao=negotiate:a=b\nand c=d",
            ScriptedVote(LIN, FeedbackType.NEGOTIATE, "a=b\nand c=d"),
            id="equals signs and lines in the text",
        ),
    ],
)
def test_a_vote_is_read_in_every_form(text: str, vote: ScriptedVote) -> None:
    assert read_votes([text], shipped()) == [vote]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        pytest.param("lin_xiao", "cannot be read; it looks like", id="no vote"),
        pytest.param("lin_xiao=maybe", "cannot be read; it looks like", id="no such vote"),
        pytest.param("lin_xiao=reject:no", "cannot be read; it looks like", id="there is no button to reject"),
        pytest.param("=accept", "cannot be read; it looks like", id="nobody"),
        pytest.param("eve=accept", "whom no profile describes", id="somebody without a profile"),
        pytest.param("lin_xiao=accept:gladly", "accept takes no text", id="a text too many"),
        pytest.param("lin_xiao=prepared:gladly", "prepared takes no text", id="a text to what is prepared"),
        pytest.param("lin_xiao=negotiate", "negotiate needs a text", id="a text too few"),
        pytest.param("lin_xiao=withdraw: @2", "withdraw needs a text", id="blanks for a text"),
        pytest.param("lin_xiao=accept@0", "rounds count from 1", id="round 0"),
    ],
)
def test_a_vote_that_cannot_be_cast_is_bad_input(towow: Towow, text: str, fault: str) -> None:
    done = towow("ask", MEETUP, "--json", "--vote", text)

    assert (done.code, done.out) == (2, "")
    assert fault in done.err
    assert repr(text) in done.err


def test_all_votes_that_cannot_be_cast_are_named_at_once() -> None:
    with pytest.raises(Misconfigured) as refused:
        read_votes(["eve=accept", "lin_xiao", "lin_xiao=accept", "user_agent_lin_xiao=withdraw:x"], shipped())

    assert len(refused.value.faults) == 3
    assert "another vote already for the same round" in refused.value.faults[-1]


def votes_of(report: dict[str, Any]) -> list[dict[str, tuple[str, str]]]:
    """By agent, for each round: how, and whose vote it was."""
    return [
        {vote["agent_id"]: (vote["feedback_type"], vote["source"]) for vote in each["votes"]}
        for each in report["rounds"]
    ]


def test_a_scripted_person_overrules_their_twin(towow: Towow, two: Path) -> None:
    twins = towow("ask", MEETUP, "--profiles", two, "--json")
    people = towow("ask", MEETUP, "--profiles", two, "--json", "--vote", "lin_xiao=accept")

    assert votes_of(twins.report)[0] == {LIN: ("negotiate", "agent"), CHEN: ("negotiate", "agent")}
    assert votes_of(people.report)[0] == {LIN: ("accept", "human"), CHEN: ("negotiate", "agent")}


def test_a_scripted_person_abstains_and_is_out_of_the_rate(towow: Towow, two: Path) -> None:
    done = towow("ask", MEETUP, "--profiles", two, "--json", "--vote", "lin_xiao=abstain", "--vote", "chen_mo=accept")

    assert votes_of(done.report)[0] == {LIN: ("abstain", "human"), CHEN: ("accept", "human")}
    first = done.report["rounds"][0]["tally"]
    assert (first["accepts"], first["abstains"], first["silent"]) == (1, 1, 0)


def test_under_the_seeds_rules_a_script_cannot_abstain(towow: Towow, two: Path) -> None:
    done = towow("ask", MEETUP, "--profiles", two, "--json", "--policy", "t05-v4", "--vote", "lin_xiao=abstain")

    assert "the vote of user_agent_lin_xiao was not taken" in done.err


def test_a_vote_for_a_round_comes_before_one_for_every_round(towow: Towow, two: Path) -> None:
    done = towow(
        "ask", MEETUP, "--profiles", two, "--json",
        "--vote", "lin_xiao=negotiate:10:30 @cafe: please@1", "--vote", "lin_xiao=accept",
        "--vote", "chen_mo=accept",
    )  # fmt: skip

    assert [each[LIN] for each in votes_of(done.report)] == [("negotiate", "human"), ("accept", "human")]
    said = [each["payload"] for each in done.report["events"] if each["event_type"] == "towow.proposal.feedback"]
    assert "10:30 @cafe: please" in {each["adjustment_request"] for each in said}
    assert (done.code, done.err) == (0, "")


def test_a_core_person_who_withdraws_ends_it_with_3(towow: Towow, two: Path) -> None:
    done = towow("ask", MEETUP, "--profiles", two, "--json", "--vote", "lin_xiao=withdraw:搬家了")

    assert done.code == 3
    assert done.report["outcome"] == "core_withdrawn"


def test_who_was_never_seated_and_what_was_never_clicked_is_said(towow: Towow) -> None:
    votes = ("--vote", "tom_becker=accept", "--vote", "lin_xiao=accept@4")

    done = towow("ask", MEETUP, "--json", *votes)

    assert done.code == 0
    assert done.complaints == [
        "towow: user_agent_tom_becker was never seated, so nothing was clicked",
        "towow: user_agent_lin_xiao had no seat in round 4, so accept was not clicked",
    ]
