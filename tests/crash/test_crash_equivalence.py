"""Crash-equivalence: kill the bot anywhere, and what is left in the end is what an uninterrupted run leaves.

The same state (without clock and order of parallel answers), the same votes, the same posts in the thread and in
everybody's direct messages, each once; nothing owed, nothing behind, a chain that verifies. Not promised, and not
compared, is what was said to one person in passing: Slack has no way to find an ephemeral message again, so one that a
kill cuts off is never repeated. Nor is how often Slack was called: whoever is killed asks again, without harm, which
channel somebody's direct messages are, and edits a card once more.

All of it holds over a file of SQLite and over PostgreSQL, where effects and alarms are jobs in the same transaction.
There the next bot starts once the killed one counts as gone. The main script is interrupted everywhere, the others at
some of the same places.
"""

import asyncio
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest

from engine.negotiation.events import FeedbackReminded

from .databases import Databases
from .fuse import WHENS, Fuse, When
from .mishaps import (
    LOOK_UPS,
    CallFails,
    CallFailsThenKilled,
    CarriedOutLate,
    KilledAtCall,
    KilledAtStatement,
    KilledAtWrite,
)
from .postgres_wire import Moment
from .remains import Remains
from .runs import Series, run, until_none_is_left
from .story import (
    ALARMS,
    ALEXS,
    ASLEEP,
    CARRIED,
    DIGESTED,
    FORCED,
    GONE,
    LACKING,
    MAYA,
    MAYAS,
    NINAS,
    REMINDED,
    SEATS,
    SILENT,
    STEERED,
    SUBSTITUTED,
    TOM,
    TOMS,
    UNDONE,
    VOTES,
    Story,
)

pytestmark = pytest.mark.timeout(600)

FEWEST_WRITES = 25
"""What no machine can batch away: eight commits one after the other (mention, understanding, shortlist, offers,
proposal, votes, adjustment, votes), two records for each of five posts in the thread, one for each of two people's
channel, two for each of their endings, and that all were shown."""

PARTS = 8
"""More where people have time to decide: two records for each of two people's parts in two rounds."""

METHODS = (
    "apps.connections.open", "auth.test", "chat.postMessage", "chat.update", "conversations.open", "response_url",
    "users.info", "views.open",
)  # fmt: skip
"""All but the look-ups: without a mishap there is nothing to look up."""

FEWEST_CALLS = 18
"""What no post can coalesce away: a connection, who we are, eleven posts, one edit, two channels, one change of what
was just clicked, one form."""

ALIKE = 10
"""Writes that are behind before any story differs from another: five commits until a proposal is out, two records for
each of two posts, and one for the round's."""


FEWEST_TRANSACTIONS = 20
"""Of the same, where what two people are sent may be written together."""


def over(*, sqlite: int = 1, postgres: int) -> pytest.MarkDecorator:
    """Over a database of either kind, at every so many of the same places."""
    both = [pytest.param("sqlite", sqlite, id="SQLite"), pytest.param("postgres", postgres, id="PostgreSQL")]
    return pytest.mark.parametrize(("databases", "every"), both, indirect=["databases"])


on_postgres = pytest.mark.parametrize("databases", [pytest.param("postgres", id="PostgreSQL")], indirect=True)


def writes(when: When, *, behind: int = 0, every: int = 1) -> Series:
    return lambda nth: KilledAtWrite(Fuse(when, behind + nth * every))


def calls(method: str, *, every: int = 1, most: int = 99) -> Series:
    return lambda nth: KilledAtCall(method, nth * every) if nth <= most else None


def envelopes(kind: str, most: int = 99) -> Series:
    return lambda nth: KilledAtCall(kind, nth, "drop_sent") if nth <= most else None


def commits(cause: str, when: When, most: int = 99) -> Series:
    return lambda nth: KilledAtWrite(Fuse(when, nth, cause)) if nth <= most else None


def transactions(moment: Moment, *, every: int = 1, most: int = 99) -> Series:
    """Which write what was decided, shown or posted, and the jobs for what is owed."""
    return lambda nth: KilledAtStatement("COMMIT", moment, nth * every, is_writers=True) if nth <= most else None


