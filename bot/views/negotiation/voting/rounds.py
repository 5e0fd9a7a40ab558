"""The message of each round: the proposal, what changed, the votes, and buttons while the round is open."""

from bot.texts import Texts
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.menu import row
from bot.views.kit.mrkdwn import Fit, until_time
from bot.views.kit.post import Post
from bot.views.negotiation.button_values import COMPARE, VersionsButton, VoteButton
from bot.views.negotiation.names import requester
from bot.views.negotiation.plan import marks, plan
from bot.views.negotiation.plan.marks import Marks, troubles
from bot.views.negotiation.plan.times import no_time_line, other_times_button, then_line
from bot.views.negotiation.voting.votes import agreed_by_rules, asked_by_requester, tally_line, vote_buttons, vote_list
from engine.negotiation.agreement.endings import held_back_by
from engine.negotiation.policy import Share
from engine.negotiation.state import Negotiation, Round, Status
from engine.negotiation.terms import Proposal, Verdict
from engine.negotiation.voting.between_rounds import Follows, follows
from engine.negotiation.voting.tally import is_silent


def round_post(state: Negotiation, number: int, texts: Texts) -> Post:
    """``number`` counts the rounds whose proposal went out, from 0."""
    shown = state.rounds[number]
    is_open = is_votable(state, shown)
    return Post.from_card(
        round_key(shown),
        _notification(state, shown, texts, is_open=is_open),
        lambda fit: _card(state, number, texts, fit, is_open=is_open),
        stream=state.channel_id,
        texts=texts,
        restored=is_open,
        is_for_participants=True,
        is_urgent=is_open,
        whole=texts.say("Show the whole plan") if is_open else texts.say("Show"),
    )


def round_key(shown: Round) -> str:
    return f"round-{shown.number}"


def is_votable(state: Negotiation, shown: Round) -> bool:
    return state.current is shown and shown.tally is None


def round_title(state: Negotiation, shown: Round, texts: Texts) -> str:
    return texts.say(
        "Proposal {version} · round {round} of {most}",
        version=shown.version,
        round=shown.number,
        most=state.most_rounds,
    )


def _notification(state: Negotiation, shown: Round, texts: Texts, *, is_open: bool) -> str:
    title = round_title(state, shown, texts)
    if is_open:
        summary = Fit().line(state.proposals[shown.version - 1].summary, 200)
        return texts.say("{title}: please have a look. {summary}", title=title, summary=summary)
    return texts.say("{what}: {detail}", what=title, detail=tally_line(state, shown, texts, is_open=False))


def _card(state: Negotiation, number: int, texts: Texts, fit: Fit, *, is_open: bool) -> list[Block]:
    """An open round shows what is new and who still has to answer, a closed one its tally; the rest is a click away."""
    if fit.only_whole():
        return _whole(state, number, texts, fit, is_open=is_open)
    shown = state.rounds[number]
    title = round_title(state, shown, texts)
    if not is_open:
        return [blocks.section(_in_short(state, shown, texts))]
    proposal = state.proposals[shown.version - 1]
    return [
        blocks.header(title),
        *_news(state, number, proposal, texts, fit),
        *blocks.sections([_missing(state, texts, fit)]),
        *_times(state, shown, texts),
        *_troubles(state, number, proposal, texts, fit),
        *_request(state, shown, texts, fit),
        *asked_by_requester(state, shown, texts, fit),
        *vote_list(state, shown, texts, fit, is_open=True),
        blocks.context(_deadline(state, shown, texts, fit)),
        row(
            _buttons(state, shown, texts),
            [*other_times_button(state, shown, texts), *_compare(state, number, texts)],
        ),
    ]


def _whole(state: Negotiation, number: int, texts: Texts, fit: Fit, *, is_open: bool) -> list[Block]:
    shown = state.rounds[number]
    proposal = state.proposals[shown.version - 1]
    return [
        blocks.header(round_title(state, shown, texts)),
        blocks.section(fit.text(proposal.summary, 1_200) or "…"),
        *_difference(state, number, proposal, texts, fit),
        *plan.roles(state, texts.say("*Who does what*"), proposal.assignments, texts, fit),
        *marks.in_round(state, shown, texts, fit),
        *plan.timeline(state, proposal, texts, fit),
        *_times(state, shown, texts),
        *_troubles(state, number, proposal, texts, fit),
        *plan.conditions(state, proposal, texts, fit),
        *plan.gaps(proposal.gaps, texts, fit),
        *(marks.clashes_in_plan(state, texts, fit) if is_open else []),
        *_request(state, shown, texts, fit),
        blocks.divider(),
        *vote_list(state, shown, texts, fit, is_open=is_open),
        blocks.context(_deadline(state, shown, texts, fit) if is_open else _closing(state, shown, texts)),
    ]


