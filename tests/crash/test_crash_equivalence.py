"""Crash-equivalence: kill the bot anywhere, and what is left in the end is what an uninterrupted run leaves.

The same state (without clock and order of parallel answers), the same votes, the same posts, each once; nothing owed,
nothing behind, a chain that verifies. Not promised, and not compared, is what was said to one person in passing: Slack
has no way to find an ephemeral message again, so one that a kill cuts off is never repeated.
"""

from collections import Counter
from pathlib import Path

import pytest

from .fuse import WHENS, Fuse, When
from .mishaps import Asleep, CallFails, KilledAtCall, KilledAtWrite
from .runs import Series, run, until_none_is_left
from .story import (
    ALARMS,
    ALEXS,
    ASLEEP,
    FORCED,
    MAYA,
    MAYAS,
    NINAS,
    SEATS,
    STEERED,
    SUBSTITUTED,
    TOM,
    TOMS,
    VOTES,
    Story,
)

pytestmark = pytest.mark.timeout(600)

FEWEST_WRITES = 19
"""What no machine can batch away: eight commits one after the other (mention, understanding, shortlist, offers,
proposal, votes, adjustment, votes), two records for each of five posts, and that they were shown."""

FEWEST_CALLS = 9
"""What no post can coalesce away: a connection, who we are, five posts, one edit, one form."""

METHODS = (
    "apps.connections.open", "auth.test", "chat.postMessage", "chat.update", "views.open", "conversations.replies",
)  # fmt: skip


def calls(method: str) -> Series:
    return lambda nth: KilledAtCall(method, nth)


def envelopes(kind: str, most: int = 99) -> Series:
    return lambda nth: KilledAtCall(kind, nth, "drop_sent") if nth <= most else None


def commits(cause: str, when: When) -> Series:
    return lambda nth: KilledAtWrite(Fuse(when, nth, cause))


def failures(method: str) -> list[Series]:
    """At the first calls of each method; the later ones are no different."""
    return [
        lambda nth: CallFails(method, nth, "drop_after") if nth <= 3 else None,
        lambda nth: CallFails(method, nth, "status") if nth <= 2 else None,
    ]


async def test_the_script_is_two_rounds_and_one_overruled_twin(tmp_path: Path) -> None:
    left = (await run(VOTES, tmp_path)).remains

    assert left.votes == Counter(
        {
            (MAYAS, 1, "agent", None, "accept"): 1,
            (ALEXS, 1, "agent", None, "accept"): 1,
            (TOMS, 1, "agent", None, "accept"): 1,
            (MAYAS, 1, "human", MAYA.id, "negotiate"): 1,
            (TOMS, 1, "human", TOM.id, "accept"): 1,
            (MAYAS, 2, "agent", None, "accept"): 1,
            (ALEXS, 2, "agent", None, "accept"): 1,
            (TOMS, 2, "agent", None, "accept"): 1,
            (MAYAS, 2, "human", MAYA.id, "accept"): 1,
            (TOMS, 2, "human", TOM.id, "accept"): 1,
        }
    )
    assert left.health == {
        "verified": True,
        "counts": {"streams": 1, "open_streams": 0, "owed": 0, "parked": 0, "alarms": 0},
        "lagging": 0,
        "ends": ["towow.proposal.finalized"],
        "unacknowledged": 0,
        "lost": [],
        "in the channel": 1,
        "post keys": [None, "root", "offers", "round-1", "round-2", "outcome"],
    }


@pytest.mark.parametrize(
    ("story", "ending", "seats"),
    [
        pytest.param(STEERED, "towow.negotiation.cancelled", set(SEATS), id="stopped"),
        pytest.param(FORCED, "towow.negotiation.force_finalized", set(SEATS), id="force-finalized"),
        pytest.param(SUBSTITUTED, "towow.proposal.finalized", {MAYAS, NINAS, TOMS}, id="with a substitute"),
    ],
)
async def test_the_other_scripts_end_as_they_say(story: Story, ending: str, seats: set[str], tmp_path: Path) -> None:
    left = (await run(story, tmp_path)).remains

    assert left.health["ends"] == [ending]
    assert {agent_id for agent_id, number, *_ in left.votes if number == 2} == seats


@pytest.mark.parametrize(
    ("story", "when"),
    [
        pytest.param(VOTES, "after", id="after, closed by votes"),
        pytest.param(VOTES, "before", id="before, closed by votes"),
        pytest.param(ALARMS, "after", id="after, closed by alarms"),
        pytest.param(FORCED, "after", id="after, force-finalized"),
        pytest.param(SUBSTITUTED, "after", id="after, with a substitute"),
    ],
)
async def test_killed_at_each_write(story: Story, when: When, tmp_path: Path) -> None:
    """After it, everything is on disk, and nobody has been told: not the person who clicked, not Slack."""
    assert await until_none_is_left(story, tmp_path, lambda nth: KilledAtWrite(Fuse(when, nth))) >= FEWEST_WRITES


async def test_killed_after_each_call_to_slack(tmp_path: Path) -> None:
    """Slack has done it, and the reply is lost together with the one who waited for it."""
    assert await until_none_is_left(VOTES, tmp_path, *map(calls, METHODS)) >= FEWEST_CALLS


async def test_killed_with_an_envelope_just_received(tmp_path: Path) -> None:
    """At no chosen moment: somewhere between a click and its ack, or a mention and its ack (it comes as two events)."""
    series = envelopes("interactive"), envelopes("events_api", most=2)
    assert await until_none_is_left(VOTES, tmp_path, *series) >= 5 + 2


@pytest.mark.parametrize(
    ("story", "clicks"), [pytest.param(VOTES, 3, id="of a voter"), pytest.param(STEERED, 2, id="of who asked")]
)
async def test_killed_between_click_and_ack(story: Story, clicks: int, tmp_path: Path) -> None:
    """The person sees an error, and does it again: it counts once. So does a demand that Slack sends again."""
    series = [commits(cause, when) for cause in ("mention:", "view:", "click:") for when in WHENS]
    assert await until_none_is_left(story, tmp_path, *series) == 2 * (1 + 1 + clicks)


async def test_slack_fails_and_the_bot_lives(tmp_path: Path) -> None:
    """A reply is lost, or Slack says that it is out of order: at any of its methods, and whatever for."""
    series = [each for method in METHODS for each in failures(method)]
    assert await until_none_is_left(VOTES, tmp_path, *series) >= FEWEST_CALLS


async def test_no_bot_lives_longer_than_a_few_writes(tmp_path: Path) -> None:
    """With one write a life, a post would for ever be announced and never be made."""
    expected = (await run(VOTES, tmp_path / "uninterrupted")).remains
    for writes in (2, 3, 5):
        found = await run(VOTES, tmp_path / str(writes), KilledAtWrite(Fuse("after", writes), always=True))
        assert not (differences := expected.differences(found.remains)), f"{writes} writes a life:\n{differences}"


async def test_alarms_whose_time_passed_while_the_bot_was_down_ring_when_it_starts(tmp_path: Path) -> None:
    expected = (await run(ALARMS, tmp_path / "awake")).remains
    found = await run(ASLEEP, tmp_path / "asleep", Asleep())
    assert found.struck
    assert (found.remains.health, found.remains.votes, found.remains.posts) == (
        expected.health, expected.votes, expected.posts,
    )  # fmt: skip
