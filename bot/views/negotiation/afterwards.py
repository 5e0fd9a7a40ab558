"""What follows an agreement: commitments and check-ins, what was given up or taken back, and another attempt."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from bot.texts import Texts
from bot.views.kit import blocks
from bot.views.kit.action_form import ActionForm, FormWords, SentView
from bot.views.kit.blocks import Block
from bot.views.kit.fields import Values, choice_field, multi_choice_field, picked_option, picked_options, text_block
from bot.views.kit.home_part import where_line
from bot.views.kit.mrkdwn import Fit, local_time, mention, safe_line
from bot.views.kit.post import Post
from bot.views.kit.presenter import Readers
from bot.views.negotiation.button_values import (
    DONE,
    GIVE_UP,
    LATE,
    PRIMARY,
    UNDO,
    action_button,
)
from bot.views.negotiation.demand.demand_form import demand_fields, read_edit
from bot.views.negotiation.names import (
    LONGEST_NAME,
    asked_on,
    bold_name,
    day_text,
    direct_message,
    join_names,
    requester,
    thread_link,
    when_text,
)
from bot.views.negotiation.search import gap_search
from engine.negotiation.afterwards.check_ins import answerers
from engine.negotiation.afterwards.commitments import Commitment, commitments, keepers
from engine.negotiation.afterwards.reopening import BALANCED, suits_balanced
from engine.negotiation.answers import Gap
from engine.negotiation.commands import Reopen
from engine.negotiation.events import SeatGivenUp, StopTakenBack
from engine.negotiation.policy import PRESETS, Policy
from engine.negotiation.search.gaps import GapSearch
from engine.negotiation.secrecy import why_given_up
from engine.negotiation.state import CheckIn, Negotiation, Subnet
from engine.negotiation.terms import LONGEST_REASON


def promised_sections(
    states: Sequence[Negotiation], user: str, texts: Texts, threads: Mapping[str, str]
) -> Iterator[Block]:
    """A section with a button for each commitment that they decide about, in the order of the states.

    Args:
        threads: stream -> the address of its thread.
    """
    for state in states:
        for each in commitments(state):
            if user in keepers(state, each.agent_id):
                button = give_up_button(state.channel_id, each.agent_id, texts)
                told = promise_line(state, each, user, texts, threads.get(state.channel_id, ""))
                yield blocks.section(told) | {"accessory": button}


def promise_line(state: Negotiation, promise: Commitment, user: str, texts: Texts, thread: str) -> str:
    """When, what, for which demand, and where to read on; whose it is where it is not their own."""
    fit = Fit()
    when = when_text(promise.when, texts, asked_on(state))
    what = fit.line(promise.seat.role, 80) or fit.line(promise.seat.responsibility, 80)
    name = bold_name(promise.seat.display_name, promise.agent_id, fit)
    parts = (
        f"*{when}*" if when else texts.say("*No date yet*"),
        what,
        "" if promise.user_id == user else texts.say("for {name}", name=name),
        f"“{safe_line(state.demand_text, 120)}”",
        where_line(state.place.channel, thread, texts),
    )
    return " · ".join(each for each in parts if each)


def give_up_button(stream: str, agent_id: str, texts: Texts) -> Block:
    return action_button(GIVE_UP, stream, texts, agent_id=agent_id)


def given_up_posts(state: Negotiation, texts: Texts) -> list[Post]:
    """A message of the thread for each, which notifies whoever asked."""
    return [
        Post.from_card(
            f"given-up/{each.agent_id}",
            texts.say("{who} cannot take part any more", who=safe_line(each.display_name, 48) or "?"),
            partial(_card, state, each, texts),
            stream=state.channel_id,
            texts=texts,
        )
        for each in state.given_up.values()
    ]


def _card(state: Negotiation, left: SeatGivenUp, texts: Texts, fit: Fit) -> list[Block]:
    who = bold_name(left.display_name, left.agent_id, fit)
    asker = requester(state, fit)
    if left.closed:
        lines = [
            texts.say("👋 {asker}, {who} has no account here any more and cannot take part.", asker=asker, who=who)
        ]
    else:
        lines = [texts.say("👋 {asker}, {who} cannot take part any more.", asker=asker, who=who)]
    if reason := fit.line(why_given_up(state, left), LONGEST_REASON):
        lines.append(texts.say("Reason: {reason}", reason=reason))
    for lack in left.lacks:
        lines.append(texts.say("❌ Missing: {what}", what=fit.line(lack, 80)))
        lines += _search(state, lack, texts, fit)
    if any(each is None or each.failed is not None for each in (_subnet(state, lack) for lack in left.lacks)):
        lines.append(texts.say("To ask somebody yourself, mention me with what is missing and their name."))
    return [blocks.section("\n".join(lines))]


def _subnet(state: Negotiation, lack: str) -> Subnet | None:
    """The last search for somebody who does it instead."""
    return next((each for each in [*state.subnets.values()][::-1] if each.triggered.gap_type == lack), None)


def _search(state: Negotiation, lack: str, texts: Texts, fit: Fit) -> list[str]:
    """What becomes of the search for somebody who does it instead."""
    found = _subnet(state, lack)
    if found is None:
        return [texts.say("Nobody else is asked for it.")]
    looked = GapSearch(Gap(gap_type=lack), matters=True, subnet=found)
    return [*gap_search.search_result(state, looked, texts, fit)]


def check_in_messages(state: Negotiation, readers: Readers) -> Iterator[Post]:
    """A message for each thing that is due, to whoever promised it."""
    for each in state.check_ins.values():
        user = answerers(state, each.asked)[0]
        key = f"check-in/{each.asked.key}"
        texts = readers.texts(user, key)
        card = partial(_check_in_card, state, each, texts, readers.address(""))
        yield direct_message(
            state, key, user, _question(state, each, texts), texts, card, is_late=each.asked.agent_id in state.given_up
        )


def late_posts(state: Negotiation, texts: Texts) -> Iterator[Post]:
    """A message of the thread for each thing that was said to be late, which notifies whoever asked."""
    for each in state.check_ins.values():
        if each.answer is not None and each.answer.is_late:
            text = _late_line(state, each, texts)
            yield Post.from_card(
                f"late/{each.asked.key}", text, partial(_late_said, text), stream=state.channel_id, texts=texts
            )


def standing_marks(state: Negotiation, texts: Texts) -> Mapping[str, str]:
    """Return by agent id how what somebody promised stands, in a word or two, where anybody has said so."""
    late: dict[str, bool] = {}
    for each in state.check_ins.values():
        if each.answer:
            late[each.asked.agent_id] = late.get(each.asked.agent_id, False) or each.answer.is_late
    return {who: texts.say("⏰ late") if is_late else texts.say("☑️ done") for who, is_late in late.items()}


def _question(state: Negotiation, each: CheckIn, texts: Texts) -> str:
    return texts.say(
        "Due on {date} for “{demand}”: {what}. How does it stand?",
        date=day_text(each.asked.day, texts, asked_on(state)),
        demand=safe_line(state.demand_text, 120),
        what=safe_line(each.asked.what, 160) or "…",
    )


def _check_in_card(state: Negotiation, each: CheckIn, texts: Texts, thread: str, fit: Fit) -> list[Block]:
    done = action_button(DONE, state.channel_id, texts, look=PRIMARY, key=each.asked.key)
    late = action_button(LATE, state.channel_id, texts, key=each.asked.key)
    shown = [blocks.section(_question(state, each, texts))]
    if each.answer is None:
        return [*shown, *thread_link(state, texts, thread), blocks.actions(done, late)]
    if not each.answer.is_late:
        return [*shown, blocks.section(texts.say("☑️ You said: done.")), *thread_link(state, texts, thread)]
    said = texts.say("⏰ You said: late. {what}", what=fit.text(each.answer.text, LONGEST_REASON))
    return [*shown, blocks.section(said), *thread_link(state, texts, thread), blocks.actions(done)]


def _late_line(state: Negotiation, each: CheckIn, texts: Texts) -> str:
    fit = Fit()
    promised = state.final.final_proposal.assignments if state.final else ()
    name = next((seat.display_name for seat in promised if seat.agent_id == each.asked.agent_id), "")
    who = bold_name(name, each.asked.agent_id, fit) if each.asked.agent_id else requester(state, fit)
    return texts.say(
        "⏰ {asker}, {who} will be late with {what}: {why}",
        asker=requester(state, fit),
        who=who,
        what=fit.line(each.asked.what, 120) or "…",
        why="" if state.place.shared or each.answer is None else fit.line(each.answer.text, LONGEST_REASON),
    )


def _late_said(text: str, _: Fit) -> list[Block]:
    return [blocks.section(text)]


def continuation(state: Negotiation, texts: Texts, fit: Fit) -> list[str]:
    """Who reopened it, and when; empty if nobody has."""
    again = state.reopened
    if again is None:
        return []
    who = mention(again.by) or fit.line(again.by, 48) or "?"
    said = texts.say(
        "🔁 {who} took it up again ({moment}); it goes on further down.", who=who, moment=local_time(again.at, texts)
    )
    return [" ".join((said, *_what_changed(state, texts)))]


def participants_notice(state: Negotiation, texts: Texts) -> list[str]:
    """The notice in participants' direct messages; empty if nobody has reopened it."""
    if state.reopened is None:
        return []
    return [texts.say("🔁 It was taken up again. If you are asked, there is a new message for you.")]


