"""When somebody is busy, out of exports as programs really write them, each told of in a public report of a bug."""

import time

import pytest

from engine.times.busy import LARGEST, UnreadableCalendar, read_export
from engine.times.clocks import span_of
from tests.times.exports import AUTUMN, BERLIN, busy, event, export, of_event, shown

NINE = "DTSTART;TZID=Europe/Berlin:20261020T090000"  # a Tuesday; 07:00 in UTC
TEN = "DTEND;TZID=Europe/Berlin:20261020T100000"
AN_HOUR = "DURATION:PT1H"
TUESDAY = "10-20 07:00 - 10-20 08:00"
WEEK_LATER = "10-27 08:00 - 10-27 09:00"  # after the clocks went back
TWO_LATER = "11-03 08:00 - 11-03 09:00"


def test_only_when_somebody_is_busy_is_told() -> None:
    found = read_export(of_event(NINE, TEN, "SUMMARY:Surgery", "LOCATION:Ward 3"), AUTUMN, BERLIN)
    assert [*map(len, found.busy)] == [2]
    assert "Surgery" not in repr(found)


@pytest.mark.parametrize(
    ("length", "ends"),
    [
        ("P1D", "23:00"), ("PT24H", "22:00"), ("PT1440M", "22:00"), ("P1DT0H", "23:00"),
        ("P0DT24H", "22:00"), ("P1DT24H", "23:00"),
    ],
)  # fmt: skip
def test_a_day_by_the_calendar_is_longer_than_24_hours_as_clocks_go_back(length: str, ends: str) -> None:
    start = "DTSTART;TZID=Europe/Berlin:20261025T000000"
    assert busy(of_event(start, f"DURATION:{length}"))[0].endswith(ends)


def test_what_towow_has_put_into_a_calendar_is_told_apart() -> None:
    own = event("DTSTART:20261027T080000Z", AN_HOUR, uid="d-1a2b-U_AYA@towow")
    found = read_export(export(*event(NINE, TEN), *own), AUTUMN, BERLIN)
    assert [shown(span_of(*each)) for each in found.busy] == [TUESDAY]
    assert {name: [shown(span_of(*each)) for each in spans] for name, spans in found.meetings.items()} == {
        "d-1a2b-U_AYA": [WEEK_LATER]
    }


def test_times_that_touch_are_one() -> None:
    later = event(
        "DTSTART;TZID=Europe/Berlin:20261020T093000", "DTEND;TZID=Europe/Berlin:20261020T110000", uid="another"
    )
    assert busy(export(*event(NINE, TEN), *later)) == ["10-20 07:00 - 10-20 09:00"]


def test_what_reaches_out_of_the_window_ends_with_it() -> None:
    assert busy(of_event("DTSTART:20260801T000000Z", "DTEND:20270101T000000Z")) == ["10-01 00:00 - 12-01 00:00"]


@pytest.mark.parametrize(
    "line",
    [
        "TRANSP:TRANSPARENT",
        "STATUS:CANCELLED",
        "X-MICROSOFT-CDO-BUSYSTATUS:FREE",
        "X-MICROSOFT-CDO-BUSYSTATUS:WORKINGELSEWHERE",
    ],
)
def test_what_takes_nobodys_time_leaves_them_free(line: str) -> None:
    assert busy(of_event(NINE, TEN, line)) == []
    assert busy(of_event(NINE, AN_HOUR, "RRULE:FREQ=DAILY;COUNT=3", line)) == []