def statements(statement: str, most: int = 99) -> Series:
    """By themselves: done, and nobody has been told."""
    return lambda nth: KilledAtStatement(statement, "unanswered", nth) if nth <= most else None


def failures(method: str) -> list[Series]:
    """At the first calls of each method; the later ones are no different."""
    return [
        lambda nth: CallFails(method, nth, "drop_after") if nth <= 3 else None,
        lambda nth: CallFails(method, nth, "status") if nth <= 2 else None,
    ]


def killed_after(
    method: str, do: Literal["drop_after", "status"], then: When | tuple[str, ...], most: int, status: int = 500
) -> Series:
    return lambda nth: CallFailsThenKilled(method, nth, do, then, status) if nth <= most else None


def reminded(left: Remains) -> list[list[str]]:
    """Of each half time, who had not decided."""
    return [
        each[FeedbackReminded.event_type]["agent_ids"] for each in left.events if FeedbackReminded.event_type in each
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
            (ALEXS, 2, "agent", None, "accept"): 1,
            (MAYAS, 2, "human", MAYA.id, "accept"): 1,
            (TOMS, 2, "human", TOM.id, "accept"): 1,
        }
    )
    # One stream is the negotiation, the other the directory.
    assert left.health == {
        "verified": True,
        "counts": {"streams": 2, "open_streams": 0, "owed": 0, "parked": 0, "alarms": 0},
        "jobs": [],
        "lagging": 0,
        "ends": ["towow.proposal.finalized"],
        "unacknowledged": 0,
        "lost": [],
        "in the channel": 1,
        "post keys": [None, "root", "offers", "round-1", "round-2", "outcome"],
        "direct keys": {
            MAYA.id: [f"part-1/{MAYAS}", f"part-2/{MAYAS}", f"ending/{MAYAS}"],
            TOM.id: [f"part-1/{TOMS}", f"part-2/{TOMS}", f"ending/{TOMS}"],
        },
    }


async def test_a_vote_that_stands_is_carried_once(tmp_path: Path) -> None:
    left = (await run(CARRIED, tmp_path)).remains

    assert {vote: n for vote, n in left.votes.items() if vote[1] == 2} == {
        (ALEXS, 2, "agent", None, "accept"): 1,
        (MAYAS, 2, "human", MAYA.id, "accept"): 1,
        (TOMS, 2, "human", TOM.id, "accept"): 1,
    }
    assert left.health["ends"] == ["towow.proposal.finalized"]


@pytest.mark.parametrize(
    ("story", "ending", "seats"),
    [
        pytest.param(STEERED, "towow.negotiation.cancelled", {ALEXS, TOMS}, id="stopped"),
        pytest.param(UNDONE, "towow.negotiation.cancelled, towow.proposal.finalized", set(), id="undone"),
        pytest.param(FORCED, "towow.negotiation.force_finalized", set(SEATS), id="force-finalized"),
        pytest.param(SUBSTITUTED, "towow.proposal.finalized", {MAYAS, NINAS, TOMS}, id="with a substitute"),
        pytest.param(LACKING, "towow.negotiation.force_finalized", set(), id="without what nobody covers"),
    ],
)
async def test_the_other_scripts_end_as_they_say(story: Story, ending: str, seats: set[str], tmp_path: Path) -> None:
    left = (await run(story, tmp_path)).remains

    assert left.health["ends"] == ending.split(", ")
    assert {agent_id for agent_id, number, *_ in left.votes if number == 2} == seats


async def test_who_has_not_decided_is_reminded_once_and_a_channel_is_opened_once(tmp_path: Path) -> None:
    left = await run(REMINDED, tmp_path)

    assert left.remains.health["direct keys"] == {
        MAYA.id: [f"part-1/{MAYAS}", f"ending/{MAYAS}"],
        TOM.id: [f"part-1/{TOMS}", f"reminder-1/{TOMS}", f"ending/{TOMS}"],
    }
    assert reminded(left.remains) == [[TOMS]]
    assert left.calls["conversations.open"] == 3  # theirs, and whoever asked: what was written down outlives the bot
    assert left.calls["conversations.history"] == left.calls["conversations.replies"] == 0