def origin_notice(texts: Texts) -> str:
    """The notice on the card of the new negotiation."""
    return texts.say("🔁 Taken up again: the first time there was no agreement. Everybody is asked anew.")


def advice(state: Negotiation, texts: Texts) -> list[str]:
    """Advice to reopen it under the balanced rules, where they may get further."""
    if state.reopened is not None or not suits_balanced(state):
        return []
    return [
        texts.say(
            "• More people asked for changes than left. With the balanced rules, wishes end nothing: choose them when "
            "you take it up again."
        )
    ]


def _what_changed(state: Negotiation, texts: Texts) -> list[str]:
    again = state.reopened
    if again is None:
        return []
    what = [
        (again.raw_input != state.raw_input, texts.say("The demand is said otherwise.")),
        (again.balanced, texts.say("It is decided by the balanced rules.")),
        (bool(again.also_ask), texts.count("{n} more is asked.", "{n} more are asked.", len(again.also_ask))),
    ]
    return [text for holds, text in what if holds]


RULES, POSSIBLE = "rules", "possible"
"""Names of the fields; the second exists if there are people who were possibly related and not asked."""

SAME: Final = "same"
MOST_NAMES: Final = 8


def _reopen(state: Negotiation, _: Reopen, texts: Texts) -> FormWords:
    above = texts.say("It goes on in the same place as a negotiation of its own, and everybody is asked anew.")
    shown = [*demand_fields(state, texts)]
    if state.policy.name != BALANCED:
        rules = [
            (SAME, texts.say("As before: {rules}", rules=_rules(state.policy, texts))),
            (BALANCED, texts.say("Balanced: {rules}", rules=_rules(PRESETS[BALANCED], texts))),
        ]
        chosen = BALANCED if suits_balanced(state) else SAME
        shown.append(choice_field(RULES, texts.say("When does it fail?"), rules, chosen))
    if state.reserve:
        options = [(POSSIBLE, texts.say("Ask these as well"))]
        shown.append(text_block(_possible(state, texts)))
        shown.append(multi_choice_field(POSSIBLE, texts.say("More people"), options))
    return FormWords(texts.say("Take it up again"), texts.say("Ask again"), [text_block(above)], own=shown)