def test_what_is_tentative_is_busy() -> None:
    assert busy(of_event(NINE, TEN, "STATUS:TENTATIVE")) == [TUESDAY]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        pytest.param(
            ("DTSTART;VALUE=DATE:20261020",), ["10-19 22:00 - 10-20 22:00"], id="a whole day without an end"
        ),
        pytest.param(
            ("DTSTART;VALUE=DATE:20261020", "DTEND;VALUE=DATE:20261020"), ["10-19 22:00 - 10-20 22:00"],
            id="a whole day that ends when it begins",
        ),
        pytest.param(("DTSTART:20261020",), ["10-19 22:00 - 10-20 22:00"], id="a day that is not said to be one"),
        pytest.param(
            ("DTSTART;VALUE=DATE:20261025",), ["10-24 22:00 - 10-25 23:00"], id="a day that has 25 hours"
        ),
        pytest.param(
            ("DTSTART;VALUE=DATE:20261020", "DTEND;VALUE=DATE:20261023"), ["10-19 22:00 - 10-22 22:00"],
            id="the end is no part of several days",
        ),
        pytest.param(
            ("DTSTART;TZID=Europe/Berlin:20261020T100000", "DTEND;TZID=Europe/Berlin:20261020T090000"), [TUESDAY],
            id="the end before the start",
        ),
        pytest.param((NINE,), [], id="a moment takes no time"),
        pytest.param(
            ("DTSTART;TZID=Europe/Berlin:20261024T120000", "DURATION:P1D"), ["10-24 10:00 - 10-25 11:00"],
            id="a day's length while the clocks go back",
        ),
        pytest.param(
            ("DTSTART;TZID=Europe/Berlin:20261025T010000", "DTEND;TZID=Europe/Berlin:20261025T040000"),
            ["10-24 23:00 - 10-25 03:00"], id="overnight while the clocks go back",
        ),
        pytest.param(
            ("DTSTART;TZID=Europe/Berlin:20261020T090000", "DTEND;TZID=America/New_York:20261020T050000"),
            ["10-20 07:00 - 10-20 09:00"], id="a flight begins and ends in other zones",
        ),
        pytest.param(
            ("DTSTART:20261020T090000", "DTEND:20261020T100000"), [TUESDAY], id="no zone at all: the owner's"
        ),
        pytest.param((NINE, "DURATION:P99999999W"), ["10-20 07:00 - 12-01 00:00"], id="as long as nobody lives"),
        pytest.param(("DTSTART:00010101T000000Z", "DTEND:00010101T010000Z"), [], id="the first of all years"),
        pytest.param(("SUMMARY:no time at all",), [], id="no start"),
    ],
)  # fmt: skip
def test_starts_and_ends(lines: tuple[str, ...], expected: list[str]) -> None:
    assert busy(of_event(*lines)) == expected


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        pytest.param(
            (NINE, AN_HOUR, "RRULE:FREQ=WEEKLY;UNTIL=20261027T090000"), [TUESDAY, WEEK_LATER],
            id="its last time said on the wall",
        ),
        pytest.param(
            (NINE, AN_HOUR, "RRULE:FREQ=WEEKLY;UNTIL=20261027T080000Z"), [TUESDAY, WEEK_LATER],
            id="its last time said in UTC, after the clocks went back",
        ),
        pytest.param(
            (NINE, AN_HOUR, "RRULE:FREQ=WEEKLY;UNTIL=20261027"), [TUESDAY, WEEK_LATER],
            id="its last time said as a day",
        ),
        pytest.param(
            (NINE, AN_HOUR, "RRULE:FREQ=MONTHLY;INTERVAL=2;UNTIL=99991231T235959Z"), [TUESDAY],
            id="its last time said to be the last second of all years",
        ),
        pytest.param(
            ("DTSTART;TZID=Pacific/Auckland:20261020T090000", AN_HOUR, "RRULE:FREQ=DAILY;UNTIL=20261021"),
            ["10-19 20:00 - 10-19 21:00", "10-20 20:00 - 10-20 21:00"],
            id="its last day said where it is another day in UTC",
        ),
        pytest.param(
            ("DTSTART;VALUE=DATE:20261020", "RRULE:FREQ=DAILY;UNTIL=20261021T220000Z"),
            ["10-19 22:00 - 10-21 22:00"], id="whole days until a moment",
        ),
        pytest.param(
            (NINE, AN_HOUR, "RRULE:FREQ=WEEKLY;COUNT=3", "EXDATE:20261027T080000Z"), [TUESDAY, TWO_LATER],
            id="a time left out, said in UTC",
        ),
        pytest.param(
            (NINE, AN_HOUR, "RRULE:FREQ=WEEKLY;COUNT=3", "EXDATE;TZID=America/New_York:20261027T040000"),
            [TUESDAY, TWO_LATER], id="a time left out, said in another zone",
        ),
        pytest.param(
            (NINE, AN_HOUR, "RRULE:FREQ=WEEKLY;COUNT=3", "EXDATE;VALUE=DATE:20261027"), [TUESDAY, TWO_LATER],
            id="a time left out, said as its day",
        ),
        pytest.param(
            ("DTSTART;VALUE=DATE:20261020", "RRULE:FREQ=WEEKLY;COUNT=2", "EXDATE:20261027T000000"),
            ["10-19 22:00 - 10-20 22:00"], id="a day left out, said as a moment",
        ),
        pytest.param(
            (NINE, AN_HOUR, "RRULE:FREQ=WEEKLY;COUNT=3", "EXDATE:20261020T070000Z,20261027T080000Z"), [TWO_LATER],
            id="several left out in one line, the first of them too",
        ),
        pytest.param(
            (NINE, AN_HOUR, "RRULE:FREQ=WEEKLY;COUNT=3", "EXRULE:FREQ=WEEKLY;COUNT=2"), [TWO_LATER],
            id="a rule of what is left out",
        ),
        pytest.param(
            (NINE, AN_HOUR, "RDATE;TZID=Europe/Berlin:20261027T090000", "RDATE;VALUE=DATE:20261103"),
            [TUESDAY, WEEK_LATER, TWO_LATER], id="times one by one",
        ),
        pytest.param(
            (
                NINE, AN_HOUR, "RDATE;VALUE=PERIOD:20261027T080000Z/PT3H",
                "RDATE;VALUE=PERIOD;TZID=Europe/Berlin:20261103T090000/20261103T113000",
            ),
            [TUESDAY, "10-27 08:00 - 10-27 11:00", "11-03 08:00 - 11-03 10:30"], id="times as long as each says",
        ),
        pytest.param(
            ("DTSTART:20260801T070000Z", AN_HOUR, "RDATE;VALUE=PERIOD:20260901T070000Z/20261005T090000Z"),
            ["10-01 00:00 - 10-05 09:00"], id="one of them is longer than all others",
        ),
        pytest.param(
            (NINE, AN_HOUR, "RRULE:FREQ=WEEKLY;COUNT=2", "EXDATE:", "RDATE;TZID=Europe/Berlin:"),
            [TUESDAY, WEEK_LATER], id="lists with nothing in them",
        ),
        pytest.param(
            (NINE, AN_HOUR, "RRULE:FREQ=WEEKLY;COUNT=2", "RRULE:FREQ=WEEKLY;INTERVAL=2;COUNT=2"),
            [TUESDAY, WEEK_LATER, TWO_LATER], id="two rules",
        ),
        pytest.param(
            ("DTSTART;TZID=Europe/Berlin:20240229T090000", AN_HOUR, "RRULE:FREQ=YEARLY"), [],
            id="a leap day has no year's day this year",
        ),
        pytest.param(
            ("DTSTART;TZID=Europe/Berlin:20260131T090000", AN_HOUR, "RRULE:FREQ=MONTHLY"),
            ["10-31 08:00 - 10-31 09:00"], id="November has no 31st",
        ),
        pytest.param(
            (NINE, AN_HOUR, "RRULE:FREQ=WEEKLY;UNTIL=20261001T090000Z"), [TUESDAY], id="it ends before it begins"
        ),
        pytest.param(
            ("DTSTART;TZID=Europe/Berlin:19990105T090000", AN_HOUR, "RRULE:FREQ=WEEKLY;UNTIL=20261007;INTERVAL=2"),
            ["10-06 07:00 - 10-06 08:00"], id="every other week since 1999",
        ),
        pytest.param(
            (NINE, AN_HOUR, "RRULE:X-OWN=yes;FREQ=WEEKLY;COUNT=2"), [TUESDAY, WEEK_LATER], id="an unknown part"
        ),
        pytest.param(
            ("DTSTART;TZID=Europe/Berlin:20260926T233000", "DURATION:P6D", "RRULE:FREQ=YEARLY"),
            ["10-01 00:00 - 10-02 21:30"], id="it began before the window",
        ),
    ],
)  # fmt: skip
def test_what_recurs(lines: tuple[str, ...], expected: list[str]) -> None:
    assert busy(of_event(*lines)) == expected


