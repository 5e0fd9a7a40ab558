"""Private notices about a negotiation: short, kind, and never the text of an exception."""

from collections.abc import Callable, Mapping, Sequence

from bot.texts import Texts
from bot.views.kit import notices
from bot.views.kit.mrkdwn import safe_line
from bot.views.negotiation.voting.votes import LOOKS
from engine.errors import NotAColleague, NotAllowed, Refusal, UnknownAgent, UnknownStream
from engine.negotiation.errors import InvalidDemand, InvalidOffer, InvalidVote, ProposalOut, StaleVote, UnknownDemand
from engine.negotiation.offers.offers import MOST_CONDITIONS
from engine.negotiation.state import Seat
from engine.negotiation.terms import LONGEST_DEMAND
from engine.negotiation.voting.kinds import FeedbackType


def nobody_ran_it(texts: Texts) -> str:
    return texts.say(
        "Nobody ran this workflow, so nobody was asked anything. Begin it with a link, a button or a form that "
        "somebody uses."
    )


def recorded(vote: FeedbackType, texts: Texts, seat: Seat | None = None) -> str:
    """``seat``: given where the person voted for somebody else."""
    text = LOOKS[vote].thanks(texts)
    text += " " + texts.say("You can change your mind until the round closes.")
    if seat is None:
        return text
    return texts.say("For {name}: {text}", name=safe_line(seat.display_name or seat.agent_id, 60), text=text)


def not_your_wish(texts: Texts) -> str:
    return texts.say(
        "Only whoever asked for it can say that it was meant otherwise. Nothing was changed. What you want for your "
        "own part, say with *Negotiate…*."
    )


def wish_is_over(texts: Texts) -> str:
    return texts.say(
        "There is nothing to say otherwise any more, so nothing was changed. If it still matters, say it in the thread."
    )


def nothing_prepared(texts: Texts) -> str:
    return texts.say("Your twin has prepared no vote here, so nothing was changed. Choose one yourself.")


def help_offered_already(texts: Texts) -> str:
    return texts.say("You have offered your help already, thank you. You are told by direct message what is decided.")


def no_help_needed(texts: Texts) -> str:
    return texts.say(
        "Thank you for offering your help! Nobody else is needed here any more. There is nothing for you to do."
    )


def not_your_helper(texts: Texts) -> str:
    return texts.say(
        "Only whoever asked, or an admin, decides who else is asked. Nothing was changed. If you know whether they "
        "could help, say so in the thread."
    )


def help_decided_already(texts: Texts) -> str:
    return texts.say("That was decided already, so nothing was changed. The thread shows how it stands.")


def cannot_be_asked_now(texts: Texts) -> str:
    return texts.say(
        "Nobody can join just now, so nothing was changed. While offers are open, or once the plan lacks something, "
        "you can ask them."
    )


def refused(refusal: Refusal, texts: Texts) -> str:
    match refusal:
        case StaleVote(is_open=True):
            return texts.say(
                "That button is from an earlier version of this round’s plan, so nothing was changed. The round is "
                "open: read the plan as it stands in the newest message, and vote there."
            )
        case StaleVote():
            return texts.say(
                "That button is from a round that is over, so nothing was changed. If there is a newer proposal, it "
                "has a message of its own, further down."
            )
        case NotAllowed():
            return texts.say(
                "That is for somebody else to decide, so nothing was changed. Everyone votes for their own part; "
                "whoever asked votes for parts that belong to no one here, and may stop the negotiation, as may "
                "an admin. If you have no part in it, say in the thread what you think."
            )
        case UnknownAgent():
            return texts.say(
                "There is no such part in this proposal, so nothing was changed. The newest message has the parts "
                "that there are."
            )
        case UnknownDemand() | UnknownStream():
            return texts.say("We cannot find this negotiation any more. If it still matters, ask anew.")
        case InvalidOffer():
            return texts.say(
                "Say in a few words what is contributed; with conditions, name at least one, one on each line, "
                "{most} at most.",
                most=MOST_CONDITIONS,
            )
        case NotAColleague():
            return texts.say(
                "Choose a colleague of this workspace: neither yourself nor a bot, and nobody from another company or "
                "whose account was closed."
            )
        case InvalidVote():
            return texts.say("Please say in a few words what should change, or why you are leaving.")
        case InvalidDemand():
            return empty_demand(texts)
        case ProposalOut():
            return demand_stands(texts)
        case _:
            return notices.refused(refusal, texts)


def refused_as(said: Mapping[type[Refusal], Callable[[Texts], str]]) -> Callable[[Refusal, Texts], str]:
    """Return how the refusals of one action are worded.

    Args:
        said: what is said of some kinds of refusal; the others are worded as everywhere.
    """

    def worded(refusal: Refusal, texts: Texts) -> str:
        for kind, words in said.items():
            if isinstance(refusal, kind):
                return words(texts)
        return refused(refusal, texts)

    return worded


def empty_demand(texts: Texts) -> str:
    return texts.say(
        "Tell me what you need in a sentence or two (up to {most} characters): what, for how many, when and where.",
        most=LONGEST_DEMAND,
    )


def unusable_demand(text: str, texts: Texts) -> str:
    """Why the text cannot be a demand."""
    if len(text) <= LONGEST_DEMAND:
        return empty_demand(texts)
    return texts.say(
        "Your message has {length} characters, and I read {most} at most. Shorten it to what you need, for how many, "
        "when and where.",
        length=len(text),
        most=LONGEST_DEMAND,
    )


def no_own_seat(texts: Texts) -> str:
    return texts.say(
        "You have no part in this proposal. You asked for it: say with “Ask for a change…” what should be different."
    )


