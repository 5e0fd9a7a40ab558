"""What somebody has to decide, each in a message of its own, which says afterwards who decided what."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from bot.texts import Texts
from bot.views.delivery.board import cost_text, raise_budget
from bot.views.delivery.button_values import (
    ALLOW_ONCE,
    ALLOW_TICKET,
    ANSWER,
    APPROVE,
    CHANGES,
    CHECKING,
    CLARIFY,
    DROP,
    OWNER,
    OWNERS,
    REFUSE,
    RESET,
    ClarifyButton,
    TicketButton,
)
from bot.views.delivery.checking import checker_text, is_without_checker
from bot.views.delivery.forms_leading import MOST_OWNERS
from bot.views.delivery.names import blocked_for_them, failure_text, owner_name, shown_for_them, ticket_title, whoever
from bot.views.delivery.owners_asked import proposal_buttons, proposed
from bot.views.delivery.proof import proof, unread_text
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.button_values import StreamButton
from bot.views.kit.menu import row
from bot.views.kit.mrkdwn import Fit, mention, plain_line
from bot.views.kit.post import Post
from engine.delivery.state import AskedDecision, AskedPermission, Clarification, Delivery, Status, Ticket
from engine.delivery.terms import MANAGER, PermissionKind, PersonNeed
from engine.delivery.tickets.owners import checker_of, decider_of
from engine.delivery.work.working import unread
from engine.kernel import Millis

TWO_ANSWERS: Final = frozenset({PersonNeed.PERMISSION, PersonNeed.REVIEW, PersonNeed.CONSENT})
"""What is answered in one of two ways that stand side by side."""
MOST_SETTLED: Final = 40
"""Lines of a card that say who has got what."""


def decisions(state: Delivery, texts: Texts) -> list[Post]:
    """The oldest first, so that each new one comes below all that were there."""
    asked = [_clarification(state, each, texts) for each in state.clarifications]
    together = ownerless(state)
    alone = [each for each in _all(state) if all(each not in some for some in together.values())]
    found = [(each.at, _decision(state, ticket, each, texts)) for ticket, each in alone]
    found += [(at, _owners(state, at, some, texts)) for at, some in together.items()]
    return [*asked, *(post for _, post in sorted(found, key=lambda pair: pair[0]))]


def ownerless(state: Delivery) -> Mapping[Millis, Sequence[tuple[Ticket, AskedDecision]]]:
    """Return the tickets of which several were asked about at once because nobody has them, by when that was.

    What somebody added has a card of its own, also where it came in the same millisecond: the card of what was asked
    before stands already. What an earlier ToWow asked for each ticket by itself keeps a card of its own.
    """
    found: dict[Millis, list[tuple[Ticket, AskedDecision]]] = {}
    for ticket, asked in _all(state):
        if asked.is_together and not ticket.added_by:
            found.setdefault(asked.at, []).append((ticket, asked))
    return {at: some for at, some in found.items() if len(some) > 1}


def _owners(state: Delivery, at: Millis, some: Sequence[tuple[Ticket, AskedDecision]], texts: Texts) -> Post:
    """One question about all of them; each line says afterwards who has it."""
    left = [ticket for ticket, asked in some if is_open(state, ticket, asked)]

    def card(fit: Fit) -> list[Block]:
        by_urgency = sorted(some, key=lambda each: not is_open(state, *each))  # what still waits, is seen first
        lines = [_whose(state, ticket, asked, texts, fit) for ticket, asked in by_urgency]
        if not left:
            return [blocks.context(line) for line in lines[:MOST_SETTLED]]
        who = mention(decider_of(state, left[0], PersonNeed.OWNER)) or "?"
        told = texts.count(
            "{who}, {n} ticket has nobody yet. Who does it?", "{who}, {n} tickets have nobody yet. Who does which?",
            len(left), who=who,
        )  # fmt: skip
        value = StreamButton(stream=state.session_id).value()
        choose = blocks.button(texts.say("Choose for all…"), OWNERS, value, style="primary")
        return [blocks.section(told), *blocks.sections(fit.first(lines, MOST_OWNERS)), blocks.actions(choose)]

    said = texts.say("Tickets that nobody has yet: who does which?")
    return Post.from_card(f"owners-{at}", said, card, stream=state.session_id, texts=texts, restored=bool(left))


def _whose(state: Delivery, ticket: Ticket, asked: AskedDecision, texts: Texts, fit: Fit) -> str:
    if not is_open(state, ticket, asked):
        return _settled(state, ticket, asked, texts, fit)
    title = f"• {ticket_title(ticket, fit, 120)}"
    if name := fit.line(ticket.owner.name, 60):
        why = texts.say("agreed for {name}, who has no account here", name=name)
        return f"{title} – {why}"
    return title


def _all(state: Delivery) -> Sequence[tuple[Ticket, AskedDecision]]:
    return [(ticket, each) for ticket in state.tickets.values() for each in ticket.decisions]


def is_open(state: Delivery, ticket: Ticket, asked: AskedDecision) -> bool:
    """Whether it still has to be decided."""
    return state.status is Status.WORKING and asked is ticket.open_decision


# ── what the Manager asks before it plans ─────────────────────────────────────────────────────────────────────────


def _clarification(state: Delivery, asked: Clarification, texts: Texts) -> Post:
    return Post.from_card(
        f"clarification-{asked.number}",
        texts.say("The Manager has questions: {question}", question=Fit().line(asked.questions[0].text, 160)),
        lambda fit: _questions(state, asked, texts, fit),
        stream=state.session_id,
        texts=texts,
        restored=asked is state.open_clarification,
    )


def _questions(state: Delivery, asked: Clarification, texts: Texts, fit: Fit) -> list[Block]:
    is_waiting = asked is state.open_clarification
    who = mention(state.requester_id) or "?"
    lines = [f"{number}. {fit.text(each.text, 500)}" for number, each in enumerate(asked.questions, 1)]
    if is_waiting:
        card = [blocks.section(texts.say("{who}, before it is planned, the Manager would like to know:", who=who))]
        card += blocks.sections(lines)
        value = ClarifyButton(stream=state.session_id, number=asked.number).value()
        return [*card, blocks.actions(blocks.button(texts.say("Answer…"), CLARIFY, value, style="primary"))]
    if asked.answers is None:
        return [blocks.context(texts.say("The Manager’s questions were not answered; it went on with what is known."))]
    by = whoever(state, asked.by, texts, fit)
    said = [
        f"{question}\n      ↳ {fit.text(answer, 500) or '–'}"
        for question, answer in zip(lines, asked.answers, strict=False)
    ]
    return [blocks.context(texts.say("{who} has answered the Manager’s questions.", who=by)), *blocks.sections(said)]


# ── what has to be decided about a ticket ─────────────────────────────────────────────────────────────────────────


def _decision(state: Delivery, ticket: Ticket, asked: AskedDecision, texts: Texts) -> Post:
    return Post.from_card(
        f"decision-{ticket.ticket_id}-{asked.number}",
        f"{ticket.ticket_id} {Fit().line(ticket.task.title, 120)}: {_question(state, ticket, asked, texts, Fit())}",
        lambda fit: _card(state, ticket, asked, texts, fit),
        stream=state.session_id,
        texts=texts,
        restored=is_open(state, ticket, asked),
    )


def _card(state: Delivery, ticket: Ticket, asked: AskedDecision, texts: Texts, fit: Fit) -> list[Block]:
    if not is_open(state, ticket, asked):
        return [blocks.context(_settled(state, ticket, asked, texts, fit))]
    who = mention(decider_of(state, ticket, asked.need)) or "?"
    head = f"{ticket_title(ticket, fit)}\n{who} {_question(state, ticket, asked, texts, fit)}"
    card = [blocks.section(head), *_details(state, ticket, asked, texts, fit)]
    found = buttons(state, ticket, asked, texts)
    answers = 2 if asked.need in TWO_ANSWERS else 1
    return [*card, row(found[:answers], found[answers:])]


def _question(state: Delivery, ticket: Ticket, asked: AskedDecision, texts: Texts, fit: Fit) -> str:
    owner = owner_name(state, ticket.owner, texts, fit)
    match asked.need:
        case PersonNeed.OWNER if asked.text.strip():
            return texts.say("{why} Who does it instead?", why=fit.line(asked.text, 300))
        case PersonNeed.OWNER:
            return texts.say("Nobody has this ticket yet. Who does it?")
        case PersonNeed.BLOCKED:
            if by := blocked_for_them(state, ticket, texts, fit):
                return texts.say("{by} says for {who} that they cannot go on without an answer:", by=by, who=owner)
            return texts.say("{who} cannot go on without an answer:", who=owner)
        case PersonNeed.PERMISSION:
            return texts.say("{who} asks for permission, and waits:", who=owner)
        case PersonNeed.CONSENT:
            return texts.say("{who} has not said, so that it could be read, whether it can be done so.", who=owner)
        case PersonNeed.REVIEW:
            if by := shown_for_them(state, ticket, texts, fit):
                return texts.say("{by} says for {who} that it is done. Is it what was wanted?", by=by, who=owner)
            return texts.say("{who} says that it is done. Is it what was wanted?", who=owner)
        case PersonNeed.FAILED:
            return texts.say("{who} has tried it and failed. How does it go on?", who=owner)
        case PersonNeed.BUDGET:
            return texts.say("It has cost what one ticket may. Does it go on?")


def _details(state: Delivery, ticket: Ticket, asked: AskedDecision, texts: Texts, fit: Fit) -> list[Block]:
    match asked.need:
        case PersonNeed.PERMISSION:
            permission = ticket.permissions.get(asked.digest)
            return _permission(permission, texts, fit) if permission else []
        case PersonNeed.CONSENT:
            return proposed(ticket.proposals[-1], texts, fit) if ticket.proposals else []
        case PersonNeed.REVIEW:
            reason = blocks.sections([fit.text(asked.text, 900)])
            if checker_of(state, ticket) != ticket.task.checked_by:
                reason.append(blocks.context(checker_text(state, ticket, texts, fit)))
            return [*reason, *proof(state, ticket, texts, fit, opens=True)]
        case PersonNeed.FAILED:
            last = next((each for each in reversed(ticket.attempts) if each.outcome), None)
            outcome, detail = (last.outcome, last.detail) if last else ("", "")
            why = failure_text(ticket.failure or outcome, fit.line(detail, 400), texts)
            tried = texts.count("It was tried {n} time.", "It was tried {n} times.", len(ticket.attempts))
            said = [fit.text(asked.text, 900)]
            return blocks.sections([" ".join(each for each in (why, tried) if each), *said])
        case PersonNeed.BUDGET:
            return [blocks.section(cost_text(ticket.spent, texts) or "…")]
        case PersonNeed.BLOCKED:
            said = [asked.text] if asked.text.strip() and asked.text != "\n".join(ticket.issues) else []
            return blocks.sections([fit.text(each, 900) for each in (*fit.first(ticket.issues, 6), *said)])
        case PersonNeed.OWNER:
            return []


def _permission(asked: AskedPermission, texts: Texts, fit: Fit) -> list[Block]:
    """What is asked, whole and unchanged: somebody decides about exactly this."""
    permission = asked.permission
    what, title = permission_kind(permission.kind, texts), fit.line(permission.title, 300)
    card = [blocks.section(texts.say("{what}: {detail}", what=what, detail=title) if title else what)]
    if permission.detail.strip():
        card.append(blocks.verbatim(fit.exact(permission.detail, blocks.LONGEST_SECTION) or "…"))
    digest = permission.digest.removeprefix("sha256:")[:16]
    return [*card, blocks.context(texts.say("What is asked has the digest {digest}.", digest=fit.line(digest, 20)))]


def permission_kind(kind: PermissionKind, texts: Texts) -> str:
    match kind:
        case "read" | "search":
            return texts.say("It wants to read")
        case "edit":
            return texts.say("It wants to change a file")
        case "delete":
            return texts.say("It wants to delete")
        case "move":
            return texts.say("It wants to move a file")
        case "execute":
            return texts.say("It wants to run a command")
        case "fetch":
            return texts.say("It wants to fetch something from the network")
        case _:
            return texts.say("It wants to do something")


def buttons(state: Delivery, ticket: Ticket, asked: AskedDecision, texts: Texts) -> list[Block]:
    value = TicketButton(
        stream=state.session_id,
        ticket=ticket.ticket_id,
        decision=asked.number,
        report=asked.report,
        digest=asked.digest,
    ).value()
    drop = _drop(value, texts)
    match asked.need:
        case PersonNeed.OWNER:
            return [blocks.button(texts.say("Choose…"), OWNER, value, style="primary"), drop]
        case PersonNeed.BLOCKED:
            answer = blocks.button(texts.say("Answer…"), ANSWER, value, style="primary")
            return [answer, _change_owner(value, texts), drop]
        case PersonNeed.PERMISSION:
            return [
                blocks.button(texts.say("Allow once"), ALLOW_ONCE, value, style="primary"),
                blocks.button(texts.say("Allow for this ticket"), ALLOW_TICKET, value),
                blocks.button(texts.say("Refuse"), REFUSE, value, style="danger"),
            ]
        case PersonNeed.CONSENT:
            return [*proposal_buttons(state, ticket, len(ticket.proposals), texts), _change_owner(value, texts), drop]
        case PersonNeed.REVIEW:
            changes = blocks.button(texts.say("Request changes…"), CHANGES, value)
            if is_without_checker(state, ticket):
                return [_choose_checker(value, texts, style="primary"), changes]
            sure = _sure(state, ticket, texts)
            approve = blocks.button(texts.say("Approve"), APPROVE, value, style="primary", **sure)
            is_another = checker_of(state, ticket) != ticket.task.checked_by
            return [approve, changes, *([_choose_checker(value, texts)] if is_another else [])]
        case PersonNeed.FAILED:
            reset = blocks.button(texts.say("Try again"), RESET, value, style="primary")
            return [reset, _change_owner(value, texts), drop]
        case PersonNeed.BUDGET:
            return [raise_budget(state, texts), drop]


def _sure(state: Delivery, ticket: Ticket, texts: Texts) -> dict[str, Any]:
    """Ask again whoever would approve what they have not opened."""
    left = unread(ticket, decider_of(state, ticket, PersonNeed.REVIEW))
    if not left:
        return {}
    names = texts.say(", ").join(plain_line(each.label, 60) or "…" for each in left[:4])
    told = texts.say("Your approval will say that you had not opened this: {names}", names=names)
    yes, no = texts.say("Approve unread"), texts.say("Look first")
    return {"confirm": blocks.confirm(texts.say("Approve it unread?"), told, yes=yes, no=no)}


def _change_owner(value: str, texts: Texts) -> Block:
    return blocks.button(texts.say("Change owner…"), OWNER, value)


def _choose_checker(value: str, texts: Texts, **look: str) -> Block:
    return blocks.button(texts.say("Choose who approves it…"), CHECKING, value, **look)


def _drop(value: str, texts: Texts) -> Block:
    return blocks.button(texts.say("Drop…"), DROP, value)


def _settled(state: Delivery, ticket: Ticket, asked: AskedDecision, texts: Texts, fit: Fit) -> str:
    """Return who decided what, or that the decision is no longer needed."""
    title, who = ticket_title(ticket, fit, 120), whoever(state, asked.by, texts, fit)
    match asked.outcome:
        case "approved":
            said = texts.say("✅ {ticket}: {who} has approved it.", ticket=title, who=who)
            is_last = asked.report == len(ticket.reports)
            left = unread_text(ticket, asked.by, texts, fit) if is_last and asked.by != MANAGER else ""
            return f"{said} {left}".strip()
        case "changes_requested":
            return texts.say("↩️ {ticket}: {who} has requested changes.", ticket=title, who=who)
        case "allow_once":
            what = fit.line(asked.text, 120)
            return texts.say("✅ {ticket}: {who} has allowed it once: {what}", ticket=title, who=who, what=what)
        case "allow_for_ticket":
            what = fit.line(asked.text, 120)
            return texts.say(
                "✅ {ticket}: {who} has allowed it for this ticket: {what}", ticket=title, who=who, what=what
            )
        case "refuse":
            what = fit.line(asked.text, 120)
            return texts.say("🚫 {ticket}: {who} has refused it: {what}", ticket=title, who=who, what=what)
        case "agreed":
            return texts.say("✅ {ticket}: {who} agrees that it is done as proposed.", ticket=title, who=who)
        case "suggested":
            return texts.say("✏️ {ticket}: {who} wants it done otherwise.", ticket=title, who=who)
        case "answered":
            return texts.say("✅ {ticket}: {who} has answered.", ticket=title, who=who)
        case "owner_changed":
            owner = owner_name(state, asked.given_to, texts, fit)
            return texts.say("✅ {ticket}: {who} has given it to {owner}.", ticket=title, who=who, owner=owner)
        case "dropped":
            return texts.say("➖ {ticket}: {who} has dropped it.", ticket=title, who=who)
        case "reset":
            return texts.say("🔁 {ticket}: {who} lets it be tried again.", ticket=title, who=who)
        case "budget_raised":
            return texts.say("✅ {ticket}: {who} has raised the budget.", ticket=title, who=who)
        case _:
            return texts.say("{ticket}: nobody has to decide this any more.", ticket=title)
