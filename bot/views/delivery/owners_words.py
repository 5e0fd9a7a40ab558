"""What a ticket, its people and what was made are called where its owner reads about it."""

from collections.abc import Sequence

from bot.texts import Texts
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.days import day_text
from bot.views.kit.mrkdwn import Fit, bold, channel_link, mention
from engine.delivery.outstanding import due_at
from engine.delivery.state import Delivery, Ticket
from engine.delivery.terms import Artifact, Owner, WorkerKind

LONGEST_TITLE = 140
LONGEST_NAME = 60


def ticket_name(ticket: Ticket, fit: Fit) -> str:
    """Its number and its title, for the middle of a sentence."""
    return f"{ticket.ticket_id} “{fit.line(ticket.task.title, LONGEST_TITLE)}”"


def owner_name(owner: Owner, texts: Texts, fit: Fit) -> str:
    if owner.kind is WorkerKind.PERSON:
        return mention(owner.user_id) or bold(fit.line(owner.name or owner.person_id, LONGEST_NAME)) or "?"
    return bold(fit.line(owner.name or owner.role_id, LONGEST_NAME)) or texts.say("nobody yet")


def until_text(state: Delivery, ticket: Ticket, texts: Texts, fit: Fit) -> str:
    """By when it has to be done; empty where no day was agreed."""
    if not ticket.task.deadline or due_at(state, ticket) is None:
        return ""
    return texts.say("by {day}", day=day_text(ticket.task.deadline, state.brief.today, texts, fit))


def why_text(state: Delivery, texts: Texts, fit: Fit) -> str:
    """Which goal it belongs to, who asked for that, and where everything about it is."""
    goal = fit.line(state.brief.title or state.brief.goal, 200) or "…"
    who, where = mention(state.requester_id), channel_link(state.place.channel)
    if who and where:
        return texts.say("Part of “{goal}”, which {who} asked for; its thread is in {channel}.",
                         goal=goal, who=who, channel=where)  # fmt: skip
    if who:
        return texts.say("Part of “{goal}”, which {who} asked for.", goal=goal, who=who)
    return texts.say("Part of “{goal}”.", goal=goal)


def artifact_text(made: Artifact, texts: Texts, fit: Fit) -> str:
    """What it is, and either its address or its file's name and size."""
    label = fit.line(made.label, 120)
    if made.is_link:
        return texts.say("{label}: {link}", label=label, link=fit.line(made.uri, 400))
    name = fit.line(made.uri.rpartition("/")[2], 80)
    if name == label:
        return texts.say("{file}, {size}", file=name, size=size_text(made.size_bytes, texts))
    return texts.say("{label}: {file}, {size}", label=label, file=name, size=size_text(made.size_bytes, texts))


def size_text(size: int, texts: Texts) -> str:
    if size < 1_000:
        return texts.count("{n} byte", "{n} bytes", size)
    if size < 1_000_000:
        return texts.say("{n} kB", n=round(size / 1_000))
    return texts.say("{n} MB", n=f"{size / 1_000_000:.1f}")


def failure_text(code: str, detail: str, texts: Texts, fit: Fit) -> str:
    """Why what a person has shown was not taken, in a sentence.

    Args:
        code: a `FailureCode`.
        detail: what happened, in a sentence for people; empty where nobody said.
    """
    own = texts.own(detail)
    told = fit.line(own, 300) if own != detail or texts.language == "en" else ""
    match code:
        case "artifact_refused":
            return told or texts.say("A file could not be taken. Give another one, or a link or a text instead.")
        case "evidence_missing":
            return texts.say("Something that is expected was not there. Show something for each result.")
        case "check_failed":
            return " ".join((texts.say("The check of it did not pass."), told)).strip()
        case "interrupted":
            return texts.say("ToWow was restarted while it was looked at. Please send it once more.")
        case _:
            return told or texts.say("It could not be looked at. Please send it once more.")


def sent_above(before: Ticket, made: Artifact, texts: Texts) -> Block:
    """What stands above the file."""
    fit = Fit()
    return blocks.context(
        texts.say("From {ticket} – {what}", ticket=ticket_name(before, fit), what=artifact_text(made, texts, fit))
    )


def not_sent(missing: Sequence[Artifact], texts: Texts) -> str:
    fit = Fit()
    names = texts.say(", ").join(fit.line(each.label, 80) for each in missing)
    return texts.say("Not everything could be sent: {names}. Please try again in a moment.", names=names)
