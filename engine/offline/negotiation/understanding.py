"""Prompt 1: find what a demand asks for by its grammar, in its own words."""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from engine.facts.shortening import shorten
from engine.llm.encoder import meaning
from engine.negotiation.answers import MOST_NEEDS, DeepUnderstanding, Need, Understanding
from engine.negotiation.given import EligibleProfile
from engine.offline.model import phrase
from engine.offline.reading import asking
from engine.offline.reading.circumstances import Told, asked_on, told_in
from engine.offline.reading.grammar import rule
from engine.offline.reading.script import is_read, language_of_tag, tag_of

LONGEST_SURFACE, LONGEST_NEED = 1000, 160  # characters

_READ_BEFORE: list[bool] = []  # the grammar takes some time to be built, once: in a thread where others are served


def understand(
    raw_input: str, today: dict[str, str], people: Callable[[], Sequence[EligibleProfile]] = tuple, **_: Any
) -> Understanding:
    """Of ``people`` the places are known that a demand names."""
    if not _READ_BEFORE:
        meaning().may_take_a_while()
    text = " ".join(raw_input.split())
    tag = tag_of(text)
    language = language_of_tag(tag)
    has_words = any(map(str.isalpha, text))
    surface = shorten(text, LONGEST_SURFACE) if has_words else phrase("unclear", language)
    if not has_words:
        return Understanding(surface_demand=surface, language=tag, question=phrase("question", language))
    if rule("asking_greeting").match(text) or asking.is_thanks(text):
        return Understanding(surface_demand=surface, language=tag, kind="other", reply=phrase("kind.other", language))
    if not is_read(tag):
        what = shorten(text, LONGEST_NEED)
        need = Need(need_id="need_1", what=what, phrases=(text,), quote=what if what in text else "")
        return Understanding(surface_demand=surface, needs=(need,), language=tag)
    told = told_in(text, asked_on(today), people)
    _READ_BEFORE[:] = [True]
    if asking.asks_for_judgement(text):
        return Understanding(
            surface_demand=surface, language=tag, kind="question", reply=phrase("kind.question", language)
        )
    found = asking.wanted_in(text, told.spans)[:MOST_NEEDS]
    needs, context = _needs(text, told, found), told.context
    # What is due between two essential needs is due for the first of them; and nothing of a day is done after it.
    core = [each.start for each in found if each.essential] or [0]
    whole = [each.last.isoformat() for each in told.deadlines if not core[0] <= each.start < core[-1]]
    context = replace(context, deadline=next((each for each in whole if each >= context.when.first), ""))
    return Understanding(
        surface_demand=surface,
        deep_understanding=DeepUnderstanding(likely_preferences=asking.asides_in(text, found)),
        needs=needs,
        context=context,
        uncertainties=() if context.date else (phrase("question.date", language),),
        question="" if needs else phrase("question", language),
        confidence="medium" if context.date and needs else "low",
        language=tag,
    )


def _needs(text: str, told: Told, found: Sequence[asking.Wanted]) -> tuple[Need, ...]:
    masked = asking.masked_by(text, told.spans).replace("\0", " ")
    told_of = masked[: asking.sentence_end(text, found[-1].end)] if found else ""  # what follows says how it is to be
    is_one = sum(each.essential for each in found) == 1
    others = asking.masked_by(told_of, [(each.start, each.end) for each in found if not is_one]).replace("\0", " ")
    around = " ".join(others.split())
    needs = []
    for at, each in enumerate(found, 1):
        what = shorten(text[each.start : each.end], LONGEST_NEED)
        plain = " ".join(masked[each.start : each.end].split()) or what
        lead, (quantity, are_people) = asking.without_lead(plain), asking.counted(plain)
        end = asking.sentence_end(text, each.end)
        following = min(found[at].start, end) if at < len(found) else end
        due = [day.last.isoformat() for day in told.deadlines if each.start <= day.start < following]
        needs.append(
            Need(
                need_id=f"need_{at}",
                what=what,
                essential=each.essential,
                quantity=quantity,
                counts="people" if are_people else "things",
                phrases=(lead, *([around if is_one else f"{lead}. {around}"] if each.essential else [])),
                quote=what if what in text else "",
                deadline=due[0] if due and (len(found) > 1 or told.context.when.first) else "",
            )
        )
    return tuple(needs)
