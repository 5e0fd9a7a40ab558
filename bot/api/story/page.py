"""Draws the page of one story as an HTML document."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Final

from bot.api.story.story import Story
from bot.story_links import PATH, Link
from bot.texts import Texts, texts_in
from bot.views.kit.story.html import Drawing, in_language
from bot.views.kit.story.inline import TAGS, Inline, moment
from bot.views.kit.story.model import Chapter
from engine.facts.language import Language

# ── its assets ────────────────────────────────────────────────────────────────────────────────────────────────────────
# The page's style sheet, script and icon: files named after their content, so that browsers may keep them.


FILES: Final = Path(__file__).parent / "files"


@dataclass(frozen=True, slots=True)
class Asset:
    name: str
    media: str
    content: bytes


def _asset(name: str, media: str) -> Asset:
    content = (FILES / name).read_bytes()
    stem, _, suffix = name.partition(".")
    return Asset(f"{stem}.{hashlib.sha256(content).hexdigest()[:12]}.{suffix}", media, content)


STYLE: Final = _asset("story.css", "text/css")
SCRIPT: Final = _asset("story.js", "text/javascript")
ICON: Final = _asset("icon.svg", "image/svg+xml")
ASSETS: Final = {each.name: each for each in (STYLE, SCRIPT, ICON)}


# ── the page ──────────────────────────────────────────────────────────────────────────────────────────────────────────


LANGUAGES: Final[dict[Language, str]] = {"en": "English", "zh": "中文"}


def page(story: Story, link: Link, languages: dict[Language, str], language: Language) -> str:
    """
    Args:
        languages: the address of the same page in each language.
    """
    texts, inline = texts_in(language), Inline(story.names)
    drawings = [
        (Drawing(f"chapter-{number}", inline, texts), each.chapter) for number, each in enumerate(story.chapters, 1)
    ]
    chapters = "".join(drawing.chapter(chapter) for drawing, chapter in drawings)
    nav = "".join(_contents(drawing, chapter, texts, is_alone=len(drawings) == 1) for drawing, chapter in drawings)
    is_live = any(each.is_live for _, each in drawings)
    title, skip, contents = story.chapters[0].chapter.title, texts.say("To the story"), texts.say("Contents")
    for_whom = texts.say("For {who}. This link works until", who=story.names.get(link.user) or f"@{link.user}")
    return document(
        title,
        language,
        f'<a class="skip" href="#story">{escape(skip)}</a>'
        f'<header><p class="brand">ToWow</p>{_live(texts, is_live=is_live)}{_languages(languages, language, texts)}'
        f'</header><nav aria-label="{escape(contents)}"><ul id="contents">{nav}</ul></nav>'
        f'<main id="story" data-version="{escape(story.version)}" tabindex="-1">'
        f'<h1{in_language(story.chapters[0].chapter.language)} dir="auto">{inline.plain(title)}</h1>{chapters}</main>'
        f"<footer><p>{escape(for_whom)} {moment(link.until)}</p></footer>"
        f'<script src="{PATH}/assets/{SCRIPT.name}" defer></script>',
    )


def _live(texts: Texts, *, is_live: bool) -> str:
    """A line that says how the page is kept up to date, and the sentences that the script may put there."""
    live = texts.say("Live: it changes by itself.")
    lost = texts.say("The connection is lost; trying again…")
    over = texts.say("This link has come to its end. Open the page from Slack again.")
    changed = texts.say("The page has changed.")
    said = {"live": live, "lost": lost, "over": over, "changed": changed}
    data = "".join(f' data-{name}="{escape(text)}"' for name, text in said.items())
    return f'<p id="live" role="status"{data}>{escape(live) if is_live else ""}</p>'


def sentence(title: str, text: str, language: Language) -> str:
    """A page that says why there is none."""
    return document(title, language, f'<main id="story"><h1>{escape(title)}</h1><p>{escape(text)}</p></main>')


def document(title: str, language: Language, body: str) -> str:
    return (
        f'<!DOCTYPE html><html lang="{TAGS[language]}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark"><meta name="referrer" content="no-referrer">'
        f'<meta name="robots" content="noindex"><title>{escape(title)} · ToWow</title>'
        f'<link rel="icon" type="{ICON.media}" href="{PATH}/assets/{ICON.name}">'
        f'<link rel="stylesheet" href="{PATH}/assets/{STYLE.name}"></head><body>{body}</body></html>'
    )


def _languages(languages: dict[Language, str], language: Language, texts: Texts) -> str:
    name = texts.say("Language")
    return (
        f'<p class="languages" role="group" aria-label="{escape(name)}">'
        + " ".join(
            f'<a href="{escape(address)}" lang="{TAGS[each]}" hreflang="{TAGS[each]}"'
            + (' aria-current="true"' if each == language else "")
            + f">{LANGUAGES[each]}</a>"
            for each, address in languages.items()
        )
        + "</p>"
    )


def _contents(drawing: Drawing, chapter: Chapter, texts: Texts, *, is_alone: bool) -> str:
    if is_alone:  # the page's own title says it
        return "".join(_sections(drawing, chapter, texts))
    return (
        f'<li><a href="#{drawing.key}">{drawing.inline.plain(chapter.title)}</a>'
        f"<ul>{''.join(_sections(drawing, chapter, texts))}</ul></li>"
    )


def _sections(drawing: Drawing, chapter: Chapter, texts: Texts) -> Iterator[str]:
    found = [(each.key, each.title) for each in chapter.sections if each.parts]
    if chapter.timeline:
        found.append(("timeline", texts.say("What happened")))
    for key, title in found:
        yield f'<li><a href="#{drawing.key}-{key}">{drawing.inline.plain(title)}</a></li>'