@pytest.mark.parametrize(
    ("story", "vote", "reach"),
    [
        pytest.param(SILENT, [(TOMS, 1, "assumed", None, "accept")], "towow.person.reached", id="silent"),
        pytest.param(GONE, [], "towow.person.unreachable", id="gone"),
    ],
)
async def test_the_silence_of_whom_the_twin_fails_counts_only_if_they_were_asked(
    story: Story, vote: list[tuple[str, int, str, str | None, str]], reach: str, tmp_path: Path
) -> None:
    left = (await run(story, tmp_path)).remains

    assert [each for each in left.votes if each[0] == TOMS] == vote
    assert left.reach == [f"{reach} {TOMS} 1"]


async def test_killed_after_every_seventh_write_or_call(tmp_path: Path) -> None:
    """A sample of what the exhaustive tests below do at each of them: of every kind of write, and of two calls."""
    series = [
        writes("after", every=7),
        calls("chat.postMessage", every=3, most=3),
        commits("effect:", "before", most=1),
    ]
    assert await until_none_is_left(VOTES, tmp_path, *series) >= (FEWEST_WRITES + PARTS) // 7 + 3 + 1


async def killed_after_each_write(
    story: Story, behind: int, fewest: int, folder: Path, databases: Databases, every: int
) -> None:
    series = writes("after", behind=behind, every=every)
    assert await until_none_is_left(story, folder, series, databases=databases) >= fewest // every


@pytest.mark.exhaustive
@over(postgres=1)
async def test_killed_after_each_write(databases: Databases, every: int, tmp_path: Path) -> None:
    """Everything is on disk, and nobody has been told: not the person who clicked, not Slack."""
    await killed_after_each_write(VOTES, 0, FEWEST_WRITES + PARTS, tmp_path, databases, every)


@pytest.mark.exhaustive
@over(postgres=7)
@pytest.mark.parametrize(
    ("story", "behind", "fewest"),
    [
        pytest.param(ALARMS, ALIKE, FEWEST_WRITES - ALIKE, id="closed by alarms"),
        pytest.param(FORCED, ALIKE, FEWEST_WRITES - ALIKE, id="force-finalized"),
        pytest.param(SUBSTITUTED, ALIKE, FEWEST_WRITES - ALIKE, id="with a substitute"),
        pytest.param(LACKING, 0, 15, id="without what nobody covers"),
        pytest.param(CARRIED, ALIKE, FEWEST_WRITES - ALIKE, id="with a vote that is carried"),
    ],
)
async def test_killed_after_each_write_of_another_script(
    story: Story, behind: int, fewest: int, databases: Databases, every: int, tmp_path: Path
) -> None:
    await killed_after_each_write(story, behind, fewest, tmp_path, databases, every)


@on_postgres
async def test_killed_amid_a_transaction(databases: Databases, tmp_path: Path) -> None:
    """A sample of the exhaustive test below."""
    series = [transactions("unsent", every=9, most=1), transactions("unanswered", every=14, most=1)]
    assert await until_none_is_left(VOTES, tmp_path, *series, databases=databases) == 2


@pytest.mark.exhaustive
@pytest.mark.parametrize("moment", ["unsent", "unanswered"])
@on_postgres
async def test_killed_amid_each_transaction(moment: Moment, databases: Databases, tmp_path: Path) -> None:
    """All has been written but for its COMMIT, and is gone; or the server has committed it, and nobody was told."""
    found = await until_none_is_left(VOTES, tmp_path, transactions(moment), databases=databases)
    assert found >= FEWEST_TRANSACTIONS


@pytest.mark.exhaustive
@on_postgres
async def test_killed_with_a_thread_just_held(databases: Databases, tmp_path: Path) -> None:
    """Nobody else keeps its posts until whoever holds it counts as gone."""
    series = statements("INSERT INTO held", most=1)
    assert await until_none_is_left(VOTES, tmp_path, series, databases=databases) == 1