def _troubles(state: Negotiation, number: int, proposal: Proposal, texts: Texts, fit: Fit) -> list[Block]:
    """What is broken or doubted, besides the wishes that stand among what was not taken up."""
    is_told = number and state.rounds[number - 1].version != proposal.version
    wishes = [*(each.agent_id for each in proposal.assignments), state.requester_id] if is_told else []
    return troubles(state, proposal, Marks.of(state, proposal), texts, fit, wishes)


def _missing(state: Negotiation, texts: Texts, fit: Fit) -> str:
    """What this version lacks, and who is taken by another plan; empty where that is nothing."""
    lacked = marks.missing_now(state, texts, fit)
    lines = [texts.say("❌ Missing: {what}", what=texts.say("; ").join(lacked))] if lacked else []
    return "\n".join([*lines, *filter(None, [marks.clashes_line(state, texts, fit)])])


def _times(state: Negotiation, shown: Round, texts: Texts) -> list[Block]:
    """When it takes place if all can, and that no time fits where none does."""
    said = (then_line, no_time_line)
    lines = [line for each in said if (line := each(state, shown.version, texts))]
    return [blocks.context("\n".join(lines))] if lines else []


def _compare(state: Negotiation, number: int, texts: Texts) -> list[Block]:
    """A button that puts this version beside the one before; nothing where it is the first, or the same."""
    shown = state.rounds[number]
    if not number or state.rounds[number - 1].version == shown.version:
        return []
    button = VersionsButton(stream=state.channel_id, version=shown.version)
    return [blocks.button(texts.say("Compare versions"), COMPARE, button.value())]


def _news(state: Negotiation, number: int, proposal: Proposal, texts: Texts, fit: Fit) -> list[Block]:
    """What the round puts to the vote: in the first one the plan in short, later what differs from the last version."""
    if number and (differs := _difference(state, number, proposal, texts, fit)):
        return differs
    return [blocks.section(fit.text(proposal.summary, 600) or "…")]


def _difference(state: Negotiation, number: int, proposal: Proposal, texts: Texts, fit: Fit) -> list[Block]:
    if number and state.rounds[number - 1].version == proposal.version:
        return [blocks.context(texts.say("The same proposal once more; nothing in it has changed."))]
    return plan.changes(state, proposal, texts, fit)


def _request(state: Negotiation, shown: Round, texts: Texts, fit: Fit) -> list[Block]:
    """The change that the requester asks for."""
    if shown.request is None:
        return []
    text = texts.say("💬 {who} asks for a change", who=requester(state, fit))
    return [blocks.section(texts.say("{what}: {detail}", what=text, detail=fit.text(shown.request.text, 600)))]


def _deadline(state: Negotiation, shown: Round, texts: Texts, fit: Fit) -> str:
    count = tally_line(state, shown, texts, is_open=True)
    needed = texts.say("{percent}% are needed", percent=state.policy.finalize_at)
    lines = [f"{count} · {needed}"]
    if shown.window.deadline:
        lines.append(texts.say("Open until {moment}", moment=until_time(shown.window.deadline, texts)))
    if shown.window.is_again:
        lines.append(texts.say("I was not there when the time was over, so there is more of it."))
    if state.is_secret(shown):
        lines.append(texts.say("What was voted is shown here once this round is over."))
    undecided = [seat for seat in shown.seats.values() if seat.human is None]
    if any(seat.user_id and not seat.prepares for seat in undecided):
        lines.append(texts.say("A twin’s vote stands unless its person decides otherwise."))
    if not all(seat.user_id for seat in undecided):
        lines.append(texts.say("{who} may answer for those who are not here themselves.", who=requester(state, fit)))
    return "\n".join(lines)


def _in_short(state: Negotiation, shown: Round, texts: Texts) -> str:
    count, why = tally_line(state, shown, texts, is_open=False), _why_in_short(state, shown, texts)
    return texts.say("*{title}*: {count}. {why}", title=round_title(state, shown, texts), count=count, why=why)


