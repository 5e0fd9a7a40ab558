"""Collects what is wrong with blocks, in Slack's words and with its JSON pointers."""

from __future__ import annotations

from collections.abc import Sequence

from .catalogue import Part


class Report:
    def __init__(self) -> None:
        self.problems: list[str] = []

    def add(self, problem: str, pointer: str) -> None:
        self.problems.append(f"{problem} [json-pointer:{pointer or '/'}]")

    def part(self, thing: dict[str, object], part: Part, pointer: str, also: Sequence[str] = ()) -> None:
        """What can be said of any block or element from the catalogue alone."""
        for name in part.required:
            if thing.get(name) is None:
                self.add(f"missing required field: {name}", pointer)
        for name in thing.keys() - part.properties - set(also):
            self.add(f"invalid additional property: {name}", f"{pointer}/{name}")
        for name, longest in part.texts.items():
            if name in thing:
                self.text(thing[name], longest, f"{pointer}/{name}", plain=name in part.plain)
        for name, most in part.items.items():
            if name in thing:
                self.items(thing[name], most, f"{pointer}/{name}")

    def text(self, text: object, longest: int, pointer: str, *, plain: bool = False) -> None:
        """A string, or a text object."""
        if isinstance(text, str):
            self.length(text, longest, pointer)
            return
        if not isinstance(text, dict) or text.get("type") not in ("plain_text", "mrkdwn"):
            self.add("must be a text object", pointer)
            return
        if plain and text["type"] != "plain_text":
            self.add("must be a plain_text object", f"{pointer}/type")
        for name in text.keys() - {"type", "text", "emoji" if text["type"] == "plain_text" else "verbatim"}:
            self.add(f"invalid additional property: {name}", f"{pointer}/{name}")
        if not isinstance(text.get("text"), str):
            self.add("missing required field: text", pointer)
        elif not text["text"]:
            self.add("must be more than 0 characters", f"{pointer}/text")
        else:
            self.length(text["text"], longest, f"{pointer}/text")

    def length(self, text: str, longest: int, pointer: str) -> None:
        if len(text) > longest:
            self.add(f"must be less than {longest + 1} characters", pointer)

    def items(self, items: object, most: int, pointer: str) -> None:
        if not isinstance(items, list) or not items:
            self.add("must contain at least 1 item", pointer)
        elif len(items) > most:
            self.add(f"no more than {most} items allowed", pointer)
