"""Finds what an answer names among what exists: an option, a person, a day."""

from collections.abc import Iterable, Mapping
from datetime import date

from engine.deliberation.checked import option_id
from engine.facts.quoting import letters


def iso_date(text: str) -> str:
    """Return a date as ``2026-03-09``; empty where the text is none. A time of day behind it is left out."""
    try:
        return date.fromisoformat(text.strip()[:10]).isoformat() if len(text.strip()) >= 10 else ""
    except ValueError:
        return ""


def chosen(said: str, options: Iterable[str]) -> str:
    """Return the option that a text names, by its id or its name, in the option's own words; empty where it names
    none, or several.
    """
    spelled = letters(said)
    if not spelled:
        return ""
    options = (*options,)
    by_id = [each for place, each in enumerate(options) if said.strip().casefold() == option_id(place)]
    if by_id:
        return by_id[0]
    among = {each: letters(each) for each in options}
    exact = [each for each, spelling in among.items() if spelling == spelled]
    if exact:
        return exact[0]
    named = [each for each, spelling in among.items() if spelling and (spelling in spelled or spelled in spelling)]
    return named[0] if len(named) == 1 else ""


def person(said: str, people: Mapping[str, str]) -> str:
    """Return the id of whom a text names, by id or by a name that only one of them has; empty where it is nobody."""
    if said in people:
        return said
    spelled = letters(said)
    named = [each for each, name in people.items() if spelled in (letters(each), letters(name))] if spelled else []
    return named[0] if len(named) == 1 else ""
