"""The message about who was asked, why, and what they answered; it is edited as the answers come in.

It has a line for each person. Once a plan is voted on, it has one only for whoever is not in it, with the reason: the
root card says then what everybody else brings.
It names people without mentioning them, since nobody has to do anything yet.
"""

from bot.texts import Texts
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.button_values import StreamButton
from bot.views.kit.fit import UNLIMITED, Fit
from bot.views.kit.post import Post
from bot.views.negotiation.agreement.hands import rules_speak
from bot.views.negotiation.button_values import CORRECT, DELEGATE, SeatButton
from bot.views.negotiation.names import bold_name, join_names
from engine.negotiation.answers import OfferDecision
from engine.negotiation.events import OfferSubmitted
from engine.negotiation.offers.collecting import is_awaited
from engine.negotiation.private_reasons import why_declined, would_take_part_if
from engine.negotiation.search.substitutes import awaited
from engine.negotiation.state import Negotiation, Status
from engine.negotiation.terms import Asked, Source


def offers(state: Negotiation, texts: Texts) -> Post:
    return Post.from_card(
        "offers",
        _title(state, texts),
        lambda fit: _card(state, texts, fit),
        stream=state.channel_id,
        texts=texts,
        is_for_participants=True,
    )


def _title(state: Negotiation, texts: Texts) -> str:
    if not state.invited:
        return texts.say("The demand was edited: everybody is asked anew")
    taking_part, total = len(state.participants), len(state.invited)
    if _collecting(state):
        return texts.say("Offers: {answered} of {total} are in", answered=len(state.offers), total=total)
    return texts.say("Offers: {taking_part} of {total} take part", taking_part=taking_part, total=total)


def _card(state: Negotiation, texts: Texts, fit: Fit) -> list[Block]:
    if state.rounds and not awaited(state) and not fit.only_whole():
        others = [each for each in state.invited.values() if not _is_told_elsewhere(state, each)]
        beside = [_not_needed(state, each, texts, fit) or _answer(state, each, texts, fit) for each in others]
        return [
            blocks.section(f"*{_title(state, texts)}*"),
            *blocks.sections(beside),
            *([blocks.context(said)] if (said := _chosen_by_rules(state, fit)) else []),
        ]
    card = [blocks.header(_title(state, texts))] if fit.is_whole else [blocks.section(f"*{_title(state, texts)}*")]
    card += blocks.sections(_answer(state, asked, texts, fit) for asked in state.invited.values())
    waiting = [each for each in (*state.candidates, *state.reserve) if each.agent_id not in state.invited]
    if waiting and not state.place.shared:
        few = fit.first(waiting, 10)
        names = join_names([bold_name(each.display_name, each.agent_id, fit) for each in few], texts, len(waiting))
        card.append(blocks.context(texts.say("Could help too, not asked for now: {names}", names=names)))
    if state.is_open and state.takes_offers:
        buttons = [
            blocks.button(texts.say("Correct my offer…"), CORRECT, StreamButton(stream=state.channel_id).value())
        ]
        if any(each.user_id for each in state.invited.values()):
            buttons.append(blocks.button(texts.say("Delegate…"), DELEGATE, SeatButton(stream=state.channel_id).value()))
        card.append(blocks.actions(*buttons))
    return card


def _is_told_elsewhere(state: Negotiation, asked: Asked) -> bool:
    """Whether somebody is in the plan, or has left it."""
    proposal = state.final.final_proposal if state.final else state.proposal
    seated = {each.agent_id for each in proposal.assignments} if proposal else set()
    return asked.agent_id in seated or asked.agent_id in state.withdrawn or asked.agent_id in state.given_up


def _not_needed(state: Negotiation, asked: Asked, texts: Texts, fit: Fit) -> str:
    """Somebody who has offered something that the plan does without; empty where they have not."""
    offer = state.offers.get(asked.agent_id)
    if offer is None or offer.decision is OfferDecision.DECLINE:
        return ""
    who = bold_name(asked.display_name, asked.agent_id, fit)
    head = texts.say("▫️ {who} has offered as well; the plan goes without it", who=who)
    return texts.say("{what}: {detail}", what=head, detail=body) if (body := _told(offer.contribution, fit)) else head


def _chosen_by_rules(state: Negotiation, fit: Fit) -> str:
    """Whom simple rules have asked, and who was near and was not."""
    return fit.text(state.analysis, 600) if rules_speak(state) and not state.place.shared else ""


def _answer(state: Negotiation, asked: Asked, texts: Texts, fit: Fit) -> str:
    who = bold_name(asked.display_name, asked.agent_id, fit)
    offer = state.offers.get(asked.agent_id)
    lines = _offered(state, who, offer, texts, fit) if offer else [_silent(who, asked.agent_id, state, texts)]
    if asked.reason and not state.place.shared and fit.only_whole():
        lines.append(texts.say("Asked because: {reason}", reason=fit.line(asked.reason, 200)))
    return "\n".join(lines)


def _offered(state: Negotiation, who: str, offer: OfferSubmitted, texts: Texts, fit: Fit) -> list[str]:
    if offer.degraded and is_awaited(state, offer.agent_id):
        return [texts.say("⚠️ {who}: the twin could not answer; it is theirs to say", who=who)]
    if offer.degraded:
        return [texts.say("⚠️ {who}: the twin could not answer", who=who)]
    match offer.decision:
        case OfferDecision.PARTICIPATE:
            head = texts.say("✅ {who} takes part", who=who)
            body = _told(offer.contribution, fit)
        case OfferDecision.CONDITIONAL:
            head = texts.say("🤝 {who} takes part on conditions", who=who)
            conditions = [f"• {fit.line(each, 200)}" for each in offer.conditions] if fit.only_whole() else []
            body = "\n".join([_told(offer.contribution, fit), *conditions]).strip()
        case OfferDecision.DECLINE:
            head = texts.say("🙏 {who} cannot this time", who=who)
            wanted = would_take_part_if(state, offer)
            wishes = [f"• {fit.line(each, 200)}" for each in wanted] if wanted and fit.only_whole() else []
            wishes = [texts.say("Would take part if:"), *wishes] if wishes else []
            body = "\n".join([_told(why_declined(state, offer), fit), *wishes]).strip()
    if offer.source is Source.HUMAN:
        head = texts.say("{what} (in person)", what=head)
    if body and not fit.is_whole:
        return [texts.say("{what}: {detail}", what=head, detail=body)]
    return [head, body] if body else [head]


def _told(said: str, fit: Fit) -> str:
    return fit.text(said, 2_000) if fit.is_whole else fit.line(said, 90)


def _silent(who: str, agent_id: str, state: Negotiation, texts: Texts) -> str:
    if _collecting(state) or _asked_to_step_in(state, agent_id):
        return texts.say("⏳ {who} is being asked", who=who)
    return texts.say("▫️ {who} did not answer in time", who=who)


def _asked_to_step_in(state: Negotiation, agent_id: str) -> bool:
    """Whether the person was asked to take over a core seat between two rounds."""
    between = state.is_open and state.current is None
    return between and any(each.agent_id == agent_id for each in state.vacancies.values())


def _collecting(state: Negotiation) -> bool:
    return state.status in (Status.CREATED, Status.BROADCASTING, Status.COLLECTING)


def whole_answer(state: Negotiation, asked: Asked, texts: Texts) -> str:
    """What somebody answered, in full, with why they were asked."""
    return _answer(state, asked, texts, Fit(UNLIMITED))
