"""A picture is drawn with the fonts that are there, and is not made where boxes would stand for letters."""

import shutil
import struct
import subprocess
import sys
import unicodedata
from datetime import date
from pathlib import Path

import pytest

from bot.drawing import ZOOM
from bot.pictures import NoFont, png
from bot.texts import texts_in
from bot.views.kit.story.model import Bar, Schedule
from bot.views.kit.story.schedule import WIDTH, picture

ROOT = Path(__file__).parents[2]
RARE = "\U00012000\U00014400\U00018b00\U0001b170\U00010600"
"""Letters of scripts that few fonts have: cuneiform, hieroglyphs of Anatolia, Khitan, Nushu, Linear A."""


def schedule(label: str) -> str:
    bars = [Bar(label, date(2027, 5, 20), date(2027, 5, 21)), Bar("The event", date(2027, 6, 1), date(2027, 6, 1))]
    return picture(Schedule("What happens when", bars), texts_in("en"), "key")


def has_font(pattern: str) -> bool:
    listed = shutil.which("fc-list")
    return bool(listed and subprocess.run([listed, pattern], capture_output=True, check=False).stdout)


def test_a_schedule_is_drawn_as_large_as_it_says() -> None:
    drawn = png(schedule("A walk"), "A walk")

    assert drawn.startswith(b"\x89PNG")
    assert struct.unpack(">I", drawn[16:20]) == (WIDTH * ZOOM,)


def test_this_process_never_loads_what_draws() -> None:
    svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'
    code = f"import sys; from bot.pictures import png; png({svg!r}, ''); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)

    assert "resvg_py" not in done.stdout.split()


def test_letters_that_no_font_here_has_are_named_instead_of_drawn_as_boxes() -> None:
    unknown = next(each for each in RARE if not has_font(f":charset={ord(each):x}"))
    with pytest.raises(NoFont) as lacking:
        png(schedule(unknown), f"A walk {unknown}")

    assert lacking.value.script == unicodedata.name(unknown).split()[0].split("-")[0]


def test_chinese_is_drawn_where_there_is_a_font_and_refused_where_there_is_none() -> None:
    if has_font(":lang=zh"):
        assert png(schedule("活动"), "活动") != png(schedule("会议"), "会议")
    else:
        with pytest.raises(NoFont, match="CJK"):
            png(schedule("活动"), "活动")


def test_what_is_no_picture_is_refused() -> None:
    with pytest.raises(ValueError, match=r"(?i)svg"):
        png("<html></html>", "")
