"""What everybody has promised with an agreed plan, and how it stands."""

from bot.texts import Texts
from bot.views.kit.mrkdwn import UNLIMITED, Fit
from bot.views.kit.story.model import Part, Table
from bot.views.negotiation.afterwards import standing_marks
from bot.views.negotiation.names import asked_on, bold_name, when_text
from bot.views.negotiation.voting.votes import agreed_by_rules
from engine.facts.circumstances import When
from engine.negotiation.afterwards.commitments import commitments
from engine.negotiation.state import Negotiation


def promised(state: Negotiation, texts: Texts, fit: Fit) -> list[Part]:
    """A row for each promise, then one for each that somebody could not keep; nothing where no plan was agreed."""
    rows, marks, by_rules = [], standing_marks(state, texts), agreed_by_rules(state)
    for each in commitments(state):
        what = fit.line(each.seat.role, UNLIMITED) or fit.line(each.seat.responsibility, UNLIMITED) or "…"
        when = when_text(each.when, texts, asked_on(state)) if each.when != When() else ""
        is_by_rules = each.agent_id in by_rules
        agreed = texts.say("○ the twin would, by simple rules") if is_by_rules else texts.say("✅ agreed")
        stands = marks.get(each.agent_id) or agreed
        rows.append((bold_name(each.seat.display_name, each.agent_id, fit), what, when or "–", stands))
    for gone in state.given_up.values():
        lacks = texts.say("; ").join(fit.line(each, UNLIMITED) for each in gone.lacks)
        rows.append(
            (
                bold_name(gone.display_name, gone.agent_id, fit),
                lacks or "–",
                "–",
                texts.say("🙏 cannot take part any more"),
            )
        )
    head = (texts.say("Who"), texts.say("What"), texts.say("When"), texts.say("How it stands"))
    return [Table(texts.say("What was promised, and how it stands"), head, rows)] if rows else []