def no_seat(texts: Texts) -> str:
    return texts.say("You have no part in this proposal. If you would like to help, say so in the thread.")


def offers_closed(texts: Texts) -> str:
    return texts.say("The offers are closed, so nothing was changed. The proposal made of them can be voted on.")


def demand_stands(texts: Texts) -> str:
    return texts.say(
        "A proposal is out, so the demand stands as it is and nothing was changed. Stop it and ask anew instead."
    )


def demand_has_ended(texts: Texts) -> str:
    return texts.say("This has ended, so nothing was changed. If you still need it, reopen it or ask anew.")


def nothing_to_decide(texts: Texts) -> str:
    return texts.say(
        "There is nothing to decide about what is missing any more, so nothing was changed. The first card of the "
        "thread shows how it stands."
    )


def no_offer(texts: Texts) -> str:
    return texts.say(
        "None of these offers is yours to correct, so nothing was changed. If you would like to help, say so in the "
        "thread."
    )


def nothing_to_delegate(texts: Texts) -> str:
    return texts.say(
        "You have no part here that you could let somebody else decide for, so nothing was changed. Only the "
        "person a part belongs to can do that, as long as they take part. Ask them if somebody else should "
        "decide."
    )


def not_for_you(texts: Texts) -> str:
    return texts.say(
        "Only the person who was asked, and whom they let decide for them, can read that. Ask them about it."
    )


def only_the_requester(texts: Texts) -> str:
    return texts.say(
        "Only the person who asked can ask for a change of the whole plan, so nothing was changed. For your own part, "
        "vote *Negotiate…*."
    )


def goes_ahead_already(texts: Texts) -> str:
    return texts.say("It was decided already that this plan is carried out; the card says by whom and when.")


def reopened_already(texts: Texts) -> str:
    return texts.say("It was taken up again already; it goes on further down.")


def stopped(texts: Texts) -> str:
    return texts.say("Stopped. The thread says so.")


def replies_change_nothing(texts: Texts) -> str:
    return texts.say(
        "I do not read replies, so nothing was changed: votes are given, and a demand is edited, with the buttons. If "
        "you need something else, send it to me as a new message."
    )


def usage(command: str, texts: Texts) -> str:
    """What ``/towow help`` says."""
    return texts.say(
        "*ToWow helps a group agree.*\n"
        "• `{command} what you need` – say what, for how many, when and where. Colleagues who could help are asked "
        "through their digital twins, and a plan is woven that everyone can answer.\n"
        "• Or mention me with your demand in a channel, send it to me as a direct message, or choose *Turn into a "
        "demand* on any message.\n"
        "• `{command} status` – where you can still vote, and how your demands stand.\n"
        "• My *Home* tab – your digital twin and what it must never agree to, your votes, your demands.\n"
        "• In the thread: *Accept*, *Negotiate…* or *Withdraw…*. Your own vote always beats your twin’s.",
        command=command,
    )


def not_your_promise(texts: Texts) -> str:
    return texts.say(
        "That is somebody else’s part, so nothing was changed. Whoever has a part in the plan says themselves "
        "that they cannot any more, or their delegate does. Write to them."
    )


def given_up_already(texts: Texts) -> str:
    return texts.say("That was said already, so nothing was changed. The thread shows how it goes on.")


def too_late_to_undo(texts: Texts) -> str:
    return texts.say("That cannot be undone any more, so nothing was changed. Ask anew instead.")


def group_is_asked(group: str, asked: int, later: int, left_out: int, beyond: int, texts: Texts) -> str:
    """Say to whoever mentioned a user group in a demand who of it is asked.

    Args:
        asked: at once.
        later: who is asked for what these leave open, since only so many are asked at a time.
        left_out: who has no twin.
        beyond: who has one, and is too many for one demand.
    """
    if not asked and not later and not beyond:
        return texts.say("Nobody of {group} has a twin here, so whom I ask follows from the demand alone.", group=group)
    told = [
        texts.count(
            "{n} person of {group} is asked first, and others for what is missing then.",
            "{n} people of {group} are asked first, and others for what is missing then.",
            asked,
            group=group,
        )
    ]
    if later:
        told.append(
            texts.count(
                "{n} more may be asked if something is left open then.",
                "{n} more may be asked if something is left open then.",
                later,
            )
        )
    if left_out:
        told.append(
            texts.count(
                "{n} has no twin here, so nobody asks them.", "{n} have no twins here, so nobody asks them.", left_out
            )
        )
    if beyond:
        told.append(
            texts.count(
                "{n} is left out, since a group may be too large to be asked.",
                "{n} are left out, since a group may be too large to be asked.",
                beyond,
            )
        )
    return " ".join(told)


def too_many_groups(groups: Sequence[str], most: int, texts: Texts) -> str:
    return texts.say(
        "A demand can name {most} groups at most, so these are not asked first: {groups}",
        most=most,
        groups=texts.listed(groups),
    )


def unknown_group(group: str, texts: Texts, *, is_forbidden: bool) -> str:
    if is_forbidden:
        return texts.say(
            "I may not see who is in {group}, so whom I ask follows from the demand alone. An admin can allow it.",
            group=group,
        )
    return texts.say("Slack does not say who is in {group}, so whom I ask follows from the demand alone.", group=group)


def asked_by_group(group: str, texts: Texts) -> str:
    """Why somebody is asked."""
    return texts.say("The demand names {group}.", group=group)


def not_shared(texts: Texts) -> str:
    return texts.say("I could not post there. Invite me with `/invite @ToWow`, or choose another channel.")


def maybe_shared(texts: Texts) -> str:
    return texts.say("I cannot tell whether it arrived. Look there before you share it again.")
