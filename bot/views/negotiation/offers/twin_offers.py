"""The direct messages with what a twin has promised or declined for a linked person, who can still correct it."""

from collections.abc import Iterator

from bot.texts import Texts
from bot.views.directory.telling_form import twin_feedback
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.button_values import StreamButton
from bot.views.kit.fit import Card, Fit
from bot.views.kit.mrkdwn import local_time
from bot.views.kit.post import Post
from bot.views.kit.readers import Readers
from bot.views.negotiation.button_values import CORRECT
from bot.views.negotiation.direct_messages import SOON, demand_line, direct_message, thread_link
from bot.views.negotiation.offers.limit_doubts import broken_line, doubt_lines
from bot.views.negotiation.plan.dates import asked_on
from bot.views.negotiation.plan.needs import asked_for
from engine.negotiation.answers import OfferDecision
from engine.negotiation.events import OfferSubmitted
from engine.negotiation.offers.limit_answers import doubts_of
from engine.negotiation.state import Negotiation, Wait
from engine.negotiation.terms import Source


def twin_offers(state: Negotiation, readers: Readers) -> Iterator[Post]:
    """One for each person, also where no time is given to correct it: nobody is spoken for without hearing it.

    Where the first proposal comes at once, and with it a person's own part to decide about, that part says it.
    """
    for agent_id, asked in state.invited.items():
        offer = state.offers.get(agent_id)
        if not asked.user_id or offer is None or offer.degraded or _says_the_part(state, offer):
            continue
        # Everybody is asked anew after the demand was edited, so it is another message then.
        key = f"twin-offer-{state.discarded}/{agent_id}"
        texts = readers.texts(asked.user_id, key)
        is_open = state.takes_offers and offer.source is Source.AGENT
        card = _card(state, offer, texts, readers.address(""), is_open=is_open)
        has_answered = offer.source is Source.HUMAN
        title = _title(state, offer, texts)
        yield direct_message(
            state,
            key,
            asked.user_id,
            title,
            texts,
            card,
            is_late=has_answered,
            until=state.offers_due if is_open else 0,
            is_step=_is_followed_soon(state, offer),
            # Who takes part is told of it by the part that follows, or by thanks.
            in_digest=offer.decision is not OfferDecision.DECLINE,
        )


def _is_followed_soon(state: Negotiation, offer: OfferSubmitted) -> bool:
    """Whether a message about their part comes before most would have read this one."""
    window = state.policy.first_window
    return bool(state.policy.human_window) and window <= SOON and offer.decision is not OfferDecision.DECLINE


def _says_the_part(state: Negotiation, offer: OfferSubmitted) -> bool:
    comes_at_once = state.policy.human_window and not state.policy.first_window
    return bool(comes_at_once) and offer.decision is not OfferDecision.DECLINE and (state.is_open or bool(state.rounds))


def _title(state: Negotiation, offer: OfferSubmitted, texts: Texts) -> str:
    demand = demand_line(state, Fit())
    if offer.source is Source.HUMAN:
        return texts.say("“{demand}”: you have answered yourself", demand=demand)
    match offer.decision:
        case OfferDecision.DECLINE:
            return texts.say("“{demand}”: your twin has declined for you", demand=demand)
        case OfferDecision.CONDITIONAL:
            return texts.say("“{demand}”: your twin takes part for you, on conditions", demand=demand)
        case OfferDecision.PARTICIPATE:
            return texts.say("“{demand}”: your twin takes part for you", demand=demand)


def _card(state: Negotiation, offer: OfferSubmitted, texts: Texts, thread: str, *, is_open: bool) -> Card:
    def card(fit: Fit) -> list[Block]:
        shown = [blocks.section(f"*{_title(state, offer, texts).replace('*', '')}*")]
        wanted = asked_for(state, offer.agent_id, texts, lambda each: fit.line(each, 80))
        shown += blocks.sections([texts.say("Asked for: {what}", what=wanted)] if wanted else [])
        said = fit.text(offer.decline_reason or offer.contribution, 800)
        limits = doubt_lines(doubts_of(state, offer.agent_id), texts, fit, asked_on(state)) if not state.rounds else []
        if offer.broken_limit is not None:
            limits = [broken_line(offer.broken_limit, texts, fit, asked_on(state))]
        shown += blocks.titled_list(texts.say("*Your limits*"), limits)
        shown += blocks.sections([said] if said else [])
        conditions = [f"• {fit.line(each, 240)}" for each in fit.first(offer.conditions, 10)]
        declined = offer.decision is OfferDecision.DECLINE
        title = texts.say("*Would take part if*") if declined else texts.say("*Conditions*")
        shown += blocks.titled_list(title, conditions)
        if is_open:
            handle = StreamButton(stream=state.channel_id).value()
            button = blocks.button(texts.say("Correct my offer…"), CORRECT, handle, style="primary")
            shown.append(twin_feedback(offer.agent_id, texts, fit))
            shown += [blocks.context(_advice(state, texts)), blocks.actions(button)]
        elif offer.source is Source.AGENT:
            shown.append(
                blocks.context(
                    texts.say("The offers are closed. What your twin may say for you, you decide in my Home tab.")
                )
            )
        return [*shown, *thread_link(state, texts, thread)]

    return card


def _advice(state: Negotiation, texts: Texts) -> str:
    if state.wait is Wait.CORRECTIONS:
        until = local_time(state.offers_due, texts)
        return texts.say("If that is not what you want, say it yourself until {moment}.", moment=until)
    return texts.say("If that is not what you want, say it yourself before the proposal.")
