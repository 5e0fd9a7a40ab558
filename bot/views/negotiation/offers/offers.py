"""Who answered the demand and how, for the thread; and what each person is asked about an offer or a need."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from bot.texts import Texts
from bot.views.directory.telling_form import twin_feedback
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.button_values import StreamButton
from bot.views.kit.data_words import found_words, wanted_words
from bot.views.kit.fit import Card
from bot.views.kit.mrkdwn import UNLIMITED, Fit, escaped, mention, until_time
from bot.views.kit.post import Post
from bot.views.kit.presenter import Readers
from bot.views.negotiation.button_values import (
    ASK_HELPER,
    CORRECT,
    DECLINE_HELPER,
    DELEGATE,
    EDIT,
    GO_ON,
    LOOK_WIDER,
    PRIMARY,
    SEND_AGAIN,
    STOP,
    CannotButton,
    VoteButton,
    action_button,
    cannot_button,
)
from bot.views.negotiation.names import (
    SOON,
    asked_on,
    bold_name,
    demand_line,
    direct_message,
    join_names,
    requester,
    thread_link,
)
from bot.views.negotiation.plan.marks import asked_for
from bot.views.negotiation.voting.votes import rules_speak
from engine.kernel import Millis
from engine.negotiation.answers import LimitVerdict, OfferDecision
from engine.negotiation.demand.clarification import time_to_decide
from engine.negotiation.events import LimitDoubt, OfferSubmitted
from engine.negotiation.offers.collecting import awaited_until, is_awaited
from engine.negotiation.offers.limit_answers import doubts_of
from engine.negotiation.offers.missing_needs import may_look_wider
from engine.negotiation.offers.volunteers import can_be_asked, takes_help
from engine.negotiation.plan.parts import circumstances
from engine.negotiation.plan.told_needs import lacking
from engine.negotiation.search.substitutes import awaited
from engine.negotiation.secrecy import why_declined, would_take_part_if
from engine.negotiation.state import Decision, Negotiation, Seat, Status, Volunteer, Wait
from engine.negotiation.terms import Asked, HeldFinding, MissingChoice, Source
from engine.negotiation.voting import between_rounds
from engine.negotiation.voting.rounds import is_still_wished

MOST: Final = 6


def doubt_lines(doubts: Sequence[LimitDoubt], texts: Texts, fit: Fit, today: str = "") -> list[str]:
    """A line for each limit: which it is, what was said of it, and the words or the data that it rests on."""
    return [_doubt_line(each, texts, fit, today) for each in fit.first(doubts, MOST)]


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
    return _doubt_line(said, texts, fit, today)


def limits_block(state: Negotiation, seats: Sequence[Seat], texts: Texts) -> list[Block]:
    """What is in doubt of the limits of people who are linked to nobody, for an admin who speaks for them."""
    fit = Fit()
    lines = [
        f"{bold_name(seat.display_name, seat.agent_id, fit)}\n{each}"
        for seat in seats
        for each in doubt_lines(doubts_of(state, seat.agent_id), texts, fit, asked_on(state))
    ]
    return blocks.titled_list(texts.say("*The limits of whom you speak for*"), lines)


def _doubt_line(doubt: LimitDoubt, texts: Texts, fit: Fit, today: str) -> str:
    limit = fit.line(doubt.words, 240)
    if not limit and doubt.wanted is not None:
        limit = escaped(wanted_words(doubt.wanted, texts, today))
    is_said = doubt.by == "words" or doubt.quote.casefold() == doubt.words.casefold()
    quote = "" if is_said else fit.line(doubt.quote, 200)
    parts = (
        f"*{limit.replace('*', '')}*" if limit else "",
        _doubt_said(doubt, texts, today),
        texts.say("“{quote}”", quote=quote) if quote else "",
        fit.line(doubt.why, 240),
    )
    is_data = doubt.by == "data" and doubt.wanted is not None and doubt.found is not None
    sign = "✗" if is_data and doubt.verdict is LimitVerdict.BROKEN else "?"
    return f"{sign} " + " – ".join(filter(None, parts))


def _doubt_said(doubt: LimitDoubt, texts: Texts, today: str) -> str:
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


def offers(state: Negotiation, texts: Texts) -> Post:
    return Post.from_card(
        "offers",
        _offers_title(state, texts),
        lambda fit: _offers_card(state, texts, fit),
        stream=state.channel_id,
        texts=texts,
        is_for_participants=True,
    )


def _offers_title(state: Negotiation, texts: Texts) -> str:
    if not state.invited:
        return texts.say("The demand was edited: everybody is asked anew")
    taking_part, total = len(state.participants), len(state.invited)
    if _collecting(state):
        return texts.say("Offers: {answered} of {total} are in", answered=len(state.offers), total=total)
    return texts.say("Offers: {taking_part} of {total} take part", taking_part=taking_part, total=total)


def _offers_card(state: Negotiation, texts: Texts, fit: Fit) -> list[Block]:
    if state.rounds and not awaited(state) and not fit.only_whole():
        told_elsewhere = _told_elsewhere(state)
        others = [each for each in state.invited.values() if each.agent_id not in told_elsewhere]
        beside = [_not_needed(state, each, texts, fit) or _offer_line(state, each, texts, fit) for each in others]
        return [
            blocks.section(f"*{_offers_title(state, texts)}*"),
            *blocks.sections(beside),
            *([blocks.context(said)] if (said := _chosen_by_rules(state, fit)) else []),
        ]
    card = (
        [blocks.header(_offers_title(state, texts))]
        if fit.is_whole
        else [blocks.section(f"*{_offers_title(state, texts)}*")]
    )
    card += blocks.sections(_offer_line(state, asked, texts, fit) for asked in state.invited.values())
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
            buttons.append(action_button(DELEGATE, state.channel_id, texts))
        card.append(blocks.actions(*buttons))
    return card


def _told_elsewhere(state: Negotiation) -> frozenset[str]:
    """Return who is in the plan, or has left it."""
    proposal = state.final.final_proposal if state.final else state.proposal
    seated = {each.agent_id for each in proposal.assignments} if proposal else set()
    return frozenset((*seated, *state.withdrawn, *state.given_up))


def _not_needed(state: Negotiation, asked: Asked, texts: Texts, fit: Fit) -> str:
    """Somebody who has offered something that the plan does without; empty where they have not."""
    offer = state.offers.get(asked.agent_id)
    if offer is None or offer.decision is OfferDecision.DECLINE:
        return ""
    who = bold_name(asked.display_name, asked.agent_id, fit)
    head = texts.say("▫️ {who} has offered as well; the plan goes without it", who=who)
    return (
        texts.say("{what}: {detail}", what=head, detail=body) if (body := _shortened(offer.contribution, fit)) else head
    )


def _chosen_by_rules(state: Negotiation, fit: Fit) -> str:
    """Whom simple rules have asked, and who was near and was not."""
    return fit.text(state.analysis, 600) if rules_speak(state) and not state.place.shared else ""


def _offer_line(state: Negotiation, asked: Asked, texts: Texts, fit: Fit) -> str:
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
            body = _shortened(offer.contribution, fit)
        case OfferDecision.CONDITIONAL:
            head = texts.say("🤝 {who} takes part on conditions", who=who)
            conditions = [f"• {fit.line(each, 200)}" for each in offer.conditions] if fit.only_whole() else []
            body = "\n".join([_shortened(offer.contribution, fit), *conditions]).strip()
        case OfferDecision.DECLINE:
            head = texts.say("🙏 {who} cannot this time", who=who)
            wanted = would_take_part_if(state, offer)
            wishes = [f"• {fit.line(each, 200)}" for each in wanted] if wanted and fit.only_whole() else []
            wishes = [texts.say("Would take part if:"), *wishes] if wishes else []
            body = "\n".join([_shortened(why_declined(state, offer), fit), *wishes]).strip()
    if offer.source is Source.HUMAN:
        head = texts.say("{what} (in person)", what=head)
    if body and not fit.is_whole:
        return [texts.say("{what}: {detail}", what=head, detail=body)]
    return [head, body] if body else [head]


def _shortened(said: str, fit: Fit) -> str:
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
    return _offer_line(state, asked, texts, Fit(UNLIMITED))


def decisions(state: Negotiation, texts: Texts) -> list[Post]:
    return [_decision_post(state, number, texts) for number in range(len(state.decisions))]


def missing_line(decision: Decision, texts: Texts, fit: Fit) -> str:
    """What is missing, in one line."""
    return texts.say(", ").join(fit.line(each.what, 120) for each in decision.needs)


def buttons(state: Negotiation, texts: Texts) -> Block:
    """The answers that count now, which waits for a decision."""
    stream = state.channel_id
    edit = action_button(EDIT, stream, texts)
    stop = action_button(STOP, stream, texts, look={"confirm": _sure(texts)})
    match state.decisions[-1].asked.about:
        case "repeated":
            keep = action_button(GO_ON, stream, texts, label=texts.say("Keep it"), look=PRIMARY)
            again = action_button(SEND_AGAIN, stream, texts)
            return blocks.actions(keep, again, stop)
        case "lost":
            may_look, others = between_rounds.may_look_wider(state), [stop]
        case "missing":
            may_look, others = may_look_wider(state), [edit, stop]
    wider = [action_button(LOOK_WIDER, stream, texts, look=PRIMARY)] if may_look else []
    return blocks.actions(*wider, action_button(GO_ON, stream, texts), *others)


def _sure(texts: Texts) -> Block:
    return blocks.confirm(
        texts.say("Stop this negotiation?"),
        texts.say("Everyone in the thread will see that it was stopped. For ten minutes, that can be undone."),
        yes=texts.say("Stop"),
        no=texts.say("Keep going"),
    )


def _decision_post(state: Negotiation, number: int, texts: Texts) -> Post:
    decision = state.decisions[number]
    card = partial(_decision_card, state, decision, texts)
    title = _decision_title(state, decision, texts, Fit())
    return Post.from_card(
        f"missing-{number + 1}",
        title,
        card,
        stream=state.channel_id,
        texts=texts,
        restored=_is_open_decision(state, decision),
    )


def _decision_title(state: Negotiation, decision: Decision, texts: Texts, fit: Fit) -> str:
    match decision.asked.about:
        case "repeated" if is_still_wished(state, decision.round):
            return texts.say("The same plan twice, and changes are still asked for")
        case "repeated":
            return texts.say("Too few have answered the same version twice")
        case "lost":
            return texts.say("Lost, and nobody is left to ask: {what}", what=missing_line(decision, texts, fit))
        case "missing":
            return texts.say("Nobody covers: {what}", what=missing_line(decision, texts, fit))


def _decision_card(state: Negotiation, decision: Decision, texts: Texts, fit: Fit) -> list[Block]:
    if not _is_open_decision(state, decision):
        title, came = _decision_title(state, decision, texts, fit), _what_came_of_it(state, decision, texts, fit)
        return [blocks.section(f"*{title}*\n{came}")]
    until, who = until_time(decision.asked.deadline, texts), requester(state, fit)
    listed = [f"• {fit.line(each.what, 200)}" for each in fit.first(decision.needs, 10)]
    match decision.asked.about:
        case "repeated":
            asked = texts.say("*{who}, the same version was sent twice*", who=who)
            told = [
                blocks.section(
                    texts.say("No other plan came of the changes that are asked for. They stay open if you keep it.")
                    if is_still_wished(state, decision.round)
                    else texts.say("Too few have answered it, and nobody asks for a change.")
                )
            ]
            silence = texts.say("Without an answer by {moment} it is kept, as partly agreed.", moment=until)
        case "lost":
            asked = texts.say("*{who}, this was lost*", who=who)
            told = blocks.titled_list(texts.say("Nobody who stays covers it, and nobody is left to ask:"), listed)
            silence = texts.say("Without an answer by {moment} there is no agreement.", moment=until)
        case "missing":
            asked = texts.say("*{who}, this is missing*", who=who)
            told = blocks.titled_list(texts.say("Nobody who was asked covers:"), listed)
            silence = texts.say(
                "Without an answer by {moment} it goes on, and the plan says what it lacks.", moment=until
            )
    return [blocks.section(asked), *told, blocks.context(silence), buttons(state, texts)]


def _what_came_of_it(state: Negotiation, decision: Decision, texts: Texts, fit: Fit) -> str:
    made, about = decision.made, decision.asked.about
    if made is None:
        return texts.say("It was not decided.")
    who = mention(made.by) or fit.line(made.by, 48)
    if made.choice is MissingChoice.LOOK_WIDER:
        return texts.say("🔎 {who} has others looked for.", who=who)
    if made.choice is MissingChoice.SEND_AGAIN:
        return texts.say("{who} has it sent again.", who=who)
    if about == "repeated":
        return texts.say("{who} keeps it.", who=who) if who else texts.say("Nobody decided, so it is kept.")
    if about == "lost" and not who:
        return texts.say("Nobody decided, so there is no agreement.")
    if not who and not time_to_decide(state):
        return texts.say("Nobody is waited for here, so it goes on without.")
    if not who:
        return texts.say("Nobody decided, so it goes on without.")
    return texts.say("{who} goes on without.", who=who)


def _is_open_decision(state: Negotiation, decision: Decision) -> bool:
    return state.awaits_decision and state.decisions[-1] is decision


LONGEST_QUOTE = 800


def help_offers(state: Negotiation, readers: Readers) -> Iterator[Post]:
    """One message to whoever asked for each who offers; one to them once it is decided."""
    for agent_id, volunteer in state.volunteers.items():
        key = f"help/{agent_id}"
        texts = readers.texts(state.requester_id, key)
        title = texts.say("“{demand}”: somebody offers to help", demand=demand_line(state, Fit()))
        card = partial(_volunteer_card, state, volunteer, title, texts, readers.address(""))
        yield direct_message(
            state, key, state.requester_id, title, texts, card, is_late=not _is_to_answer(state, volunteer)
        )
    for agent_id, volunteer in state.volunteers.items():
        if volunteer.answered is None:
            continue
        key, user = f"help-answer/{agent_id}", volunteer.offered.by
        texts = readers.texts(user, key)
        text = _volunteer_answer(state, volunteer, texts)
        card = partial(_answer_card, state, volunteer, text, texts, readers.address(""))
        yield direct_message(state, key, user, text, texts, card)


def _is_to_answer(state: Negotiation, volunteer: Volunteer) -> bool:
    return volunteer.answered is None and takes_help(state)


def _volunteer_card(
    state: Negotiation, volunteer: Volunteer, title: str, texts: Texts, thread: str, fit: Fit
) -> list[Block]:
    offered = volunteer.offered
    who = mention(offered.by) or bold_name(offered.display_name, offered.agent_id, fit)
    said = fit.text(offered.text, LONGEST_QUOTE)
    shown = [blocks.section(f"*{title.replace('*', '')}*")]
    shown.append(blocks.section(texts.say("{who} was not asked, and writes:", who=who) + (f"\n{said}" if said else "")))
    if not _is_to_answer(state, volunteer):
        return [*shown, blocks.context(_decided(volunteer, texts)), *thread_link(state, texts, thread)]
    shown.append(blocks.context(_volunteer_advice(state, volunteer, texts, fit)))
    ask = [action_button(ASK_HELPER, state.channel_id, texts, look=PRIMARY, agent_id=offered.agent_id)]
    decline = action_button(DECLINE_HELPER, state.channel_id, texts, agent_id=offered.agent_id)
    shown.append(blocks.actions(*(ask if can_be_asked(state, volunteer) else ()), decline))
    return [*shown, *thread_link(state, texts, thread)]


def _volunteer_advice(state: Negotiation, volunteer: Volunteer, texts: Texts, fit: Fit) -> str:
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


def _volunteer_answer(state: Negotiation, volunteer: Volunteer, texts: Texts) -> str:
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


def own_offer_key(state: Negotiation, agent_id: str) -> str:
    """The key is another one after the demand was edited, since everybody is asked anew."""
    return f"own-offer-{state.discarded}/{agent_id}"


def is_discarded_offer(state: Negotiation, key: str) -> bool:
    """Whether a message is about an offer to the demand as it was before it was edited."""
    kind, _, number = key.partition("/")[0].rpartition("-")
    return kind in ("own-offer", "twin-offer") and number.isdigit() and int(number) < state.discarded


def own_offers(state: Negotiation, readers: Readers) -> Iterator[Post]:
    for agent_id in state.asked_in_person:
        user_id = state.invited[agent_id].user_id
        if not user_id:
            continue
        key = own_offer_key(state, agent_id)
        texts = readers.texts(user_id, key)
        is_open = is_awaited(state, agent_id)
        title = _own_title(state, agent_id, texts)
        until = awaited_until(state, agent_id) if is_open else 0
        card = _own_card(state, title, texts, readers.address(""), until)
        yield direct_message(state, key, user_id, title, texts, card, is_late=not is_open, until=until)


def _own_title(state: Negotiation, agent_id: str, texts: Texts) -> str:
    if what := asked_for(state, agent_id, texts, lambda each: Fit().line(each, 80)):
        return texts.say(
            "“{demand}”: nobody covers {what}, and your twin could not answer. Do you take part?",
            demand=demand_line(state, Fit()),
            what=what,
        )
    return texts.say("“{demand}”: your twin could not answer. Do you take part?", demand=demand_line(state, Fit()))


def _own_card(state: Negotiation, title: str, texts: Texts, thread: str, until: Millis) -> Card:
    def card(fit: Fit) -> list[Block]:
        shown = [blocks.section(f"*{title.replace('*', '')}*")]
        if until:
            moment = until_time(until, texts)
            shown.append(blocks.section(texts.say("Say it yourself until {moment}, or nobody does.", moment=moment)))
            handle = StreamButton(stream=state.channel_id).value()
            shown.append(blocks.actions(blocks.button(texts.say("Answer…"), CORRECT, handle, style="primary")))
        return [*shown, *thread_link(state, texts, thread)]

    return card


def twin_offers(state: Negotiation, readers: Readers) -> Iterator[Post]:
    """One for each person, also where no time is given to correct it: nobody is spoken for without hearing it.

    Where the first proposal comes at once, and with it a person's own part to decide about, that part says it.
    """
    part_follows = _part_follows(state)
    for agent_id, asked in state.invited.items():
        offer = state.offers.get(agent_id)
        if not asked.user_id or offer is None or offer.degraded:
            continue
        if part_follows and offer.decision is not OfferDecision.DECLINE:
            continue
        # Everybody is asked anew after the demand was edited, so it is another message then.
        key = f"twin-offer-{state.discarded}/{agent_id}"
        texts = readers.texts(asked.user_id, key)
        is_open = state.takes_offers and offer.source is Source.AGENT
        card = _twin_card(state, offer, texts, readers.address(""), is_open=is_open)
        has_answered = offer.source is Source.HUMAN
        title = _twin_title(state, offer, texts)
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


def _part_follows(state: Negotiation) -> bool:
    comes_at_once = state.policy.human_window and not state.policy.first_window
    return bool(comes_at_once) and (state.is_open or bool(state.rounds))


def _twin_title(state: Negotiation, offer: OfferSubmitted, texts: Texts) -> str:
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


def _twin_card(state: Negotiation, offer: OfferSubmitted, texts: Texts, thread: str, *, is_open: bool) -> Card:
    def card(fit: Fit) -> list[Block]:
        shown = [blocks.section(f"*{_twin_title(state, offer, texts).replace('*', '')}*")]
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
            about = VoteButton(stream=state.channel_id, round=0, digest="", agent_id=offer.agent_id)
            away = cannot_button(CannotButton.on(circumstances(state).when, about), texts)
            shown += [blocks.context(_twin_advice(state, texts)), blocks.actions(button, away)]
        elif offer.source is Source.AGENT:
            shown.append(
                blocks.context(
                    texts.say("The offers are closed. What your twin may say for you, you decide in my Home tab.")
                )
            )
        return [*shown, *thread_link(state, texts, thread)]

    return card


def _twin_advice(state: Negotiation, texts: Texts) -> str:
    if state.wait is Wait.CORRECTIONS:
        until = until_time(state.offers_due, texts)
        return texts.say("If that is not what you want, say it yourself until {moment}.", moment=until)
    return texts.say("If that is not what you want, say it yourself before the proposal.")