WEEKLY = event(NINE, AN_HOUR, "RRULE:FREQ=WEEKLY;COUNT=3")


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        pytest.param(
            [("RECURRENCE-ID;TZID=Europe/Berlin:20261027T090000", "DTSTART:20261028T120000Z", AN_HOUR)],
            [TUESDAY, "10-28 12:00 - 10-28 13:00", TWO_LATER], id="moved",
        ),
        pytest.param(
            [("RECURRENCE-ID;TZID=America/New_York:20261027T040000", "DTSTART:20261028T120000Z", AN_HOUR)],
            [TUESDAY, "10-28 12:00 - 10-28 13:00", TWO_LATER], id="moved, named in another zone",
        ),
        pytest.param(
            [("RECURRENCE-ID;VALUE=DATE:20261027", "DTSTART:20261028T120000Z", AN_HOUR)],
            [TUESDAY, "10-28 12:00 - 10-28 13:00", TWO_LATER], id="moved, named as its day",
        ),
        pytest.param(
            [("RECURRENCE-ID:20261027T080000Z", "DTSTART:20261027T080000Z", AN_HOUR, "STATUS:CANCELLED")],
            [TUESDAY, TWO_LATER], id="cancelled",
        ),
        pytest.param(
            [("RECURRENCE-ID:20261027T080000Z", "DTSTART:20261027T080000Z", AN_HOUR, "TRANSP:TRANSPARENT")],
            [TUESDAY, TWO_LATER], id="free",
        ),
        pytest.param(
            [
                ("RECURRENCE-ID:20261027T080000Z", "DTSTART:20261028T150000Z", AN_HOUR, "SEQUENCE:2"),
                ("RECURRENCE-ID:20261027T080000Z", "DTSTART:20261028T120000Z", AN_HOUR, "SEQUENCE:1"),
            ],
            [TUESDAY, "10-28 15:00 - 10-28 16:00", TWO_LATER], id="the newest change counts",
        ),
        pytest.param(
            [("RECURRENCE-ID;RANGE=THISANDFUTURE:20261027T080000Z", "DTSTART:20261027T100000Z", "DURATION:PT2H")],
            [TUESDAY, "10-27 10:00 - 10-27 12:00", "11-03 10:00 - 11-03 12:00"], id="from then on",
        ),
    ],
)  # fmt: skip
def test_a_time_of_a_series_that_was_changed(changes: list[tuple[str, ...]], expected: list[str]) -> None:
    changed = [line for each in changes for line in event(*each)]
    assert busy(export(*WEEKLY, *changed)) == expected
    assert busy(export(*changed, *WEEKLY)) == expected


