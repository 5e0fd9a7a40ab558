"""Says to the owner of a limit alone what is in doubt of it, and what it rests on."""

from collections.abc import Sequence
from typing import Final

from bot.texts import Texts
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.data_words import found_words, wanted_words
from bot.views.kit.fit import Fit
from bot.views.kit.mrkdwn import escaped
from bot.views.negotiation.names import bold_name
from bot.views.negotiation.plan.dates import asked_on
from engine.negotiation.answers import LimitVerdict
from engine.negotiation.events import LimitDoubt
from engine.negotiation.offers.limit_answers import doubts_of
from engine.negotiation.state import Negotiation, Seat
from engine.negotiation.terms import HeldFinding

MOST: Final = 6


def doubt_lines(doubts: Sequence[LimitDoubt], texts: Texts, fit: Fit, today: str = "") -> list[str]:
    """A line for each limit: which it is, what was said of it, and the words or the data that it rests on."""
    return [_line(each, texts, fit, today) for each in fit.first(doubts, MOST)]


def broken_line(finding: HeldFinding, texts: Texts, fit: Fit, today: str = "") -> str:
    """A limit that the demand itself breaks."""
    said = LimitDoubt(
        words=finding.words,
        verdict=finding.verdict,
        quote=finding.quote,
        by="data" if finding.found is not None else "twin",
        wanted=finding.wanted,
        found=finding.found,
    )
    return _line(said, texts, fit, today)


def limits_block(state: Negotiation, seats: Sequence[Seat], texts: Texts) -> list[Block]:
    """What is in doubt of the limits of people who are linked to nobody, for an admin who speaks for them."""
    fit = Fit()
    lines = [
        f"{bold_name(seat.display_name, seat.agent_id, fit)}\n{each}"
        for seat in seats
        for each in doubt_lines(doubts_of(state, seat.agent_id), texts, fit, asked_on(state))
    ]
    return blocks.titled_list(texts.say("*The limits of whom you speak for*"), lines)


def _line(doubt: LimitDoubt, texts: Texts, fit: Fit, today: str) -> str:
    limit = fit.line(doubt.words, 240)
    if not limit and doubt.wanted is not None:
        limit = escaped(wanted_words(doubt.wanted, texts, today))
    is_said = doubt.by == "words" or doubt.quote.casefold() == doubt.words.casefold()
    quote = "" if is_said else fit.line(doubt.quote, 200)
    parts = (
        f"*{limit.replace('*', '')}*" if limit else "",
        _said(doubt, texts, today),
        texts.say("“{quote}”", quote=quote) if quote else "",
        fit.line(doubt.why, 240),
    )
    is_data = doubt.by == "data" and doubt.wanted is not None and doubt.found is not None
    sign = "✗" if is_data and doubt.verdict is LimitVerdict.BROKEN else "?"
    return f"{sign} " + " – ".join(filter(None, parts))


def _said(doubt: LimitDoubt, texts: Texts, today: str) -> str:
    is_broken = doubt.verdict is LimitVerdict.BROKEN
    match doubt.by:
        case "data" if doubt.wanted is not None and doubt.found is not None:
            found, wanted = found_words(doubt.found, texts, today), wanted_words(doubt.wanted, texts, today)
            return escaped(texts.say("it is {found}, and you hold to {wanted}", found=found, wanted=wanted))
        case "data":
            return texts.say("it is not kept")
        case "words":
            return texts.say("your own words stand there")
        case "reader" if is_broken:
            return texts.say("a second reader says that it is not kept")
        case "reader":
            return texts.say("a second reader is not sure")
        case "twin" if is_broken:
            return texts.say("your twin says that it is not kept")
        case "twin":
            return texts.say("your twin is not sure")
