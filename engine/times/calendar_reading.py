"""Reads when an iCalendar export says that somebody is busy, in a process of its own.

A file from outside may take any time and memory: one rule can say a million times. So this runs as a program, which
bounds itself, with a line of JSON on its standard input (the window as seconds since 1970, the time zone of its owner)
and the file behind it. It imports nothing of ToWow, so that it begins at once. Titles and places are dropped before
anything is parsed.
"""

import json
import re
import sys
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import cached_property
from itertools import chain
from typing import Any, Final, NamedTuple, NoReturn
from zoneinfo import ZoneInfo

from dateutil.rrule import rrulestr
from icalendar import Calendar
from icalendar.prop import vBroken
from icalendar.timezone.windows_to_olson import WINDOWS_TO_OLSON

LONGEST: Final = 10
"""Seconds of a processor."""
MOST_MEMORY: Final = 512 * 1024 * 1024
"""Bytes of addresses, with Python itself."""
MOST: Final = 100_000
"""Times that a file may say within a window."""

NO_CALENDAR: Final = "no_calendar"
CUT: Final = "cut"
NO_TIME: Final = "no_time"
NO_RULE: Final = "no_rule"
NO_ZONE: Final = "no_zone"
TOO_MUCH: Final = "too_much"

KEPT: Final = {
    ("VCALENDAR",): {"X-WR-TIMEZONE"},
    ("VCALENDAR", "VEVENT"): {
        "UID", "DTSTART", "DTEND", "DURATION", "RRULE", "EXRULE", "RDATE", "EXDATE", "RECURRENCE-ID", "SEQUENCE",
        "TRANSP", "STATUS", "X-MICROSOFT-CDO-BUSYSTATUS",
    },
    ("VCALENDAR", "VFREEBUSY"): {"FREEBUSY"},
    ("VCALENDAR", "VTIMEZONE"): {"TZID"},
    ("VCALENDAR", "VTIMEZONE", "STANDARD"): {"DTSTART", "RRULE", "RDATE", "TZOFFSETFROM", "TZOFFSETTO", "TZNAME"},
    ("VCALENDAR", "VTIMEZONE", "DAYLIGHT"): {"DTSTART", "RRULE", "RDATE", "TZOFFSETFROM", "TZOFFSETTO", "TZNAME"},
}  # fmt: skip
"""Which lines are read, by what they stand in."""

LISTS: Final = {"RDATE", "EXDATE"}
"""Which may be empty."""
FREE_IN_OUTLOOK: Final = {"FREE", "WORKINGELSEWHERE"}
STEPS: Final = {
    "SECONDLY": timedelta(seconds=1), "MINUTELY": timedelta(minutes=1), "HOURLY": timedelta(hours=1),
    "DAILY": timedelta(1), "WEEKLY": timedelta(7),
}  # fmt: skip
"""How far apart two times of a rule are that has the interval 1."""
RULE_PARTS: Final = {
    "FREQ", "INTERVAL", "COUNT", "UNTIL", "WKST", "BYSECOND", "BYMINUTE", "BYHOUR", "BYDAY", "BYMONTHDAY", "BYYEARDAY",
    "BYWEEKNO", "BYMONTH", "BYSETPOS",
}  # fmt: skip
BY_CALENDAR: Final = "X-DAYS"
DAYS: Final = re.compile(r"\A\s*[+-]?P(?:(\d{1,6})W)?(?:(\d{1,6})D)?", re.IGNORECASE)
EARLIEST: Final = datetime(1900, 1, 1)
LATEST: Final = datetime(2200, 1, 1)
A_ZONE_APART: Final = timedelta(days=2)
"""No two zones are further apart."""

OWN: Final = "@towow"
"""The end of the UID of whatever ToWow has put into somebody's calendar."""

Seconds = tuple[int, int]
"""From and until when, since 1970."""
_Span = tuple[datetime, datetime]


class Refused(Exception):
    """The file cannot be read rightly.

    Args:
        reason: one of the constants above.
        about: the name of a time zone, where that is the reason.
    """

    def __init__(self, reason: str, about: str = "") -> None:
        super().__init__(reason, about)
        self.reason = reason
        self.about = about