def _reopened(_: Negotiation, view: SentView, _texts: Texts) -> Mapping[str, Any]:
    values: Values = view["state"]["values"]
    return {
        "raw_input": read_edit(view),
        "balanced": picked_option(values, RULES) == BALANCED,
        "asks_possible": POSSIBLE in picked_options(values, POSSIBLE),
    }


def _rules(policy: Policy, texts: Texts) -> str:
    if policy.by_needs:
        return texts.say("if something essential is lost, or refused in the end")
    if policy.fail_below is not None:
        return texts.say("if fewer than {percent}% accept", percent=policy.fail_below)
    rejections = policy.fail_on_rejections
    if rejections is None:
        return texts.say("if there is no majority at the end")
    if rejections.more:
        return texts.say("if more than {percent}% say no", percent=rejections.percent)
    return texts.say("if {percent}% or more say no", percent=rejections.percent)


def _possible(state: Negotiation, texts: Texts) -> str:
    """The people who were not asked; only the requester and admins read this."""
    fit = Fit()
    few = [bold_name(each.display_name, each.agent_id, fit) for each in state.reserve[:MOST_NAMES]]
    names = join_names(few, texts, len(state.reserve))
    return texts.say("Perhaps related, and not asked the first time: {names}", names=names)


REOPEN_FORM: Final = ActionForm(_reopen, _reopened)


def undo_button(state: Negotiation, texts: Texts) -> list[Block]:
    """Nothing where there is nothing to take back."""
    if not state.reversals.until:
        return []
    return [action_button(UNDO, state.channel_id, texts)]


def undo_line(state: Negotiation, texts: Texts) -> list[Block]:
    """Until when it can be taken back, in small print; nothing where it cannot."""
    if not state.reversals.until:
        return []
    until = local_time(state.reversals.until, texts)
    return [blocks.context(texts.say("It can be undone until {moment}.", moment=until))]


def ending_key(state: Negotiation, key: str) -> str:
    """The key of a post about how it ended, which is another one after each stop that was taken back.

    Args:
        key: of the first: a word, and what follows after a slash.
    """
    return key_after(len(state.reversals.stops), key)


def key_after(stops: int, key: str) -> str:
    if not stops:
        return key
    kind, slash, rest = key.partition("/")
    return f"{kind}-{stops + 1}{slash}{rest}"


def stops_taken_back(state: Negotiation, texts: Texts) -> Iterator[Post]:
    """What became of each message of the thread that said it was stopped."""
    for number, each in enumerate(state.reversals.stops):
        text = goes_on_line(each, texts)
        yield Post.from_card(
            key_after(number, "outcome"),
            text,
            partial(_said, text),
            stream=state.channel_id,
            texts=texts,
            is_late=True,
        )


def _said(text: str, _: Fit) -> list[Block]:
    return [blocks.section(text)]


def goes_on_line(back: StopTakenBack, texts: Texts) -> str:
    who = mention(back.by) or Fit().line(back.by, LONGEST_NAME) or "?"
    return texts.say("↩️ It was stopped, and {who} took that back: it goes on where it was.", who=who)


def not_after_all_line(state: Negotiation, texts: Texts, fit: Fit) -> list[str]:
    """Return that the plan is not carried out after all; empty if nobody took that back."""
    back = state.reversals.proceeding
    if back is None:
        return []
    who = mention(back.by) or fit.line(back.by, LONGEST_NAME) or "?"
    moment = local_time(back.at, texts)
    return [texts.say("↩️ {who} took back that this plan is carried out ({moment}).", who=who, moment=moment)]