def test_a_change_whose_series_is_not_in_the_file_is_a_time_of_its_own() -> None:
    assert busy(of_event("RECURRENCE-ID:20261020T060000Z", NINE, AN_HOUR)) == [TUESDAY]


def test_a_series_that_stands_there_twice_counts_as_it_is_newest() -> None:
    older = event(NINE, AN_HOUR, "RRULE:FREQ=DAILY;COUNT=9", "SEQUENCE:1")
    newer = event(NINE, AN_HOUR, "RRULE:FREQ=WEEKLY;COUNT=2", "SEQUENCE:2")
    assert busy(export(*newer, *older)) == [TUESDAY, WEEK_LATER]


def test_events_of_the_same_name_are_as_many_as_they_are() -> None:
    later = event("DTSTART;TZID=Europe/Berlin:20261027T090000", AN_HOUR)
    assert busy(export(*event(NINE, TEN), *later)) == [TUESDAY, WEEK_LATER]


BRITISH = (
    "BEGIN:VTIMEZONE", "TZID:{name}",
    "BEGIN:STANDARD", "DTSTART:16010101T020000", "RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10",
    "TZOFFSETFROM:+0100", "TZOFFSETTO:+0000", "END:STANDARD",
    "BEGIN:DAYLIGHT", "DTSTART:16010101T010000", "RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3",
    "TZOFFSETFROM:+0000", "TZOFFSETTO:+0100", "END:DAYLIGHT",
    "END:VTIMEZONE",
)  # fmt: skip


