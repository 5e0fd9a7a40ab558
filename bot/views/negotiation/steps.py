"""Direct messages for those who want to hear of each step: how a round went that did not settle it."""

from collections.abc import Iterator

from bot.texts import Texts
from bot.views.kit import blocks
from bot.views.kit.fit import Fit
from bot.views.kit.post import Post
from bot.views.kit.readers import Readers
from bot.views.negotiation.direct_messages import demand_line, thread_link
from bot.views.negotiation.voting.rounds import follows_text
from bot.views.negotiation.voting.votes import tally_line
from engine.negotiation.state import Negotiation, Round, Seat
from engine.negotiation.terms import Verdict
from engine.negotiation.voting.between_rounds import follows


def steps(state: Negotiation, number: int, readers: Readers) -> Iterator[Post]:
    """A message for each person and delegate of a round that is over; none about the end, which everybody is told.

    It is too late for it once the next round has begun: then there is their part in that to read.

    Args:
        number: of the round, from 0.
    """
    shown = state.rounds[number]
    if shown.tally is None or shown.tally.decision not in (Verdict.NEXT_ROUND, Verdict.SUBSTITUTE):
        return
    is_late = not state.is_open or state.rounds[-1] is not shown
    for seat in shown.seats.values():
        for user in _readers(seat):
            key = f"step-{shown.number}/{seat.agent_id}/{user}"
            yield _step(state, shown, key, user, readers, is_late=is_late)


def _readers(seat: Seat) -> tuple[str, ...]:
    people = (seat.user_id, seat.delegate)
    return tuple(dict.fromkeys(each for each in people if each)) if not seat.gone else ()


def _step(state: Negotiation, shown: Round, key: str, user: str, readers: Readers, *, is_late: bool) -> Post:
    texts = readers.texts(user, key)
    over = texts.say("“{demand}”: round {round} is over", demand=demand_line(state, Fit()), round=shown.number)
    text = "\n".join((over, tally_line(state, shown, texts, is_open=False), _next(state, shown, texts)))
    return Post.from_card(
        key,
        over,
        lambda _: [blocks.section(text), *thread_link(state, texts, readers.address(""))],
        stream=state.channel_id,
        texts=texts,
        to=user,
        is_late=is_late,
        is_step=True,
        in_digest=True,
    )


def _next(state: Negotiation, shown: Round, texts: Texts) -> str:
    return follows_text(follows(state, shown), texts) or texts.say("The next version follows.")
