"""Text on its way into Slack: what people and models wrote is tamed first, then our own marks are put around it."""

import re
from datetime import UTC, datetime
from functools import lru_cache
from typing import Final

from bot.texts import Texts
from engine.kernel import Millis

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
_CALL_TO_ALL = re.compile(r"@(?=here|channel|everyone)", re.IGNORECASE)
_MARKUP = re.compile(r"<(?=[!@#])")
_HALF_AN_ESCAPE = re.compile("&[a-z]{0,3}$")
_HALF_A_MARK = re.compile("<[^>]*$")
_GAP = re.compile("<[^>]*>|(?P<line>\n)|(?P<word> )")
"""Where a text may be cut; there are spaces in our marks as well."""
_USER_ID = re.compile(r"[UW][A-Z0-9_]{1,60}")
_CHANNEL_ID = re.compile(r"[CG][A-Z0-9_]{1,60}")


def slack_length(text: str) -> int:
    """In UTF-16 units, which is the most that anybody counts."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def safe_text(text: str, most: int) -> str:
    """Somebody's words, for mrkdwn: harmless, and at most ``most`` long once escaped."""
    return _shortened(_defuse(text), most)


def safe_line(text: str, most: int) -> str:
    """Somebody's words on one line."""
    return _shortened(_defuse(_one_line(text)), most)


def plain_line(text: str, most: int) -> str:
    """Somebody's words on one line of a plain_text object, where Slack reads no markup."""
    text = _CALL_TO_ALL.sub(f"@{_WORD_JOINER}", _one_line(text))
    return _shortened(_MARKUP.sub(f"<{_WORD_JOINER}", text), most)


def editable(text: str, most: int) -> str:
    """Somebody's words in a field, to be changed: only what nobody can see is gone."""
    return _beginning(_clean(text), most)


def escaped(text: str) -> str:
    """A text of a plain_text object, for mrkdwn."""
    return text.translate(_ESCAPES)


def split_text(text: str, most: int) -> list[str]:
    """A text that is ready for Slack, in parts of at most ``most``: cut at the ends of lines, else between words, and
    neither through a character, an escape or a mark of ours."""
    found = []
    while slack_length(text) > most:
        end = _good_end(_beginning(text, most))
        found.append(text[:end].rstrip())
        text = text[end:].lstrip()
    return [part for part in (*found, text) if part]


def bold(text: str) -> str:
    """``text`` is escaped already; an asterisk of its own would end the bold too early."""
    kept = text.replace("*", "").strip()
    return f"*{kept}*" if kept else ""


def mention(user_id: str | None) -> str:
    """Empty where there is no one to mention."""
    return f"<@{user_id}>" if user_id and _USER_ID.fullmatch(user_id) else ""


def channel_link(channel_id: str) -> str:
    """Its name, as a link; empty where there is none."""
    return f"<#{channel_id}>" if _CHANNEL_ID.fullmatch(channel_id) else ""


def local_time(at: Millis, texts: Texts) -> str:
    """A time that everybody reads in their own time zone."""
    fallback = datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")
    # Translators: how Slack writes a point in time; it fills in the braces itself.
    shape = texts.say("{{date_short_pretty}}, {{time}}")
    return f"<!date^{at // 1000}^{shape}|{fallback}>"


# A card is drawn several times until it fits, from the same words.
@lru_cache(maxsize=256)
def _defuse(text: str) -> str:
    return _CALL_TO_ALL.sub(f"@{_WORD_JOINER}", _clean(text)).translate(_ESCAPES)


@lru_cache(maxsize=256)
def _one_line(text: str) -> str:
    return " ".join(_clean(text).split())


def _clean(text: str) -> str:
    text = _UNSEEN.sub("", _LINE_BREAKS.sub("\n", text))
    return _EMPTY_LINES.sub("\n\n", text).strip()


def _shortened(text: str, most: int) -> str:
    if slack_length(text) <= most:
        return text
    return _beginning(text, most - slack_length(ELLIPSIS)).rstrip() + ELLIPSIS


def _beginning(text: str, most: int) -> str:
    """Cut neither through a character nor through an escape."""
    units = text[: max(0, most)].encode("utf-16-le")[: 2 * max(0, most)]
    return _HALF_AN_ESCAPE.sub("", units.decode("utf-16-le", "ignore"))


def _good_end(beginning: str) -> int:
    """Where to cut. A line or word that begins in the first half is too long to be kept together."""
    end = len(_HALF_A_MARK.sub("", beginning)) or len(beginning)
    gaps = [gap for gap in _GAP.finditer(beginning, 0, end) if gap.start() >= end // 2]
    for kind in ("line", "word"):
        if found := [gap.start() for gap in gaps if gap[kind]]:
            return found[-1]
    return end
