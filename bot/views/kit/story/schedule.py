"""Draws a schedule: as a picture (SVG), and as rows of a table."""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from html import escape
from typing import Final, NamedTuple

from babel.dates import format_skeleton

from bot.texts import Texts
from bot.views.kit.story.model import Bar, Part, Schedule

WIDTH: Final = 760
"""Units of the picture; one is a pixel at its natural size."""
LABELS: Final = 250
"""Units of the column with the labels."""
ROW: Final = 30
TOP: Final = 34
SMALLEST: Final = 8
"""Units of a bar of one day, at least."""
MOST_TICKS: Final = 6
LETTER: Final = 7.4
"""Units of a Latin letter, about; a Chinese character takes twice as much."""
MOST_BARS: Final = 40
FONTS: Final = (
    "system-ui, 'Noto Sans', 'Noto Sans CJK SC', 'Noto Serif CJK SC', 'WenQuanYi Zen Hei', 'PingFang SC', "
    "'Microsoft YaHei', 'DejaVu Sans', 'Liberation Sans', Arial, Helvetica, sans-serif"
)


class Scale(NamedTuple):
    first: date
    days: int
    """From the first to the last, both included."""

    def x(self, day: date) -> float:
        return LABELS + (WIDTH - LABELS - 10) * (day - self.first).days / self.days


def picture(schedule: Schedule, texts: Texts, key: str) -> str:
    """Return the picture as SVG; empty where nothing has a day.

    Args:
        key: unique on its page.
    """
    bars = _sorted(schedule)[:MOST_BARS]
    if not bars:
        return ""
    scale = _scale(bars)
    height = TOP + ROW * len(bars) + 6
    told = texts.say("; ").join(f"{each.label}: {days_text(each, texts)}" for each in bars)
    return "".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="schedule" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" '
            f'height="{height}" role="img" aria-labelledby="{key}-title {key}-desc" font-family="{escape(FONTS)}" '
            'font-size="13">',
            f'<title id="{key}-title">{escape(schedule.title)}</title>',
            f'<desc id="{key}-desc">{escape(told)}</desc>',
            *_grid(scale, height, texts.locale),
            *(part for number, each in enumerate(bars) for part in _row(each, number, scale)),
            "</svg>",
        ]
    )


def picture_in(parts: Sequence[Part], texts: Texts) -> str:
    """Return the picture of the first schedule among these; empty where there is none, or none that can be drawn."""
    found = next((each for each in parts if isinstance(each, Schedule)), None)
    return picture(found, texts, "schedule") if found else ""


def rows(schedule: Schedule, texts: Texts) -> Sequence[tuple[str, str]]:
    """Return each thing with its days, in plain words: those with days first, in their order."""
    return [*((each.label, days_text(each, texts)) for each in _sorted(schedule)), *schedule.undated]


def days_text(bar: Bar, texts: Texts) -> str:
    first = day_text(bar.first, texts.locale)
    if bar.first == bar.last:
        return first
    return texts.say("{first} to {last}", first=first, last=day_text(bar.last, texts.locale))


def day_text(day: date, locale: str) -> str:
    return format_skeleton("yMMMEd", day, locale=locale)


def _sorted(schedule: Schedule) -> list[Bar]:
    return sorted(schedule.bars, key=lambda each: (each.first, each.last))


def _scale(bars: Sequence[Bar]) -> Scale:
    first, last = min(each.first for each in bars), max(each.last for each in bars)
    return Scale(first, (last - first).days + 1)


def _grid(scale: Scale, height: int, locale: str) -> Iterator[str]:
    step = max(1, -(-scale.days // MOST_TICKS))
    years = scale.first.year != (scale.first + timedelta(scale.days - 1)).year
    for offset in range(0, scale.days, step):
        day = scale.first + timedelta(offset)
        x = scale.x(day)
        written = format_skeleton("yMMMd" if years else "MMMd", day, locale=locale)
        yield f'<line class="grid" x1="{x:.1f}" y1="{TOP - 8}" x2="{x:.1f}" y2="{height - 4}" stroke="#d5d9de"/>'
        if x < WIDTH - 60:
            yield f'<text class="tick" x="{x:.1f}" y="{TOP - 14}" fill="#50565e">{escape(written)}</text>'


def _row(bar: Bar, number: int, scale: Scale) -> Iterator[str]:
    y = TOP + ROW * number
    start, end = scale.x(bar.first), scale.x(bar.last + timedelta(1))
    fill = "#2b6e4f" if bar.is_done else "#2a5fa5"
    yield f'<text class="label" x="4" y="{y + 19}" fill="#1d2126">{escape(_cut(bar.label))}</text>'
    yield (
        f'<rect class="{"bar done" if bar.is_done else "bar"}" x="{start:.1f}" y="{y + 6}" rx="4" '
        f'width="{max(SMALLEST, end - start - 2):.1f}" height="{ROW - 12}" fill="{fill}"/>'
    )


def _cut(label: str) -> str:
    """Shorten a label to its column; the table beside the picture has all of it."""
    room, kept = (LABELS - 20) / LETTER, ""
    for letter in label:
        room -= 2 if ord(letter) > 0x2E7F else 1
        if room < 1:
            return kept.rstrip() + "…"
        kept += letter
    return kept
