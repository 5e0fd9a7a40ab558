"""When a new direct message goes out: in no quiet hour, unless it cannot wait; whatever clocks on the wall do."""

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.posts.going_out import NEVER, Choices, Quiet, after_quiet, goes_out, next_time
from bot.views.kit.post import Post
from engine.kernel import Millis

HOUR: Millis = 3_600_000
ZONES = ("Europe/Berlin", "America/New_York", "Asia/Shanghai", "Australia/Lord_Howe", "Pacific/Apia", "UTC")
"""Lord Howe's clocks are set by half an hour."""
NIGHT = Quiet(time(22), time(7))

moments = st.datetimes(datetime(2026, 1, 1), datetime(2028, 12, 31), timezones=st.just(UTC)).map(
    lambda at: round(at.timestamp() * 1000)
)
zones = st.sampled_from(ZONES)
clock_times = st.times().map(lambda at: at.replace(second=0, microsecond=0))
quiet_hours = st.tuples(clock_times, clock_times).filter(lambda each: each[0] != each[1]).map(lambda each: Quiet(*each))


def at(said: str, zone: str = "Europe/Berlin") -> Millis:
    return round(datetime.fromisoformat(said).replace(tzinfo=ZoneInfo(zone)).timestamp() * 1000)


def shown(moment: Millis, zone: str) -> time:
    return datetime.fromtimestamp(moment / 1000, UTC).astimezone(ZoneInfo(zone)).time()


def is_quiet(moment: Millis, quiet: Quiet, zone: str) -> bool:
    now = shown(moment, zone)
    if quiet.start < quiet.end:
        return quiet.start <= now < quiet.end
    return now >= quiet.start or now < quiet.end


@pytest.mark.generated
@given(moments, quiet_hours, zones)
def test_what_can_wait_goes_out_in_no_quiet_hour_and_within_a_day(now: Millis, quiet: Quiet, zone: str) -> None:
    goes = after_quiet(now, 0, Choices(quiet=quiet), zone)

    assert not is_quiet(goes, quiet, zone)
    assert now <= goes <= now + 25 * HOUR
    assert (goes == now) is not is_quiet(now, quiet, zone)


@pytest.mark.generated
@given(moments, quiet_hours, zones, st.integers(1, 72 * 60))
def test_a_question_leaves_half_of_the_time_and_waiting_changes_nothing(
    now: Millis, quiet: Quiet, zone: str, minutes: int
) -> None:
    until = now + minutes * 60_000

    goes = after_quiet(now, until, Choices(quiet=quiet), zone)

    assert until - goes >= (until - now) / 2 or goes == now
    half_way = now + (goes - now) // 2
    assert after_quiet(half_way, until, Choices(quiet=quiet), zone) in (goes, half_way)
    if goes > now and is_quiet(half_way, quiet, zone):
        assert after_quiet(half_way, until, Choices(quiet=quiet), zone) == goes


@pytest.mark.generated
@given(moments, st.lists(clock_times, min_size=1, max_size=6), zones)
def test_a_digest_s_time_is_the_next_that_a_clock_shows(now: Millis, times: list[time], zone: str) -> None:
    goes = next_time(now, tuple(times), zone)

    assert now < goes <= now + 49 * HOUR
    step = timedelta(minutes=1).total_seconds() * 1000
    skipped = range(round(now - now % step + step), goes, round(step))
    assert not any(shown(each, zone) in times for each in [*skipped][: 26 * 60])


@pytest.mark.parametrize(
    ("now", "quiet", "goes"),
    [
        pytest.param("2026-03-29T01:00", Quiet(time(0), time(4)), "2026-03-29T04:00", id="an hour is left out"),
        pytest.param("2026-03-29T01:00", Quiet(time(0), time(2, 30)), "2026-03-29T03:30", id="it ends in that hour"),
        pytest.param("2026-10-25T01:00", Quiet(time(0), time(4)), "2026-10-25T04:00", id="an hour comes twice"),
        pytest.param("2026-10-25T01:00", Quiet(time(0), time(2, 30)), "2026-10-25T02:30", id="it ends in that one"),
        pytest.param("2026-06-01T23:15", NIGHT, "2026-06-02T07:00", id="before midnight"),
        pytest.param("2026-06-02T06:59", NIGHT, "2026-06-02T07:00", id="after midnight"),
        pytest.param("2026-06-02T07:00", NIGHT, "2026-06-02T07:00", id="the end is not quiet"),
        pytest.param("2026-06-02T22:00", NIGHT, "2026-06-03T07:00", id="the beginning is"),
    ],
)
def test_quiet_hours_are_those_of_the_wall(now: str, quiet: Quiet, goes: str) -> None:
    assert after_quiet(at(now), 0, Choices(quiet=quiet), "Europe/Berlin") == at(goes)


@pytest.mark.parametrize("zone", ["", "Nowhere/Land", "../etc/passwd"])
def test_where_nobody_knows_the_place_no_hour_is_quiet(zone: str) -> None:
    assert after_quiet(at("2026-06-01T23:15"), 0, Choices(quiet=NIGHT), zone) == at("2026-06-01T23:15")


@pytest.mark.parametrize(
    ("until", "goes"),
    [
        pytest.param("2026-06-02T07:30", "2026-06-01T23:00", id="it would leave half an hour of eight"),
        pytest.param("2026-06-02T14:59", "2026-06-01T23:00", id="it would leave a little less than half"),
        pytest.param("2026-06-02T15:00", "2026-06-02T07:00", id="it leaves half"),
        pytest.param("2026-06-01T22:59", "2026-06-02T07:00", id="it is too late to answer"),
    ],
)
def test_what_cannot_wait_goes_out_at_once(until: str, goes: str) -> None:
    post = Post("part", "Does it suit you?", (), to="U_AYA", until=at(until))

    assert goes_out(post, Choices(quiet=NIGHT), "Europe/Berlin", at("2026-06-01T23:00")) == at(goes)


@pytest.mark.parametrize(
    ("choices", "step", "question"),
    [
        pytest.param(Choices(), NEVER, 0, id="when needed"),
        pytest.param(Choices(wants_steps=True), 0, 0, id="each step"),
        pytest.param(Choices(wants_digest=True), NEVER, NEVER, id="digest"),
    ],
)
def test_everybody_gets_what_they_have_chosen(choices: Choices, step: Millis, question: Millis) -> None:
    told = (Post("step-1", "Closed.", (), is_step=True), Post("part-1", "Well?", (), in_digest=True))

    assert [goes_out(each, choices, "UTC", 0) for each in told] == [step, question]
    assert goes_out(Post("ending", "We have a plan.", ()), choices, "UTC", 0) == 0
