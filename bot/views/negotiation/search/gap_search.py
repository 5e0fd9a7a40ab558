"""Lines about what an agreed plan lacks, and about the search for it, for cards and files."""

from collections.abc import Iterator

from bot.texts import Texts
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.mrkdwn import Fit, until_time
from bot.views.negotiation.agreement.failure_reasons import outcome_reason
from bot.views.negotiation.names import join_names, name_in_thread
from bot.views.negotiation.voting.votes import rules_speak
from engine.negotiation.answers import normalized_gap
from engine.negotiation.events import RecursionDecided, SubnetCompleted, SubnetFailed
from engine.negotiation.plan.told_needs import NOT_COVERED, needs_now
from engine.negotiation.search.gaps import GapSearch, gap_searches
from engine.negotiation.state import Negotiation, Subnet
from engine.negotiation.terms import Outcome

MOST_GAPS = 10


def card(state: Negotiation, texts: Texts, fit: Fit) -> list[Block]:
    lines = [_line(state, each, texts, fit) for each in fit.first(gap_searches(state), MOST_GAPS)]
    return blocks.titled_list(texts.say("*What the plan lacks*"), lines)


def other_gaps(state: Negotiation, gaps: tuple[str, ...]) -> list[str]:
    """The gaps that the plan itself names, without those that were found as gaps too, or are a need that is known to be
    missing.
    """
    names = [normalized_gap(each.gap.gap_type) for each in gap_searches(state)]
    needed = {normalized_gap(each.what) for each in needs_now(state) if each.status in NOT_COVERED}
    named = [(each, normalized_gap(each)) for each in gaps]
    return [each for each, gap in named if gap not in needed and not any(name in gap for name in names)]


def found_text(state: Negotiation, names: str, texts: Texts) -> str:
    if rules_speak(state):
        return texts.say("○ Found by simple rules: {names}", names=names)
    return texts.say("✅ Found: {names}", names=names)


def running_searches(state: Negotiation, texts: Texts, fit: Fit) -> str:
    """The gaps that are still searched for; empty if there are none."""
    running = [each.triggered.gap_type for each in state.subnets.values() if each.is_running]
    return texts.say(", ").join(fit.line(each, 60) for each in running)


def _line(state: Negotiation, lack: GapSearch, texts: Texts, fit: Fit) -> str:
    name, reason = fit.line(lack.gap.gap_type, 80), fit.line(lack.gap.reason, 160)
    head = f"• {name} – {reason}" if reason else f"• {name}"
    became = "\n".join(search_result(state, lack, texts, fit))
    return f"{head}\n{became}" if became else head


def search_result(state: Negotiation, lack: GapSearch, texts: Texts, fit: Fit) -> Iterator[str]:
    if not lack.matters:
        yield texts.say("It would be nice to have, so nobody else is asked.")
        return
    match lack.subnet:
        case Subnet(completed=SubnetCompleted() as done):
            names = [
                name_in_thread(state, each.agent_id, fit, each.display_name)
                for each in fit.first(done.found.assignments, 5)
            ]
            yield found_text(state, join_names(names, texts), texts)
        case Subnet(failed=SubnetFailed(reason=Outcome.CANCELLED)):
            yield texts.say("▫️ The search was stopped; the plan stays as it is.")
        case Subnet(failed=SubnetFailed(reason=Outcome.NEGOTIATION_TIMEOUT)):
            yield texts.say("▫️ Nobody was found in time; the plan stays as it is.")
        case Subnet(failed=SubnetFailed() as failed):
            reason = outcome_reason(failed.reason, state.policy, texts)
            yield texts.say("▫️ Nobody was found: {why}. The plan stays as it is.", why=reason)
        case Subnet(triggered=triggered):
            until = until_time(triggered.deadline, texts)
            yield texts.say("⏳ Other colleagues are being asked, until {moment} at the latest.", moment=until)
        case None if state.recursion is not None:
            yield _not_looked_for(state.recursion, texts, fit)


def _not_looked_for(decided: RecursionDecided, texts: Texts, fit: Fit) -> str:
    conditions = (
        (decided.condition_1_met, decided.condition_1_analysis),
        (decided.condition_2_met, decided.condition_2_analysis),
        (decided.condition_3_met, decided.condition_3_analysis),
    )
    reason = next((fit.line(analysis, 200) for met, analysis in conditions if not met and analysis), "")
    if not reason:
        return texts.say("Nobody else is asked for it.")
    return texts.say("Nobody else is asked for it: {why}", why=reason)
