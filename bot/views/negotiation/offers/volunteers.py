"""The direct messages about somebody who was not asked and can help: to whoever asked, who decides, and to them."""

from collections.abc import Iterator
from functools import partial

from bot.texts import Texts
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.button_values import StreamButton
from bot.views.kit.fit import Fit
from bot.views.kit.mrkdwn import mention
from bot.views.kit.post import Post
from bot.views.kit.readers import Readers
from bot.views.negotiation.button_values import ASK_HELPER, CORRECT, DECLINE_HELPER, SeatButton
from bot.views.negotiation.direct_messages import demand_line, direct_message, thread_link
from bot.views.negotiation.names import bold_name
from engine.negotiation.offers.volunteers import can_be_asked, takes_help
from engine.negotiation.plan.told_needs import lacking
from engine.negotiation.state import Negotiation, Volunteer

LONGEST_QUOTE = 800


def help_offers(state: Negotiation, readers: Readers) -> Iterator[Post]:
    """One message to whoever asked for each who offers; one to them once it is decided."""
    for agent_id, volunteer in state.volunteers.items():
        key = f"help/{agent_id}"
        texts = readers.texts(state.requester_id, key)
        title = texts.say("“{demand}”: somebody offers to help", demand=demand_line(state, Fit()))
        card = partial(_card, state, volunteer, title, texts, readers.address(""))
        yield direct_message(state, key, state.requester_id, title, texts, card, is_late=not _is_open(state, volunteer))
    for agent_id, volunteer in state.volunteers.items():
        if volunteer.answered is None:
            continue
        key, user = f"help-answer/{agent_id}", volunteer.offered.by
        texts = readers.texts(user, key)
        text = _answer(state, volunteer, texts)
        card = partial(_answer_card, state, volunteer, text, texts, readers.address(""))
        yield direct_message(state, key, user, text, texts, card)


def _is_open(state: Negotiation, volunteer: Volunteer) -> bool:
    return volunteer.answered is None and takes_help(state)


def _card(state: Negotiation, volunteer: Volunteer, title: str, texts: Texts, thread: str, fit: Fit) -> list[Block]:
    offered = volunteer.offered
    who = mention(offered.by) or bold_name(offered.display_name, offered.agent_id, fit)
    said = fit.text(offered.text, LONGEST_QUOTE)
    shown = [blocks.section(f"*{title.replace('*', '')}*")]
    shown.append(blocks.section(texts.say("{who} was not asked, and writes:", who=who) + (f"\n{said}" if said else "")))
    if not _is_open(state, volunteer):
        return [*shown, blocks.context(_decided(volunteer, texts)), *thread_link(state, texts, thread)]
    handle = SeatButton(stream=state.channel_id, agent_id=offered.agent_id).value()
    shown.append(blocks.context(_advice(state, volunteer, texts, fit)))
    ask = [blocks.button(texts.say("Ask them"), ASK_HELPER, handle, style="primary")]
    decline = blocks.button(texts.say("No, thanks"), DECLINE_HELPER, handle)
    shown.append(blocks.actions(*(ask if can_be_asked(state, volunteer) else ()), decline))
    return [*shown, *thread_link(state, texts, thread)]


def _advice(state: Negotiation, volunteer: Volunteer, texts: Texts, fit: Fit) -> str:
    """What *Ask them* would do now."""
    if state.final is not None:
        what = texts.say("; ").join(fit.line(each.what, 80) for each in lacking(state))
        if not can_be_asked(state, volunteer):
            return texts.say("The plan lacks: {what}. Ask them in the thread which of it they would do.", what=what)
        return texts.say("The plan lacks: {what}. If you ask them, they do it, and everybody sees it.", what=what)
    if state.takes_offers:
        return texts.say("If you ask them, what they write is an offer like the others, which everybody sees.")
    if not state.rounds:
        return texts.say("You can ask them as soon as the others are asked.")
    if volunteer.offered.has_twin:
        return texts.say("A plan is being voted on. If you ask them, they step in should somebody leave.")
    return texts.say("A plan is being voted on, and nobody can join it now. Should it lack something, ask them then.")


def _decided(volunteer: Volunteer, texts: Texts) -> str:
    if volunteer.answered is None:
        return texts.say("Nobody else is needed any more.")
    match volunteer.answered.way:
        case "offer":
            return texts.say("✅ You asked them: what they wrote is their offer.")
        case "reserve":
            return texts.say("✅ They step in should somebody leave.")
        case "plan":
            return texts.say("✅ They do what the plan lacked.")
        case _:
            return texts.say("You said no, thanks.")


def _answer(state: Negotiation, volunteer: Volunteer, texts: Texts) -> str:
    demand = demand_line(state, Fit())
    match volunteer.answered.way if volunteer.answered else "declined":
        case "offer":
            return texts.say("“{demand}”: your help is wanted. What you wrote is your offer.", demand=demand)
        case "reserve":
            return texts.say(
                "“{demand}”: thank you for offering your help. Should a place become free, you are asked.",
                demand=demand,
            )
        case "plan":
            return texts.say("“{demand}”: your help is wanted. You are in the plan with what you wrote.", demand=demand)
        case _:
            return texts.say(
                "Thank you for offering to help with “{demand}”. This time it works out without you.", demand=demand
            )


def _answer_card(
    state: Negotiation, volunteer: Volunteer, text: str, texts: Texts, thread: str, fit: Fit
) -> list[Block]:
    shown = [blocks.section(text)]
    said = fit.text(volunteer.offered.text, LONGEST_QUOTE)
    if said and volunteer.answered and volunteer.answered.way != "declined":
        shown.append(blocks.section(said))
    if state.takes_offers and volunteer.offered.agent_id in state.invited:
        handle = StreamButton(stream=state.channel_id).value()
        shown.append(blocks.actions(blocks.button(texts.say("Correct my offer…"), CORRECT, handle)))
    return [*shown, *thread_link(state, texts, thread)]
