"""Makes texts of people and models safe for Slack, so that only our own markup has an effect."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from html import unescape
from typing import Final, TypeVar

from bot.texts import Texts, isolated
from bot.views.kit.markdown import as_slack_shows_it
from engine.kernel import Millis

UNLIMITED: Final = 1_000_000_000
"""Characters: more than any text has."""

Item = TypeVar("Item")

Shown = TypeVar("Shown")

ELLIPSIS: Final = "…"
_WORD_JOINER = "\u2060"
# A backtick could open a code block that swallows what stands below it.
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "`": "'"})

# Control characters, lone surrogates, and the marks that turn the direction of everything after them.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f\ud800-\udfff\ufffe\uffff]"
)
_LINE_BREAKS = re.compile("\r\n?|[\u2028\u2029\x0b\x0c\x85]")
_EMPTY_LINES = re.compile(r"\n\s*\n\s*")
_CALL_TO_ALL = re.compile(r"(?<![A-Za-z0-9_.+%-])@(?=here|channel|everyone)", re.IGNORECASE)
"""Not what is part of an address, which is copied from where it is shown."""
_MARKUP = re.compile(r"<(?=[!@#])")
_HALF_AN_ESCAPE = re.compile("&[a-z]{0,3}$")
_HALF_A_MARK = re.compile("<[^<>]*$")
_GAP = re.compile("<[^<>]*>|(?P<line>\n)|(?P<word> )")
"""The gaps where a text may be cut; our own marks, which contain spaces, are skipped."""
_USER_ID = re.compile(r"[UW][A-Z0-9_]{1,60}")
_URL_ESCAPES = str.maketrans({"<": "%3C", ">": "%3E", "|": "%7C", "`": "%60", "&": "&amp;"})
_WEB_ADDRESS = re.compile(r"https?://[!-~\u00a1-\ud7ff]{1,2000}")
_CHANNEL_ID = re.compile(r"[CG][A-Z0-9_]{1,60}")


def slack_length(text: str) -> int:
    """The length in UTF-16 units, the largest of the ways in which Slack may count."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def safe_text(text: str, most: int) -> str:
    """A person's text for mrkdwn: without effect as markup, and at most ``most`` long once escaped."""
    return _shortened(_defuse(text), most)


def safe_line(text: str, most: int) -> str:
    """A person's text for mrkdwn, on one line."""
    return _shortened(_defuse(_one_line(text)), most)


def plain_line(text: str, most: int) -> str:
    """A person's text for a plain_text object, on one line."""
    text = _CALL_TO_ALL.sub(f"@{_WORD_JOINER}", _one_line(text, with_marks=False))
    return _shortened(_MARKUP.sub(f"<{_WORD_JOINER}", text), most)


def plain_title(text: str, most: int) -> str:
    """A person's text for a header, on one line; where it is cut, after a word."""
    shown = plain_line(text, most)
    if shown == plain_line(text, len(text) * 4):  # nothing in it gets four times as long
        return shown
    words, _space, rest = shown.rpartition(" ")
    return words.rstrip(" ,;:") + ELLIPSIS if words and len(rest) < most / 3 else shown


def exact_text(text: str, most: int) -> str:
    """A text for a plain_text object, whole and with its lines; what could not be seen in it is written out."""
    text = _UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", _LINE_BREAKS.sub("\n", text)).strip("\n")
    return _shortened(_MARKUP.sub(f"<{_WORD_JOINER}", _CALL_TO_ALL.sub(f"@{_WORD_JOINER}", text)), most)


def editable(text: str, most: int) -> str:
    """A person's text for a field in which it can be edited: only invisible characters are removed."""
    return _beginning(_clean(text), most)


def literal(text: str) -> str:
    """A text that is ready for mrkdwn, for where nothing is markup: without escapes, and still calling nobody."""
    return _MARKUP.sub(f"<{_WORD_JOINER}", unescape(text))


def escaped(text: str) -> str:
    """The text of a plain_text object, for mrkdwn."""
    return text.translate(_ESCAPES)


def split_text(text: str, most: int) -> list[str]:
    """Split a text that is ready for Slack into parts of at most ``most``, between lines or else between words, but
    never inside a character, an escape or a mark."""
    found = []
    while slack_length(text) > most:
        end = _good_end(_beginning(text, most))
        found.append(text[:end].rstrip())
        text = text[end:].lstrip()
    return [part for part in (*found, text) if part]


def bold(text: str) -> str:
    """``text`` is escaped; its asterisks are removed, since they would end the bold."""
    kept = text.replace("*", "").strip()
    return f"*{kept}*" if kept else ""


def mention(user_id: str | None) -> str:
    """Empty where there is no one to mention."""
    return f"<@{user_id}>" if user_id and _USER_ID.fullmatch(user_id) else ""


