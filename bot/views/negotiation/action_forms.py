"""What the forms of a negotiation's actions say; their fields are the actions' own."""

from collections.abc import Mapping
from typing import Any, Final

from bot.texts import Texts
from bot.views.kit import blocks
from bot.views.kit.action_form import ActionForm, FieldWords, FormWords, SentView
from bot.views.kit.fields import choice_field, multi_choice_field, picked_option, picked_options, text_block
from bot.views.kit.handover import CARRY_OUT, PLAN_IT, is_carried_out, is_planned
from bot.views.kit.mrkdwn import Fit, safe_line
from bot.views.negotiation.agreement.outcome import may_be_announced, missing_text, risk_text, unconfirmed_names
from bot.views.negotiation.names import asked_on
from bot.views.negotiation.plan import plan
from bot.views.negotiation.voting.wish_fields import OF_THE_WHOLE, day_of, read_wish, wish_fields
from engine.errors import IllegalStep
from engine.negotiation.afterwards.check_ins import dated
from engine.negotiation.afterwards.proceeding import plan_of
from engine.negotiation.agreement.handover import hands_over
from engine.negotiation.commands import (
    AnswerCheckIn,
    ChooseCore,
    CorrectRequest,
    Delegate,
    GiveUpSeat,
    Proceed,
    RequestChange,
)
from engine.negotiation.events import ForceFinalized
from engine.negotiation.state import Negotiation


def _change(state: Negotiation, _: RequestChange, texts: Texts) -> FormWords:
    requested = state.requested
    above = texts.say(
        "It comes first when the next version is made. The plan is not settled before, and you are told what became "
        "of it."
    )
    own = wish_fields(texts, OF_THE_WHOLE, requested.text if requested else "")
    return FormWords(texts.say("Ask for a change"), texts.say("Send"), [text_block(above)], own=own)


def _changed(state: Negotiation, view: SentView, texts: Texts) -> Mapping[str, Any]:
    text, change = read_wish(view["state"]["values"], texts, asked_on(state), day_of(state))
    return {"text": text, "change": change}


def _delegate(state: Negotiation, asked: Delegate, texts: Texts) -> FormWords:
    demand = safe_line(state.demand_text, 240)
    above = texts.say("Only for “{demand}”. You can take it back at any moment.", demand=demand)
    who = FieldWords(
        texts.say("Who may decide for you?"),
        texts.say(
            "They can vote for your part and correct your offer, as can you; whoever of you did so last counts. Choose "
            "nobody to decide alone."
        ),
        state.delegates.get(asked.agent_id, ""),
    )
    return FormWords(texts.say("Delegate"), texts.say("Send"), [text_block(above)], {"to": who})


def _core(state: Negotiation, _: ChooseCore, texts: Texts) -> FormWords:
    """About the newest version of the plan."""
    assignments = state.proposals[-1].assignments
    above = texts.say("Without these the plan falls: when one of them withdraws, a replacement is asked first.")
    seats = FieldWords(
        texts.say("Whom can the plan not do without?"),
        options=[(each.agent_id, each.display_name or each.agent_id) for each in assignments],
        picked=[each.agent_id for each in assignments if each.core],
    )
    return FormWords(texts.say("Core parts"), texts.say("Send"), [text_block(above)], {"agent_ids": seats})


def _not_meant(state: Negotiation, asked: CorrectRequest, texts: Texts) -> FormWords:
    """Return the words of the form that corrects how a wish was understood.

    Raises:
        IllegalStep: nothing stands as understood.
    """
    understood = state.understood.get(asked.agent_id or asked.by)
    if understood is None:
        raise IllegalStep("They have said already that it was meant otherwise.")
    above = texts.say(
        "What you wrote goes its way as it is. If you say here what you mean, the next version is given that."
    )
    what = FieldWords(
        texts.say("What do you mean?"),
        texts.say("Empty: only what was understood is wrong. Everyone in the thread can read it"),
        understood.text,
    )
    return FormWords(texts.say("Meant otherwise"), texts.say("Send"), [text_block(above)], {"text": what})