@pytest.mark.exhaustive
@over(postgres=1)
async def test_killed_before_what_a_model_said_is_written(databases: Databases, every: int, tmp_path: Path) -> None:
    """It is asked again. Before any other write is after another one, after a call to Slack, or before an ack."""
    assert await until_none_is_left(VOTES, tmp_path, commits("effect:", "before"), databases=databases) >= 7


@pytest.mark.exhaustive
@over(postgres=3)
async def test_killed_after_each_call_to_slack(databases: Databases, every: int, tmp_path: Path) -> None:
    """Slack has done it, and the reply is lost together with the one who waited for it."""
    series = [calls(method, every=every) for method in METHODS]
    assert await until_none_is_left(VOTES, tmp_path, *series, databases=databases) >= FEWEST_CALLS // every


@pytest.mark.exhaustive
@over(postgres=4)
async def test_killed_while_people_are_reminded(databases: Databases, every: int, tmp_path: Path) -> None:
    """Before half time rings; after each write: two commits (ring, vote), two records for each of a reminder, the
    outcome and two endings, and that all were shown; after each call: a connection, who we are, these four posts, one
    edit, one change of what was clicked."""
    series = [
        commits("alarm:", "before", most=1),
        writes("after", every=every),
        *(calls(method, every=every) for method in METHODS),
    ]
    struck = await until_none_is_left(REMINDED, tmp_path, *series, databases=databases)
    assert struck >= 1 + 11 // every + (8 if every == 1 else 1)


async def test_a_digest_is_sent_once_and_counts_as_told(tmp_path: Path) -> None:
    left = (await run(DIGESTED, tmp_path)).remains

    assert left.health["direct keys"][TOM.id] == [f"digest-1/{TOM.id}", f"ending/{TOMS}"]
    assert left.reach == [f"towow.person.reached {TOMS} 1"]
    assert left.health["ends"] == ["towow.proposal.finalized"]


@pytest.mark.exhaustive
async def test_killed_around_a_digest(tmp_path: Path) -> None:
    """A sample of the exhaustive test below."""
    series = [writes("after", every=3), calls("chat.postMessage", most=1)]
    assert await until_none_is_left(DIGESTED, tmp_path, *series) >= 3 + 1


@pytest.mark.exhaustive
async def test_killed_at_each_write_and_call_around_a_digest(tmp_path: Path) -> None:
    """After each write: two commits (ring, vote), that the digest is due, two records for each of it, the outcome and
    two endings, its receipt and edit, and that all were shown; after each call: a connection, who we are, these four
    posts, one edit, one change of what was clicked."""
    series = [writes("after"), *map(calls, METHODS), killed_after("chat.postMessage", "drop_after", LOOK_UPS, most=1)]
    assert await until_none_is_left(DIGESTED, tmp_path, *series) >= 12 + 8 + 1


@pytest.mark.exhaustive
@over(postgres=6)
async def test_killed_around_what_is_taken_back_and_given_up(databases: Databases, every: int, tmp_path: Path) -> None:
    """After each write from the stop on: five commits (stop, undo, two votes, giving up), the posts about the first
    ending and the second, for two people and the thread, and that all were shown."""
    series = [writes("after", behind=ALIKE, every=every), *(commits("click:", when) for when in WHENS)]
    struck = await until_none_is_left(UNDONE, tmp_path, *series, databases=databases)
    assert struck >= (5 + 2 * (2 * 3)) // every + 2 * 4


@pytest.mark.exhaustive
@over(postgres=4)
async def test_killed_while_it_is_learned_who_was_reached(databases: Databases, every: int, tmp_path: Path) -> None:
    """Six commits (mention to votes), three posts in the thread, two channels and a part in each, and that all were
    shown; not counted is the report, which may share its commit with a vote."""
    series = [writes("after", behind=ALIKE, every=every), *(commits("reach:", when, most=1) for when in WHENS)]
    struck = await until_none_is_left(SILENT, tmp_path, *series, databases=databases)
    assert struck >= (19 - ALIKE) // every + 2