def _why_in_short(state: Negotiation, shown: Round, texts: Texts) -> str:
    match shown.tally.decision if shown.tally else None:
        case Verdict.FORCE_FINALIZE if not agreed_by_rules(state):
            return texts.say("The plan goes ahead with those who agreed.")
        case Verdict.NEXT_ROUND if (
            follows(state, shown) is Follows.NEXT
            and _wishes(shown)
            and not is_silent(shown.counted.of_those_who_stay)
            and not _holding(state, shown, texts)
        ):
            return texts.say("A new version follows.")
        case _:
            return _why(state, shown, texts)


def _closing(state: Negotiation, shown: Round, texts: Texts) -> str:
    count = tally_line(state, shown, texts, is_open=False)
    return f"{count}\n{_why(state, shown, texts)}"


def _why(state: Negotiation, shown: Round, texts: Texts) -> str:
    """Why it went on, or ended."""
    if shown.tally is None:
        if state.status is Status.CANCELLED:
            return texts.say("Stopped before this round was over.")
        return texts.say("This round was not finished.")
    needed = state.policy.finalize_at
    if state.final and shown is state.rounds[-1] and agreed_by_rules(state):
        return texts.say("That is enough for a draft: where no person has voted, simple rules have.")
    match shown.tally.decision:
        case Verdict.FINALIZE:
            return texts.say("That is enough: the plan stands.")
        case Verdict.NEXT_ROUND | Verdict.SUBSTITUTE if said := follows_text(follows(state, shown), texts):
            return said
        case Verdict.SUBSTITUTE:
            return texts.say("The next version follows.")
        case Verdict.FORCE_FINALIZE if shown.number < state.policy.max_rounds:
            return texts.say("The plan goes ahead with those who agreed.")
        case Verdict.FORCE_FINALIZE:
            return texts.say("That was the last round: the plan goes ahead with those who agreed.")
        case Verdict.FAIL:
            return texts.say("This is where it ended, without agreement.")
        case Verdict.NEXT_ROUND if any(seat.closed for seat in shown.seats.values()) and not _wishes(shown):
            return texts.say(
                "Somebody’s account was closed, so it goes on without them, and the others are asked again."
            )
        case Verdict.NEXT_ROUND if is_silent(shown.counted.of_those_who_stay):
            return texts.say("Too few have answered, so everyone is asked once more.")
        case Verdict.NEXT_ROUND if holding := _holding(state, shown, texts):
            if _wishes(shown):
                return texts.say("It does not hold without {who}: a new version follows.", who=holding)
            return texts.say("It does not hold without {who}, so everyone is asked once more.", who=holding)
        case Verdict.NEXT_ROUND if _wishes(shown):
            return texts.say("{percent}% are needed, so a new version follows.", percent=needed)
        case Verdict.NEXT_ROUND:
            return texts.say("{percent}% are needed, so everyone is asked once more.", percent=needed)


def _holding(state: Negotiation, shown: Round, texts: Texts) -> str:
    """Without whose accept it does not hold, where enough are in favour."""
    policy, tally = state.policy, shown.counted.of_those_who_stay if state.policy.by_needs else shown.counted
    if not Share(percent=policy.finalize_at).reached_by(tally.accepts, tally.total) or state.is_secret(shown):
        return ""
    held = held_back_by(state, shown)
    named = [seat.display_name for agent_id, seat in shown.seats.items() if agent_id in held]
    return texts.say(", ").join(Fit().line(each, 48) for each in named)


def follows_text(what: Follows, texts: Texts) -> str:
    """What is done between two rounds; empty where the next one simply follows."""
    match what:
        case Follows.ASKED:
            return texts.say("Somebody the plan depends on has left; a replacement is being asked.")
        case Follows.TAKEN_OVER:
            return texts.say("Somebody the plan depends on has left; who has offered the same takes it over.")
        case Follows.LOST:
            return texts.say("Somebody the plan depends on has left, and nobody is left to ask.")
        case Follows.REPEATED:
            return texts.say("Too few have answered the same version twice.")
        case Follows.UNCHANGED:
            return texts.say("No other plan came of what is asked for, so whoever asked decides.")
        case Follows.NEXT:
            return ""


def _wishes(shown: Round) -> bool:
    """Whether anybody objects, so that there was something to change."""
    return any(seat.vote and seat.vote.feedback_type.kind.objects for seat in shown.seats.values())


def _buttons(state: Negotiation, shown: Round, texts: Texts) -> tuple[Block, ...]:
    button = VoteButton(stream=state.channel_id, round=shown.number, digest=shown.digest)
    return vote_buttons(button, state.kinds_of_vote, texts)