def main() -> int:
    _bound()
    warnings.simplefilter("ignore")
    given = json.loads(sys.stdin.buffer.readline())
    content = sys.stdin.buffer.read()
    try:
        first, last = (datetime.fromtimestamp(each, UTC) for each in given["window"])
        found, meetings = read(content, first, last, ZoneInfo(given["zone"]))
        said: dict[str, Any] = {"busy": found, "meetings": meetings}
    except Refused as refused:
        said = {"refused": refused.reason, "about": refused.about}
    except (MemoryError, RecursionError):
        said = {"refused": TOO_MUCH, "about": ""}
    sys.stdout.write(json.dumps(said))
    return 0


def _bound() -> None:
    if sys.platform != "win32":  # there, only the parent's patience bounds it
        import resource

        for what, most in ((resource.RLIMIT_CPU, LONGEST), (resource.RLIMIT_AS, MOST_MEMORY)):
            with suppress(ValueError, OSError):  # a system that bounds it more tightly, or cannot
                resource.setrlimit(what, (most, most))


def read(
    content: bytes, first: datetime, last: datetime, zone: tzinfo
) -> tuple[list[Seconds], dict[str, list[Seconds]]]:
    """Return the busy times within a window, in order and apart from each other, and beside them those of meetings to
    which ToWow has invited, by their UID without its end.

    Args:
        zone: of days and times that name none, unless the calendar does.

    Raises:
        Refused: it is no calendar, or says a time that cannot be read.
    """
    found: dict[str, list[_Span]] = {}
    count = 0
    for calendar in _calendars(content):
        window = _Window(first, last, _Zones(calendar, zone))
        for uid, span in chain(_events(calendar, window), (("", each) for each in _told(calendar, window))):
            own = uid.removesuffix(OWN) if uid.endswith(OWN) else ""
            found.setdefault(own, []).append((max(span[0], first), min(span[1], last)))
            count += 1
            if count > MOST:
                raise Refused(TOO_MUCH)
    merged = {own: _merged(spans) for own, spans in found.items()}
    return merged.pop("", []), merged


def _merged(spans: list[_Span]) -> list[Seconds]:
    merged: list[Seconds] = []
    for start, end in sorted(spans):
        begins, ends = int(start.timestamp()), int(end.timestamp())
        if merged and begins <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(ends, merged[-1][1]))
        elif begins < ends:
            merged.append((begins, ends))
    return merged


