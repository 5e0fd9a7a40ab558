"""What a refusal says that whoever is refused can do instead: for every sentence that a refused click may be told."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from bot.texts import texts_in
from bot.views.deliberation import notices as deliberation
from bot.views.delivery import notices as delivery
from bot.views.delivery import owners_refusals as tickets
from bot.views.directory import notices as directory
from bot.views.kit import notices
from bot.views.kit.export import form as exports
from bot.views.kit.story import buttons as pages
from bot.views.negotiation import notices as negotiation
from engine import errors
from engine.deliberation.errors import CarriedOut
from engine.delivery.errors import InvalidEvidence, InvalidPlan, NamedForApproval, UnknownTicket
from engine.delivery.errors import InvalidText as InvalidTicketText
from engine.directory.errors import InvalidProfile, InvalidSettings
from engine.negotiation.errors import InvalidDemand, InvalidOffer, InvalidVote, StaleVote, UnknownDemand

Words = Callable[[Any], str]


BY_SENTENCE: Final[Mapping[Words, str]] = {
    # of every protocol
    notices.seen_before: "nothing more to do",
    notices.not_yours: "Write to them in the thread",
    notices.not_found: "Look at the newest message",
    notices.impossible_now: "Look at the newest message",
    notices.changed_meanwhile: "Close it, and open it again",
    notices.nothing_to_hand_over: "Wait until it has ended",
    notices.too_much_open: "Please send it again in ten minutes",
    notices.answer_missing: "A few words are enough",
    notices.outsider: "Ask somebody here to post it",
    notices.not_here: "Invite me with",
    notices.not_between: "Ask in a channel, or write to me",
    notices.archived_channel: "Choose another one",
    notices.not_installed: "Whoever manages apps here can install it again",
    notices.went_wrong: "please try again",
    notices.edits_change_nothing: "is changed with its buttons",
    notices.edits_begin_nothing: "post it as a new message",
    notices.company_not_known: "post it again in a moment",
    exports.not_for_guests: "Ask one of them",
    exports.no_meeting: "Choose another format",
    exports.not_invited: "ask for it again in a moment",
    exports.nothing_to_export: "export it then",
    exports.no_days: "Choose another format",
    pages.no_pages: "Ask an admin",
    pages.not_for_you: "Ask one of them",
    # a negotiation's
    negotiation.not_your_wish: "say with *Negotiate…*",
    negotiation.wish_is_over: "say it in the thread",
    negotiation.help_offered_already: "You are told by direct message",
    negotiation.no_help_needed: "There is nothing for you to do",
    negotiation.not_your_helper: "say so in the thread",
    negotiation.help_decided_already: "The thread shows how it stands",
    negotiation.cannot_be_asked_now: "you can ask them",
    negotiation.nothing_prepared: "Choose one yourself",
    negotiation.no_own_seat: "say with “Ask for a change…”",
    negotiation.no_seat: "say so in the thread",
    negotiation.offers_closed: "can be voted on",
    negotiation.demand_stands: "Stop it and ask anew",
    negotiation.demand_has_ended: "reopen it or ask anew",
    negotiation.nothing_to_decide: "The first card of the thread shows how it stands",
    negotiation.no_offer: "say so in the thread",
    negotiation.nothing_to_delegate: "Ask them",
    negotiation.not_for_you: "Ask them about it",
    negotiation.only_the_requester: "vote *Negotiate…*",
    negotiation.goes_ahead_already: "the card says by whom and when",
    negotiation.reopened_already: "further down",
    negotiation.replies_change_nothing: "send it to me as a new message",
    negotiation.empty_demand: "Tell me what you need",
    negotiation.not_your_promise: "Write to them",
    negotiation.given_up_already: "The thread shows how it goes on",
    negotiation.too_late_to_undo: "Ask anew",
    # the others'
    deliberation.planned_already: "it is in the thread",
    delivery.begun_already: "the board is in the thread",
    tickets.same_person: "Choose somebody else",
    tickets.nobody_chosen: "Choose a colleague",
    directory.not_your_directory: "Ask one of them",
    directory.no_room_to_tell: "Take one out",
    directory.nobody_there: "Your Home tab shows",
    directory.no_colleague: "Choose somebody else",
}
"""Sentences that say a thing of their own."""

BY_REFUSAL: Final[tuple[tuple[Callable[[errors.Refusal, Any], str], errors.Refusal, str], ...]] = (
    (negotiation.refused, StaleVote("", is_open=True), "vote there"),
    (negotiation.refused, StaleVote(""), "further down"),
    (negotiation.refused, errors.NotAllowed(""), "say in the thread what you think"),
    (negotiation.refused, errors.UnknownAgent(""), "The newest message has the parts"),
    (negotiation.refused, UnknownDemand(""), "ask anew"),
    (negotiation.refused, errors.UnknownStream(""), "ask anew"),
    (negotiation.refused, InvalidOffer(""), "Say in a few words"),
    (negotiation.refused, errors.NotAColleague(""), "Choose a colleague"),
    (negotiation.refused, InvalidVote(""), "Please say in a few words"),
    (negotiation.refused, InvalidDemand(""), "Tell me what you need"),
    (deliberation.refused, errors.NotAllowed(""), "say in the thread what you think"),
    (deliberation.refused, errors.UnknownStream(""), "have it planned anew"),
    (deliberation.refused, errors.InvalidInput(""), "Say it in a few words"),
    (deliberation.refused, CarriedOut(""), "Tell whoever has the task"),
    (deliberation.refused, errors.IllegalStep(""), "Look at its card"),
    (delivery.refused, NamedForApproval(""), "name somebody else"),
    (delivery.refused, errors.NotAllowed(""), "say in the thread what you think"),
    (delivery.refused, UnknownTicket(""), "Look at the board"),
    (delivery.refused, errors.UnknownStream(""), "begin it anew"),
    (delivery.refused, InvalidPlan(""), "Change the plan"),
    (delivery.refused, InvalidEvidence(""), "Show something for each"),
    (delivery.refused, errors.InvalidInput(""), "Say it in a few words"),
    (delivery.refused, errors.Outdated(""), "Look at the newest message"),
    (delivery.refused, errors.IllegalStep(""), "Look at the board"),
    (tickets.refused, errors.NotAColleague(""), "Choose a colleague"),
    (tickets.refused, errors.NotAllowed(""), "Write to them"),
    (tickets.refused, UnknownTicket(""), "Look at the board"),
    (tickets.refused, InvalidEvidence(""), "Show something for each"),
    (tickets.refused, InvalidTicketText(""), "Say it in a few words"),
    (tickets.refused, errors.IllegalStep(""), "Look at it as it stands now"),
    (directory.refused, InvalidProfile(""), "everybody has one twin at most"),
    (directory.refused, InvalidSettings(""), "Name somebody else first"),
)
"""Refusals that are worded by their kind: the words, the refusal, and what they say can be done."""

OF_OTHERS: Final[frozenset[Words]] = frozenset(
    {
        negotiation.stopped, negotiation.nobody_ran_it, negotiation.not_shared, negotiation.maybe_shared,
        directory.twin_suits, directory.twin_paused,
        directory.twin_resumed, notices.from_before_the_restore, notices.not_taken_yet,
        notices.nothing_begins_here, exports.not_exported, exports.maybe_exported, exports.not_in_channel,
        exports.no_files_scope, delivery.file_sent, exports.archived, notices.maybe_twice,
    }
)  # fmt: skip
"""What is said by these modules and is no answer to a click that was refused."""


def what_they_can_do(said: str) -> str:
    """Return the part of a refusal that says what can be done instead; empty where it has none."""
    english = texts_in("en")
    for words, part in BY_SENTENCE.items():
        if words(english) == said:
            return part if part in said else ""
    for worded, refusal, part in BY_REFUSAL:
        if worded(refusal, english) == said:
            return part if part in said else ""
    return ""