HOW, ANNOUNCE = "how", "announce"
"""Names of the fields of *Go…*."""
AS_IT_STANDS: Final = "as_it_stands"


def _proceed(state: Negotiation, _: Proceed, texts: Texts) -> FormWords:
    """Return the words of the form that has the plan carried out: as it stands, or in another way.

    Raises:
        IllegalStep: there is no plan.
    """
    fit, final = Fit(), plan_of(state)
    said = blocks.sections([missing_text(state, texts, fit)])
    if isinstance(final, ForceFinalized):
        said += blocks.sections([risk_text(final, unconfirmed_names(state, final, texts, fit), texts)])
    unanswered = texts.say("enough had agreed before it could be taken up")
    said += plan.requests(state, final.open_requests, texts.say("*Still open*"), unanswered, texts, fit)
    ways = [(AS_IT_STANDS, _as_it_stands(state, texts))]
    if hands_over(state) and not is_planned(state.taken_up):
        ways.append((PLAN_IT, texts.say("Argue it out first: how it is done, and what could go wrong")))
    if hands_over(state) and not is_carried_out(state.taken_up):
        ways.append((CARRY_OUT, texts.say("With tickets: each shows what they have done, and it is approved")))
    own = [choice_field(HOW, texts.say("How?"), ways, AS_IT_STANDS)]
    if may_be_announced(state):
        own.append(
            multi_choice_field(
                ANNOUNCE, texts.say("Who should know?"), [(ANNOUNCE, texts.say("Also tell the channel"))]
            )
        )
    return FormWords(texts.say("Go"), texts.say("Go"), said, own=own)


def _as_it_stands(state: Negotiation, texts: Texts) -> str:
    if dated(state):
        return texts.say("As it stands: all are told, and reminded a day ahead")
    return texts.say("As it stands: all are told that it goes ahead")


def _proceeded(_: Negotiation, view: SentView, _texts: Texts) -> Mapping[str, Any]:
    """As it stands means with a reminder."""
    return {"announce": ANNOUNCE in picked_options(view["state"]["values"], ANNOUNCE), "reminds": True}


def chosen_way_on(view: SentView) -> str:
    """Return the name of the button that somebody has chosen in *Go…* in place of going on as it stands; empty where
    they have not.
    """
    way = picked_option(view["state"]["values"], HOW)
    return way if way in (PLAN_IT, CARRY_OUT) else ""


def _give_up(state: Negotiation, _: GiveUpSeat, texts: Texts) -> FormWords:
    demand = safe_line(state.demand_text, 240)
    if state.policy.max_depth:
        above = texts.say(
            "You leave the plan of “{demand}”. Whoever asked hears of it in the thread, and colleagues are asked to "
            "take your place. It cannot be taken back.",
            demand=demand,
        )
    else:
        above = texts.say(
            "You leave the plan of “{demand}”. Whoever asked hears of it in the thread. It cannot be taken back.",
            demand=demand,
        )
    why = FieldWords(texts.say("Why? Everybody in the thread reads it."))
    return FormWords(texts.say("I cannot any more"), texts.say("Send"), [text_block(above)], {"reason": why})


def _late(_: Negotiation, _asked: AnswerCheckIn, texts: Texts) -> FormWords:
    what = FieldWords(texts.say("What is late, and until when? Everybody in the thread reads it."))
    return FormWords(texts.say("Late"), texts.say("Send"), fields={"text": what})


CHANGE_FORM: Final = ActionForm(_change, _changed)
DELEGATE_FORM: Final = ActionForm(_delegate)
CORE_FORM: Final = ActionForm(_core)
NOT_MEANT_FORM: Final = ActionForm(_not_meant)
PROCEED_FORM: Final = ActionForm(_proceed, _proceeded)
GIVE_UP_FORM: Final = ActionForm(_give_up)
LATE_FORM: Final = ActionForm(_late)