def channel_link(channel_id: str) -> str:
    """Its name, as a link; empty where there is none."""
    return f"<#{channel_id}>" if _CHANNEL_ID.fullmatch(channel_id) else ""


def web_link(url: str, label: str) -> str:
    """
    Args:
        url: an address on the web; any other is shown as a text.
        label: ready for Slack.
    """
    if not _WEB_ADDRESS.fullmatch(url):
        return label
    return f"<{url.translate(_URL_ESCAPES)}|{label.replace('|', '¦')}>"


def local_time(at: Millis, texts: Texts) -> str:
    """A moment on the reader's clock."""
    # Translators: how Slack writes a point in time; it fills in the braces itself.
    return _at(at, texts.say("{{date_short_pretty}}, {{time}}"))


def until_time(at: Millis, texts: Texts) -> str:
    """A moment until which something can be done, on the reader's clock: with the day of the week."""
    # Translators: as above, with the day of the week.
    return _at(at, texts.say("{{date_long_pretty}}, {{time}}"))


def _at(at: Millis, shape: str) -> str:
    fallback = datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")
    return f"<!date^{at // 1000}^{shape}|{fallback}>"


# A card is drawn several times until it fits, from the same words.
@lru_cache(maxsize=256)
def _defuse(text: str) -> str:
    shown = as_slack_shows_it(text, with_marks=True)
    return _CALL_TO_ALL.sub(f"@{_WORD_JOINER}", _clean(shown)).translate(_ESCAPES)


@lru_cache(maxsize=256)
def _one_line(text: str, *, with_marks: bool = True) -> str:
    return " ".join(_clean(as_slack_shows_it(text, with_marks=with_marks)).split())


def _clean(text: str) -> str:
    text = _UNSEEN.sub("", _LINE_BREAKS.sub("\n", text))
    return _EMPTY_LINES.sub("\n\n", text).strip()


def _shortened(text: str, most: int) -> str:
    if slack_length(text) <= most:
        return text
    return _beginning(text, most - slack_length(ELLIPSIS)).rstrip() + ELLIPSIS


def _beginning(text: str, most: int) -> str:
    """The beginning of a text, cut neither inside a character nor inside an escape."""
    units = text[: max(0, most)].encode("utf-16-le")[: 2 * max(0, most)]
    return _HALF_AN_ESCAPE.sub("", units.decode("utf-16-le", "ignore"))


def _good_end(beginning: str) -> int:
    """Where to cut: at the last gap in the second half, else at the end."""
    end = len(_HALF_A_MARK.sub("", beginning)) or len(beginning)
    gaps = [gap for gap in _GAP.finditer(beginning, 0, end) if gap.start() >= end // 2]
    for kind in ("line", "word"):
        if found := [gap.start() for gap in gaps if gap[kind]]:
            return found[-1]
    return end


@dataclass(slots=True)
class Fit:
    scale: float = 1.0
    """Multiplies every limit; 1 gives the lengths that read best."""
    newer: bool = False
    """Whether Slack's newer blocks may be used (`bot.views.kit.surfaces`)."""
    cut: bool = field(default=False, init=False)
    """Whether anything has been shortened or left out."""
    has_newer: bool = field(default=False, init=False)
    """Whether any of them was used."""

    def use_newer(self) -> bool:
        """Return whether they may be used, and notice that they are."""
        self.has_newer = self.has_newer or self.newer
        return self.newer

    @property
    def is_whole(self) -> bool:
        """Whether everything is shown, on the pages behind *Show all*."""
        return self.scale >= UNLIMITED

    def only_whole(self) -> bool:
        """Whether something is shown that only the pages behind *Show all* have; elsewhere, it counts as cut."""
        self.cut = self.cut or not self.is_whole
        return self.is_whole

    def text(self, text: str, most: int) -> str:
        return self._noticed(safe_text(text, self._share(most)), safe_text(text, UNLIMITED))

    def line(self, text: str, most: int) -> str:
        """A text on one line, which may stand beside others: isolated where it is written from right to left."""
        shown = self._noticed(safe_line(text, self._share(most)), safe_line(text, UNLIMITED))
        return shown if shown.isascii() else isolated(shown)

    def exact(self, text: str, most: int) -> str:
        """For `blocks.verbatim`."""
        return self._noticed(exact_text(text, self._share(most)), exact_text(text, UNLIMITED))

    def first(self, items: Sequence[Item], most: int) -> Sequence[Item]:
        return self._noticed(items[: max(2, round(most * self.scale))], items)

    def _noticed(self, shown: Shown, whole: Shown) -> Shown:
        self.cut = self.cut or shown != whole
        return shown

    def _share(self, most: int) -> int:
        return max(min(most, 12), round(most * self.scale))