def zoned(name: str) -> tuple[str, ...]:
    return event(f"DTSTART;TZID={name}:20261020T090000", AN_HOUR, "RRULE:FREQ=WEEKLY;COUNT=2")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        pytest.param("W. Europe Standard Time", [TUESDAY, WEEK_LATER], id="as Windows calls it"),
        pytest.param('"Europe/Berlin"', [TUESDAY, WEEK_LATER], id="in quotes"),
        pytest.param("/freeassociation.sourceforge.net/Europe/Berlin", [TUESDAY, WEEK_LATER], id="after its maker"),
        pytest.param("CET", [TUESDAY, WEEK_LATER], id="in short"),
        pytest.param("GMT Standard Time", ["10-20 08:00 - 10-20 09:00", "10-27 09:00 - 10-27 10:00"], id="London"),
    ],
)
def test_a_zone_that_the_file_names_and_does_not_define(name: str, expected: list[str]) -> None:
    assert busy(export(*zoned(name))) == expected


@pytest.mark.parametrize("name", ["Customized Time Zone", "GMT", "(UTC+00:00) Dublin\\, Edinburgh\\, London"])
def test_a_zone_that_the_file_defines_is_as_it_says(name: str) -> None:
    defined = [each.format(name=name) for each in BRITISH]
    said = f'"{name}"' if "," in name else name
    assert busy(export(*defined, *zoned(said))) == ["10-20 08:00 - 10-20 09:00", "10-27 09:00 - 10-27 10:00"]


def test_the_zone_of_a_whole_calendar_is_of_times_without_one() -> None:
    said = export("X-WR-TIMEZONE:America/New_York", *event("DTSTART:20261020T090000", AN_HOUR))
    assert busy(said) == ["10-20 13:00 - 10-20 14:00"]


def test_a_zone_that_nobody_knows_is_refused_unless_it_is_over_anyway() -> None:
    with pytest.raises(UnreadableCalendar) as refused:
        busy(export(*zoned("Middle Earth")))
    assert (refused.value.reason, refused.value.about) == ("no_zone", "Middle Earth")
    assert busy(of_event("DTSTART;TZID=Middle Earth:20200101T090000", AN_HOUR)) == []


def test_folded_lines_are_put_together() -> None:
    folded = "DTSTART;TZID=Eur\r\n ope/Berlin:2026\r\n\t1020T090000"
    assert busy(of_event(folded, TEN, "SUMMARY:long\r\n  and longer")) == [TUESDAY]


@pytest.mark.parametrize("ending", [b"\n", b"\r", b"\n\n"], ids=["lines", "old lines", "empty lines"])
def test_any_ending_of_lines_is_read(ending: bytes) -> None:
    assert busy(of_event(NINE, TEN).replace(b"\r\n", ending)) == [TUESDAY]


def test_other_encodings_are_read() -> None:
    said = of_event(NINE, TEN)
    assert busy(b"\xef\xbb\xbf" + said) == [TUESDAY]
    assert busy(said.decode().encode("utf-16")) == [TUESDAY]
    assert busy(said.replace(b"UID:one", b"UID:one\r\nSUMMARY:Caf\xe9 \x00\xff")) == [TUESDAY]


def test_what_is_unknown_or_broken_elsewhere_hinders_nothing() -> None:
    alarm = ("BEGIN:VALARM", "TRIGGER:-PT5X", "DURATION:nonsense", "END:VALARM")
    odd = ("X-ANY;A=B;C:d", "a line without anything", "GEO:here", "ATTENDEE;CN=:mailto:", "DTSTAMP:now")
    task = ("BEGIN:VTODO", "DTSTART:never", "END:VTODO")
    assert busy(export("METHOD:", *task, *event(*odd, NINE, TEN, *alarm))) == [TUESDAY]
    over = event("DTSTART:20161020T070000Z", "DTEND;Europe/Berlin:20161020T090000", uid="over")
    assert busy(export(*event(NINE, TEN), *over)) == [TUESDAY]


def test_a_calendar_that_tells_of_busy_and_free_only_is_read() -> None:
    told = (
        "BEGIN:VFREEBUSY", "FREEBUSY;FBTYPE=BUSY-TENTATIVE:20261020T070000Z/PT1H,20261027T080000Z/20261027T090000Z",
        "FREEBUSY;FBTYPE=FREE:20261021T070000Z/PT1H", "END:VFREEBUSY",
    )  # fmt: skip
    assert busy(export(*told)) == [TUESDAY, WEEK_LATER]


