"""A form is left out only of a text in which it cannot be found."""

import re
from collections.abc import Iterator
from functools import cache
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.lexicon import clock_times, constraint_patterns
from engine.lexicon.forms import Form, matches, pieces_of
from engine.lexicon.reading import english_dates, holidays, hours, money, people, places, quantities, times
from tests.lexicon.test_any_text import PIECES
from tests.lexicon.test_times import CHINESE, ENGLISH

MODULES = (clock_times, constraint_patterns, english_dates, holidays, hours, money, people, places, quantities, times)
BUILDERS = (money._forms, times._rules, holidays._form)


def _forms_in(value: Any) -> Iterator[Form]:
    match value:
        case Form():
            yield value
        case ModuleType():
            for each in vars(value).values():
                yield from _forms_in(each)
        case tuple() | list():
            for each in value:
                yield from _forms_in(each)


FORMS = [*dict.fromkeys(form for found in (*MODULES, *(build() for build in BUILDERS)) for form in _forms_in(found))]
WORDS = [*dict.fromkeys(word for text in (*CHINESE, *ENGLISH) for word in re.findall(r"[a-zA-Z']+|\d+|\W|.", text))]
CASES = (str, str.upper, str.title)


LOOK_AHEAD = re.compile(r"\A\(\?=\[(?:\\.|[^\]])+\]\)\(\?:(.*)\)\Z", re.DOTALL)
"""Behind what stands the pattern that a form was made of, where a match may begin with some letters alone."""


@cache
def _written(form: Form) -> re.Pattern[str]:
    return re.compile(LOOK_AHEAD.sub(r"\1", form.pattern.pattern), form.pattern.flags)


def _is_left_out_wrongly(form: Form, text: str) -> bool:
    found = [each.regs for each in _written(form).finditer(text)]
    if found != [each.regs for each in form.pattern.finditer(text)]:
        return True
    return bool(found) and not form.is_possible(pieces_of(text))


def test_there_are_as_many_forms_as_a_text_is_read_with() -> None:
    assert len(FORMS) > 150


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_every_form_is_looked_for_where_it_is(case: Any) -> None:
    texts = [case(text) for text in (*CHINESE, *ENGLISH)]
    assert not [(form.pattern.pattern, text) for text in texts for form in FORMS if _is_left_out_wrongly(form, text)]


@given(st.lists(st.sampled_from([*WORDS, *PIECES]), max_size=30).map("".join) | st.text(max_size=80))
def test_every_form_is_looked_for_wherever_it_may_be(text: str) -> None:
    assert not [form.pattern.pattern for form in FORMS if _is_left_out_wrongly(form, text)]


PATTERNS = [
    r"\b(?:mon|tues?)day\b",
    r"(?i)Straße|week(?:end)?s?",
    r"\d{1,2}(?:st|nd)?\s(?:of\s)?may",
    r"(?:a|b?)c*",
    r"[xyz]{2,}(?=later)|q[1-4]",
    r"(?P<a>kilo)(?P=a)",
    r"(?<=be)fore(?!ver)",
    r"[^a]bc|\wzz",
    r"(?i:Kelvin|İzmir|sı)",
    r"(?<!ten )(?:[a-c\]^]|x{0,2}|\d)?\s?(?:-|kilo)",
    r"(?:about\s)?(?:[^\W\d]|\d)kg",
]


@pytest.mark.parametrize("pattern", PATTERNS)
@given(data=st.data())
def test_whatever_a_pattern_matches_has_what_it_needs(pattern: str, data: st.DataObject) -> None:
    form = Form(pattern)
    assert not _is_left_out_wrongly(form, data.draw(st.from_regex(pattern)))


def test_most_forms_that_may_begin_in_several_ways_look_ahead_at_the_letter() -> None:
    assert sum(_written(form).pattern != form.pattern.pattern for form in FORMS) > 80


def test_what_is_left_out_is_not_searched_for() -> None:
    form = Form(r"(?:mon|tues)day|week\s(?:one|two)")

    assert not form.is_possible(pieces_of("A meetup for fifty people"))
    assert not [*matches("A meetup for fifty people", (form,))]
    assert [each[0] for each in matches("On Monday, or in WEEK two", (Form(form.pattern.pattern, re.IGNORECASE),))] == [
        "Monday",
        "WEEK two",
    ]


def test_what_needs_nothing_is_searched_for_beside_what_does() -> None:
    forms = (Form(r"(?:mon|tues)day"), Form(r"(?:a|b)?c*"))

    assert {each.re.pattern for each in matches("fifty", forms)} == {forms[1].pattern.pattern}


@pytest.mark.parametrize(("pattern", "text"), [("kılo|istanbul", "İSTANBUL"), (r"sat\d", "ſat٣")])
def test_letters_that_have_other_cases_leave_nothing_out(pattern: str, text: str) -> None:
    assert [*Form(pattern, re.IGNORECASE).finditer(text)]