@pytest.mark.exhaustive
@over(postgres=4)
async def test_killed_while_silence_is_taken_for_a_yes(databases: Databases, every: int, tmp_path: Path) -> None:
    """Before it rings; after the ring, two records for each of the outcome and two endings, and that all were shown."""
    since_the_nap = replace(SILENT, is_safe_until_the_nap=True)
    series = [commits("alarm:", "before", most=1), writes("after", every=every)]
    assert await until_none_is_left(since_the_nap, tmp_path, *series, databases=databases) >= 1 + 8 // every


@pytest.mark.exhaustive
async def test_killed_while_it_is_learned_that_somebody_has_gone(tmp_path: Path) -> None:
    """Seven commits (mention to votes, and one of Maya's), four posts in the thread, a channel and two posts in it, two
    that are given up, and that all were shown; again without the report."""
    series = [writes("after", behind=ALIKE), *(commits("reach:", when, most=1) for when in WHENS)]
    assert await until_none_is_left(GONE, tmp_path, *series) >= 23 - ALIKE + 2


@pytest.mark.exhaustive
async def test_killed_with_an_envelope_just_received(tmp_path: Path) -> None:
    """At no chosen moment: somewhere between a click and its ack, or a mention and its ack (it comes as two events)."""
    series = envelopes("interactive"), envelopes("events_api", most=2)
    assert await until_none_is_left(VOTES, tmp_path, *series) >= 5 + 2


@pytest.mark.parametrize(
    ("story", "clicks", "databases"),
    [
        pytest.param(VOTES, 3, "sqlite", id="of a voter"),
        pytest.param(VOTES, 3, "postgres", id="of a voter, PostgreSQL", marks=pytest.mark.exhaustive),
        pytest.param(STEERED, 2, "sqlite", id="of who asked", marks=pytest.mark.exhaustive),
    ],
    indirect=["databases"],
)
async def test_killed_between_click_and_ack(story: Story, clicks: int, databases: Databases, tmp_path: Path) -> None:
    """The person sees an error, and does it again: it counts once. So does a demand that Slack sends again."""
    causes = {"mention:": 1, "view:": 1, "click:": clicks}
    series = [commits(cause, when, most) for cause, most in causes.items() for when in WHENS]
    assert await until_none_is_left(story, tmp_path, *series, databases=databases) == 2 * sum(causes.values())


@pytest.mark.exhaustive
async def test_slack_fails_and_the_bot_lives(tmp_path: Path) -> None:
    """A reply is lost, or Slack says that it is out of order: at any of its methods, and whatever for."""
    series = [each for method in METHODS for each in failures(method)]
    assert await until_none_is_left(VOTES, tmp_path, *series) >= 2 + 2 + 5 + 2 + 4 + 2 + 2


@pytest.mark.exhaustive
async def test_a_post_fails_and_then_the_bot_is_killed(tmp_path: Path) -> None:
    """Before it knows whether there is one: while it looks, when it has looked, or while it tries again. The fourth
    post, mostly, is the first one in somebody's direct messages, and the fifth the second."""
    post = "chat.postMessage"
    series = {
        killed_after(post, "drop_after", LOOK_UPS, most=11): 11,
        killed_after(post, "drop_after", "before", most=5): 5,
        killed_after(post, "drop_after", "after", most=5): 5,
        killed_after(post, "status", LOOK_UPS, most=5): 5,
        killed_after(post, "status", "after", most=4): 4,
        killed_after(post, "status", (post,), most=4, status=429): 4,
        killed_after(post, "status", "before", most=2, status=429): 2,
    }
    assert await until_none_is_left(VOTES, tmp_path, *series) == sum(series.values())


def carried_out_late(*, kills: bool, first: int = 1, last: int = 11) -> Series:
    return lambda nth: CarriedOutLate(nth + first - 1, kills) if nth + first - 1 <= last else None