def _calendars(content: bytes) -> Iterator[Any]:
    kept = _kept(_text(content))
    if not kept:
        raise Refused(NO_CALENDAR)
    try:
        yield from Calendar.from_ical("\r\n".join([*kept, ""]), multiple=True)
    except (ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
        raise Refused(NO_CALENDAR) from error


def _text(content: bytes) -> str:
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return content.decode("utf-16", "replace")
    return content.decode("utf-8-sig", "replace")  # what is no UTF-8 is a title, in whatever older encoding


def _kept(text: str) -> list[str]:
    """Return the lines that say when, whole; none where it is no calendar."""
    kept: list[str] = []
    within: list[str] = []
    unfolded = re.sub(r"(?:\r\n|\r|\n)[ \t]", "", text)
    for line in re.split(r"[\r\n]+", unfolded):
        name = re.split("[;:]", line, maxsplit=1)[0].strip().upper()
        if name == "BEGIN":
            within.append(line.partition(":")[2].strip().upper())
        if name in ("BEGIN", "END") or not name:
            inside = tuple(within)
            if name == "END" and (not within or within.pop() != line.partition(":")[2].strip().upper()):
                raise Refused(CUT if kept else NO_CALENDAR)
            if name and inside in KEPT:
                kept.append(line.strip())
        elif name in KEPT.get(tuple(within), ()) and not (name in LISTS and line.rstrip().endswith(":")):
            kept.append((_with_days(line) if name == "DURATION" else line).rstrip())
    if within:
        raise Refused(CUT if kept else NO_CALENDAR)
    return kept


def _with_days(line: str) -> str:
    """Say beside a duration how many of its days are by the calendar: what reads it takes 24 hours for a day too."""
    head, colon, value = line.partition(":")
    days = DAYS.match(value)
    return f"{head};{BY_CALENDAR}={_whole(days, 1) * 7 + _whole(days, 2)}:{value}" if colon and days else line


def _whole(found: re.Match[str], group: int) -> int:
    return int(found[group] or 0)


class _Zones:
    """Time zones by the names that a calendar gives them."""

    def __init__(self, calendar: Any, otherwise: tzinfo) -> None:
        self._said = {str(each.get("TZID", "")).strip('"'): each for each in calendar.walk("VTIMEZONE")}
        self._found: dict[str, tzinfo] = {}
        self.of_days = otherwise
        self.of_times = otherwise
        with suppress(Refused):  # where it is wrong, the owner's counts
            if name := str(calendar.get("X-WR-TIMEZONE", "")).strip():
                self.of_times = self.named(name)

    def named(self, name: str) -> tzinfo:
        """Return a zone.

        What a calendar says of a zone counts before our own list, unless its name is of a place: our list knows of
        each place what the law there says by now, and a calendar what it said when the calendar was made.
        """
        found = self._found.get(name)
        if found is None:
            found = self._found[name] = self._look_up(name.strip('"'))
        return found

    def _look_up(self, name: str) -> tzinfo:
        place = name.strip("/")
        if "/" in place and (found := _listed(place)):
            return found
        if name in self._said:
            with suppress(ValueError, KeyError, IndexError, TypeError, AttributeError, OverflowError):
                made: tzinfo = self._said[name].to_tz(lookup_tzid=False)
                made.utcoffset(datetime(2026, 1, 1))
                return made
        if found := _listed(WINDOWS_TO_OLSON.get(place, place)):
            return found
        parts = place.split("/")  # a maker's name before that of the place
        for begin in range(1, len(parts)):
            if found := _listed("/".join(parts[begin:])):
                return found
        raise Refused(NO_ZONE, name[:80])


def _listed(name: str) -> tzinfo | None:
    with suppress(ValueError, OSError):  # ZoneInfoNotFoundError is a KeyError
        try:
            return ZoneInfo(name)
        except KeyError:
            return None
    return None


class _Window(NamedTuple):
    first: datetime
    last: datetime
    zones: _Zones

    def zone_of(self, value: Any) -> tzinfo:
        """Return the zone of a property's time."""
        if not isinstance(value.dt, datetime):
            return self.zones.of_days
        if name := str(value.params.get("TZID", "")):
            return self.zones.named(name)
        return UTC if value.dt.tzinfo is not None else self.zones.of_times

    def holds(self, start: datetime, end: datetime) -> bool:
        return start < self.last and self.first < end


def _wall(said: date | datetime) -> datetime:
    """Return what a clock on the wall shows, within what can be reckoned with."""
    shown = said.replace(tzinfo=None) if isinstance(said, datetime) else datetime.combine(said, time())
    return min(max(shown, EARLIEST), LATEST)


def _after(wall: datetime, length: timedelta) -> datetime:
    return wall + min(length, LATEST - wall)


def _instant(wall: datetime, zone: tzinfo) -> datetime:
    return wall.replace(tzinfo=zone).astimezone(UTC)


class _Event:
    """What one VEVENT says of when."""

    def __init__(self, said: Any, window: _Window) -> None:
        self.said = said
        self._window = window
        self.uid = str(said.get("UID", ""))
        start = _single(said, "DTSTART")
        self.is_day = not isinstance(start.dt, datetime)
        self.wall = _wall(start.dt)
        self.is_broken = _has_broken_lines(said)
        self._start = start

    @property
    def zone(self) -> tzinfo:
        return self._window.zone_of(self._start)

    @property
    def sequence(self) -> int:
        said = self.said.get("SEQUENCE", 0)
        return said if isinstance(said, int) else 0

    @property
    def is_busy(self) -> bool:
        said = self.said
        return (
            str(said.get("TRANSP", "")).upper() != "TRANSPARENT"
            and not self.is_cancelled
            and str(said.get("X-MICROSOFT-CDO-BUSYSTATUS", "")).upper() not in FREE_IN_OUTLOOK
        )

    @property
    def is_cancelled(self) -> bool:
        return str(self.said.get("STATUS", "")).upper() == "CANCELLED"

    @property
    def recurs(self) -> bool:
        return "RRULE" in self.said or "RDATE" in self.said

    def spans(self, wall: datetime) -> tuple[datetime, datetime]:
        """Return from and until when it takes place where it begins then."""
        start = _instant(wall, self.zone)
        nominal, exact = (timedelta(), self._periods[wall]) if wall in self._periods else self._length()
        end = _instant(_after(wall, nominal), self.zone) + exact
        return min(start, end), max(start, end)  # some write both the wrong way round

    def _length(self) -> tuple[timedelta, timedelta]:
        """Return how long it takes, first by the calendar and then by the clock: a day may have 23 hours."""
        end = _single(self.said, "DTEND") if "DTEND" in self.said else None
        if end is None and "DURATION" in self.said:
            said = _single(self.said, "DURATION")
            length = min(abs(said.dt), LATEST - EARLIEST)
            days = timedelta(min(int(said.params.get(BY_CALENDAR, length.days)), length.days))
            return days, length - days
        if end is None:
            return timedelta(1 if self.is_day else 0), timedelta()
        if self.is_day and not isinstance(end.dt, datetime):
            return max(abs(_wall(end.dt) - self.wall), timedelta(1)), timedelta()
        ends = _instant(_wall(end.dt), self._window.zone_of(end))
        return timedelta(), ends - _instant(self.wall, self.zone)

    @cached_property
    def _periods(self) -> Mapping[datetime, timedelta]:
        """How long those times take of which it is said one by one."""
        said = _listed_times(self.said, "RDATE")
        return {_on_wall(each, self, self._window): each.length for each in said if each.length is not None}

    def longest(self) -> timedelta:
        return max(map(abs, (sum(self._length(), timedelta()), *self._periods.values())))

    def may_touch(self) -> bool:
        """Whether it can reach into the window, in whatever zone."""
        last, first = (each.replace(tzinfo=None) for each in (self._window.last, self._window.first))
        end = _wall(_single(self.said, "DTEND").dt) if "DTEND" in self.said else _after(self.wall, self.longest())
        return min(self.wall, end) - A_ZONE_APART < last and max(self.wall, end) + A_ZONE_APART > first


def _single(said: Any, name: str) -> Any:
    """Return a time that stands there once; where it stands there more often, the first."""
    value = said[name]
    value = value[0] if isinstance(value, list) else value
    if isinstance(value, vBroken) or not hasattr(value, "dt"):
        raise Refused(NO_TIME)
    if isinstance(value.dt, date) is (name == "DURATION"):
        raise Refused(NO_TIME)
    return value


def _events(calendar: Any, window: _Window) -> Iterator[tuple[str, _Span]]:
    """Yield when each event is, with its UID."""
    series: dict[str, list[_Event]] = {}
    changed: dict[str, list[_Event]] = {}
    for number, said in enumerate(calendar.walk("VEVENT")):
        if "DTSTART" not in said:  # it takes no time
            if _has_broken_lines(said):
                raise Refused(NO_TIME)
            continue
        event = _Event(said, window)
        of = changed if "RECURRENCE-ID" in said else series
        of.setdefault(event.uid or f"nameless {number}", []).append(event)
    for uid in {**series, **changed}:
        for span in _of_one(_newest(series.get(uid, [])), changed.get(uid, []), window):
            yield uid, span


def _has_broken_lines(said: Any) -> bool:
    """Whether a line that says when could not be taken apart; then nobody knows what it was."""
    return any(name is None for name, _ in said.errors)


def _newest(events: list[_Event]) -> list[_Event]:
    """Leave out what an export repeats in an older state; two that are as new are two."""
    newest = max((each.sequence for each in events), default=0)
    return [each for each in events if each.sequence == newest]


def _refuse_broken(event: _Event) -> None:
    if event.is_broken:
        raise Refused(NO_TIME)


def _of_one(masters: list[_Event], changed: list[_Event], window: _Window) -> Iterator[tuple[datetime, datetime]]:
    changes = _Changes(changed, window)
    for event in masters:
        if not event.recurs:
            if event.is_busy and event.may_touch():
                _refuse_broken(event)
                yield from _within(event.spans(event.wall), window)
        elif not event.is_cancelled:
            _refuse_broken(event)
            for wall in _times(event, window, changes):
                if not changes.has(event, wall):
                    span = changes.spans(event, wall)
                    if span:
                        yield from _within(span, window)
    for each in changes.single:
        if each.is_busy and each.may_touch():
            _refuse_broken(each)
            yield from _within(each.spans(each.wall), window)


def _within(span: tuple[datetime, datetime], window: _Window) -> Iterator[tuple[datetime, datetime]]:
    if window.holds(*span):
        yield span


class _Changes:
    """Single times of a series that were changed, and those from which on all were."""

    def __init__(self, changed: Iterable[_Event], window: _Window) -> None:
        newest: dict[Any, _Event] = {}
        for each in changed:
            key = _key(_single(each.said, "RECURRENCE-ID"), window)
            if key not in newest or newest[key].sequence <= each.sequence:
                newest[key] = each
        self._keys = set(newest)
        self.single = list(newest.values())
        self._future = sorted(
            (
                (_key_instant(key, window), each)
                for key, each in newest.items()
                if str(each.said["RECURRENCE-ID"].params.get("RANGE", "")).upper() == "THISANDFUTURE"
            ),
            key=lambda pair: pair[0],
        )

    def has(self, event: _Event, wall: datetime) -> bool:
        """Whether that time of the series was changed."""
        return _is_among(self._keys, event, wall)

    def spans(self, event: _Event, wall: datetime) -> tuple[datetime, datetime] | None:
        """Return when a time of the series takes place; None where nobody is busy then."""
        begins = _instant(wall, event.zone)
        for since, each in reversed(self._future):
            if since <= begins:
                moved = (begins + (_instant(each.wall, each.zone) - since)).astimezone(each.zone)
                return each.spans(moved.replace(tzinfo=None)) if each.is_busy else None
        return event.spans(wall) if event.is_busy else None

    @property
    def longest(self) -> timedelta:
        """How far such a change can move a time, with how long it then takes."""
        return max(
            (abs(_instant(each.wall, each.zone) - since) + each.longest() for since, each in self._future),
            default=timedelta(),
        )


def _key(value: Any, window: _Window) -> date | datetime:
    """Return what names one time of a series: its instant, or its day where only that is said."""
    if isinstance(value, vBroken):
        raise Refused(NO_TIME)
    if not isinstance(value.dt, datetime):
        day: date = value.dt
        return day
    return _instant(_wall(value.dt), window.zone_of(value))


def _key_instant(key: date | datetime, window: _Window) -> datetime:
    return key if isinstance(key, datetime) else _instant(_wall(key), window.zones.of_days)


def _is_among(keys: Iterable[date | datetime], event: _Event, wall: datetime) -> bool:
    """Whether a time of a series is named, by its instant or by its day. Some write one for the other."""
    among = keys if isinstance(keys, set) else set(keys)
    return wall.date() in among or _instant(wall, event.zone) in among or (event.is_day and _is_that_day(among, wall))


def _is_that_day(keys: Iterable[date | datetime], wall: datetime) -> bool:
    return any(isinstance(each, datetime) and each.date() == wall.date() for each in keys)


def _times(event: _Event, window: _Window, changes: _Changes) -> Iterator[datetime]:
    """Yield when a series begins, on the wall, as far as it can matter to the window."""
    margin = max(event.longest(), changes.longest) + A_ZONE_APART
    first = max(window.first.replace(tzinfo=None) - EARLIEST, margin) - margin + EARLIEST
    last = window.last.replace(tzinfo=None) + A_ZONE_APART + changes.longest
    without = {_key(each, window) for each in _listed_times(event.said, "EXDATE")}
    for rule in _rules(event.said, "EXRULE"):
        without |= {_instant(each, event.zone) for each in _by_rule(rule, event, window, first, last)}
    rules = [_by_rule(each, event, window, first, last) for each in _rules(event.said, "RRULE")]
    dates = [_on_wall(each, event, window) for each in _listed_times(event.said, "RDATE")]
    seen: set[datetime] = set()
    for wall in chain([event.wall], *rules, dates):
        if first <= wall <= last and wall not in seen:
            seen.add(wall)
            if len(seen) > MOST:
                raise Refused(TOO_MUCH)
            if not _is_among(without, event, wall):
                yield wall


def _rules(said: Any, name: str) -> list[Mapping[str, Any]]:
    rules = said.get(name, [])
    rules = rules if isinstance(rules, list) else [rules]
    if any(isinstance(each, vBroken) or not isinstance(each, Mapping) for each in rules):
        raise Refused(NO_RULE)
    return rules


def _by_rule(
    rule: Mapping[str, Any], event: _Event, window: _Window, first: datetime, last: datetime
) -> Iterator[datetime]:
    parts = {name.upper(): value for name, value in rule.items()}
    if any(name not in RULE_PARTS and not name.startswith("X-") for name in parts):
        raise Refused(NO_RULE)  # such as another reckoning of the year
    until = parts.pop("UNTIL", None)
    start = event.wall if "COUNT" in parts else _later(event.wall, parts, first)
    text = ";".join(
        f"{name}={','.join(str(_plain(each)) for each in _many(value))}"
        for name, value in parts.items()
        if not name.startswith("X-")
    )
    try:
        made = rrulestr(text, dtstart=start)
    except (ValueError, TypeError, KeyError, IndexError, AttributeError) as error:
        raise Refused(NO_RULE) from error
    ends = min(last, _until(_many(until)[0], event, window)) if until else last
    try:
        for wall in made:
            if wall > ends:
                return
            yield wall
    except (ValueError, OverflowError, IndexError) as error:
        raise Refused(NO_RULE) from error


def _later(start: datetime, parts: Mapping[str, Any], first: datetime) -> datetime:
    """Return a time of the same rule shortly before the window, so that nobody counts the minutes since 1970."""
    step = STEPS.get(str(_many(parts.get("FREQ", ""))[0]).upper())
    interval = _many(parts.get("INTERVAL", 1))[0]
    if step is None or not isinstance(interval, int) or interval < 1 or start >= first:
        return start
    try:
        return start + max((first - start) // (step * interval) - 1, 0) * (step * interval)
    except OverflowError:
        return start


def _many(value: Any) -> list[Any]:
    return (list(value) or [""]) if isinstance(value, list | tuple) else [value]


def _plain(part: Any) -> Any:
    return part.to_ical().decode() if hasattr(part, "to_ical") else part


def _until(until: Any, event: _Event, window: _Window) -> datetime:
    """Return the last moment of a series on its wall. It may be said in UTC, on that wall, or as a day."""
    if not isinstance(until, date):
        raise Refused(NO_RULE)
    if not isinstance(until, datetime):
        return _wall(until) + timedelta(days=1, microseconds=-1)
    if until.tzinfo is None or event.is_day:
        return _wall(until)
    return _wall(_instant(_wall(until), UTC).astimezone(event.zone))  # some write the last second of the year 9999


def _listed_times(said: Any, name: str) -> Iterator[Any]:
    """Yield the times of one or many lines; a period as its start, with how long it is."""
    lines = said.get(name, [])
    for line in lines if isinstance(lines, list) else [lines]:
        if isinstance(line, vBroken) or not hasattr(line, "dts"):
            raise Refused(NO_TIME)
        for each in line.dts:
            begins, ends = each.dt if isinstance(each.dt, tuple) else (each.dt, None)
            is_time = isinstance(begins, datetime) and isinstance(ends, datetime)
            length = ends if isinstance(ends, timedelta) else _wall(ends) - _wall(begins) if is_time else None
            yield _Said(begins, line.params, length)


class _Said(NamedTuple):
    dt: date | datetime
    params: Mapping[str, Any]
    length: timedelta | None = None


def _on_wall(value: _Said, event: _Event, window: _Window) -> datetime:
    if not isinstance(value.dt, datetime):
        return datetime.combine(value.dt, event.wall.time())
    return _wall(_instant(_wall(value.dt), window.zone_of(value)).astimezone(event.zone))


def _told(calendar: Any, window: _Window) -> Iterator[tuple[datetime, datetime]]:
    """Yield what a calendar that tells only of busy and free says."""
    for said in calendar.walk("VFREEBUSY"):
        for line in _lines(said.get("FREEBUSY", [])):
            if str(line.params.get("FBTYPE", "BUSY")).upper() == "FREE":
                continue
            start, end = _period(line)
            yield from _within((start, end), window)


def _lines(said: Any) -> list[Any]:
    return said if isinstance(said, list) else [said]


def _period(said: Any) -> tuple[datetime, datetime]:
    period = getattr(said, "dt", None)
    if isinstance(said, vBroken) or not isinstance(period, tuple):
        _refuse_time()
    start, end = period
    start = _instant(_wall(start), UTC)
    return start, start + end if isinstance(end, timedelta) else _instant(_wall(end), UTC)


def _refuse_time() -> NoReturn:
    raise Refused(NO_TIME)


if __name__ == "__main__":
    sys.exit(main())