def test_several_calendars_in_one_file_count_together() -> None:
    later = event("DTSTART;TZID=Europe/Berlin:20261027T090000", AN_HOUR)
    assert busy(export(*event(NINE, TEN)) + export(*later)) == [TUESDAY, WEEK_LATER]


def test_an_empty_calendar_leaves_everything_free() -> None:
    assert busy(export()) == []


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        pytest.param(b"", "no_calendar", id="nothing"),
        pytest.param(b"<!doctype html><title>Sign in</title>", "no_calendar", id="a page"),
        pytest.param(bytes(range(256)) * 9, "no_calendar", id="any bytes"),
        pytest.param(b"BEGIN:VCARD\r\nEND:VCARD\r\n", "no_calendar", id="a card"),
        pytest.param(of_event(NINE, TEN)[:-20], "cut", id="cut"),
        pytest.param(export("BEGIN:VEVENT", NINE, "END:VTODO"), "cut", id="ends that do not fit"),
        pytest.param(of_event("DTSTART:20261301T090000"), "no_time", id="a month that is none"),
        pytest.param(of_event(NINE, "DTEND:later"), "no_time", id="an end that is none"),
        pytest.param(of_event("DTSTART;Europe/Berlin:20261020T090000"), "no_time", id="a zone not said to be one"),
        pytest.param(
            of_event(NINE, AN_HOUR, "RRULE:FREQ=DAILY", "EXDATE;Europe/Berlin:20261021T090000"), "no_time",
            id="the zone of what is left out, likewise",
        ),
        pytest.param(of_event(NINE, AN_HOUR, "RRULE:FREQ=OFTEN"), "no_rule", id="a rule that is none"),
        pytest.param(of_event(NINE, AN_HOUR, "RRULE:COUNT=3"), "no_rule", id="a rule without a step"),
        pytest.param(
            of_event(NINE, AN_HOUR, "RRULE:RSCALE=CHINESE;FREQ=YEARLY"), "no_rule", id="another reckoning of years"
        ),
        pytest.param(of_event(NINE, AN_HOUR, "RRULE:FREQ=DAILY", "EXDATE:never"), "no_time", id="nothing left out"),
        pytest.param(of_event(NINE, AN_HOUR, "RDATE:20261345"), "no_time", id="a further time that is none"),
        pytest.param(
            of_event("RECURRENCE-ID:then", NINE, AN_HOUR), "no_time", id="a change of nobody knows what"
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_read_rightly_is_refused(content: bytes, reason: str) -> None:
    with pytest.raises(UnreadableCalendar) as refused:
        busy(content)
    assert refused.value.reason == reason


def test_a_million_times_are_read_or_refused_within_seconds() -> None:
    started = time.process_time()
    minutes = of_event("DTSTART:19700101T000000Z", "DURATION:PT1M", "RRULE:FREQ=MINUTELY;INTERVAL=2")
    assert len(busy(minutes)) == 61 * 24 * 30
    with pytest.raises(UnreadableCalendar, match="too_much"):
        busy(of_event("DTSTART:19700101T000000Z", "DURATION:PT1S", "RRULE:FREQ=SECONDLY"))
    assert time.process_time() - started < 30


@pytest.mark.exhaustive
def test_what_would_take_too_long_is_given_up() -> None:
    never = ("DTSTART:19700101T000000Z", AN_HOUR, "RRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30")
    with pytest.raises(UnreadableCalendar, match="too_much"):
        busy(export(*(line for number in range(60) for line in event(*never, uid=str(number)))))


@pytest.mark.exhaustive
def test_what_would_take_too_much_memory_is_given_up() -> None:
    short = b"BEGIN:VEVENT\r\nDTSTART:1\r\nEND:VEVENT\r\n"
    with pytest.raises(UnreadableCalendar, match="too_much"):
        busy(export("{}").replace(b"{}\r\n", short * (LARGEST // len(short) - 5)))


def test_a_file_that_is_too_large_is_not_looked_at() -> None:
    with pytest.raises(UnreadableCalendar, match="too_much"):
        busy(of_event(NINE, TEN) + b" " * LARGEST)