async def test_a_post_that_slack_carries_out_late_stands_there_once_in_the_end(tmp_path: Path) -> None:
    """The root, whose thread the others are in; with a kill, too."""
    series = {carried_out_late(kills=kills, last=1): 1 for kills in (False, True)}
    assert await until_none_is_left(VOTES, tmp_path, *series) == sum(series.values())


@pytest.mark.exhaustive
async def test_any_post_may_be_carried_out_late(tmp_path: Path) -> None:
    series = {carried_out_late(kills=kills, first=2): 10 for kills in (False, True)}
    assert await until_none_is_left(VOTES, tmp_path, *series) == sum(series.values())


@pytest.mark.exhaustive
async def test_a_reminder_or_the_last_click_fails_and_then_the_bot_is_killed(tmp_path: Path) -> None:
    """What was clicked is changed like any other card; and nothing comes later that would hide it if it were not."""
    post, edit, clicked = "chat.postMessage", "chat.update", "response_url"
    series = {
        killed_after(post, "drop_after", LOOK_UPS, most=1): 1,
        killed_after(post, "drop_after", "before", most=1): 1,
        killed_after(post, "drop_after", "after", most=1): 1,
        killed_after(post, "status", LOOK_UPS, most=1): 1,
        killed_after(post, "status", (post,), most=1, status=429): 1,
        killed_after(clicked, "drop_after", (edit,), most=1): 1,
        killed_after(clicked, "drop_after", "before", most=1): 1,
        killed_after(clicked, "status", (edit,), most=1): 1,
        killed_after(clicked, "status", "after", most=1): 1,
        lambda nth: CallFails(clicked, nth, "status") if nth == 1 else None: 1,
    }
    assert await until_none_is_left(REMINDED, tmp_path, *series) == sum(series.values())


@pytest.mark.exhaustive
async def test_a_channel_or_an_edit_fails_and_then_the_bot_is_killed(tmp_path: Path) -> None:
    """Either is asked for again."""
    channel, edit = "conversations.open", "chat.update"
    series = {
        killed_after(channel, "drop_after", (channel,), most=2): 2,
        killed_after(channel, "drop_after", "before", most=2): 2,
        killed_after(channel, "status", (channel,), most=2): 2,
        killed_after(channel, "status", "after", most=2, status=429): 2,
        killed_after(edit, "drop_after", (edit,), most=1): 1,
        killed_after(edit, "drop_after", "before", most=1): 1,
        killed_after(edit, "status", (edit,), most=1): 1,
        killed_after(edit, "status", (edit,), most=1, status=429): 1,
    }
    assert await until_none_is_left(VOTES, tmp_path, *series) == sum(series.values())


@pytest.mark.exhaustive
async def test_no_bot_lives_longer_than_a_few_writes(tmp_path: Path) -> None:
    """With one write a life, a post would for ever be announced and never be made."""
    expected = (await run(VOTES, tmp_path / "uninterrupted")).remains
    lives = {n: run(VOTES, tmp_path / str(n), KilledAtWrite(Fuse("after", n), always=True)) for n in (2, 3, 5)}
    for n, found in zip(lives, await asyncio.gather(*lives.values()), strict=True):
        assert not (differences := expected.differences(found.remains)), f"{n} writes a life:\n{differences}"


async def test_alarms_whose_time_passed_while_the_bot_was_down_ring_when_it_starts(tmp_path: Path) -> None:
    """And nobody is reminded of what is over."""
    awake = (await run(ALARMS, tmp_path / "awake")).remains
    asleep = (await run(ASLEEP, tmp_path / "asleep")).remains

    assert (asleep.votes, asleep.posts, asleep.health["ends"]) == (awake.votes, awake.posts, awake.health["ends"])
    assert asleep.health["counts"] == awake.health["counts"]
    assert not reminded(asleep)
    assert asleep.health["direct keys"] == {
        MAYA.id: [f"part-1/{MAYAS}", f"part-2/{MAYAS}", f"ending/{MAYAS}"],
        TOM.id: [f"part-1/{TOMS}", f"part-2/{TOMS}", f"ending/{TOMS}"],
    }
