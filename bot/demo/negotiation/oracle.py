"""Scenarios of negotiations: what people do in them, and what came of it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from bot.demo.negotiation.oracle_answers import numbered, usual
from bot.demo.oracle.part import Asked, OraclePart, Played, fits
from bot.demo.oracle.scenarios import AGENT, Act, Expects, PersonWritten, Planted, Scenario
from bot.protocol_row import Protocol
from engine.directory.profile import LONGEST_SUMMARY, SHORTEST_SUMMARY, Profile, Profiles
from engine.errors import Misconfigured
from engine.kernel import Action, Command, FieldKind, Millis, plain, plain_texts
from engine.llm.port import Question
from engine.negotiation import commands
from engine.negotiation.actions import ACTIONS
from engine.negotiation.answers import OfferDecision
from engine.negotiation.asks import RETURNS
from engine.negotiation.commands import SubmitDemand
from engine.negotiation.plan.marks import Mark, limit_marks_of, marks_of
from engine.negotiation.plan.told_needs import needs_now
from engine.negotiation.policy import FOR_PEOPLE, Policy
from engine.negotiation.state import Negotiation, Seat, Status


def act(scenario: Scenario, said: Act, state: Negotiation, command_id: str, at: Millis) -> Command | None:
    """Return the command; None as long as it is not time for it."""
    if said.do not in ACTS:
        raise Misconfigured([f"`{said.do}` is nothing that a person does; there are: {', '.join(ACTS)}"])
    if not _is_time(said.at, state):
        return None
    fields = {"command_id": command_id, "at": at, "by": _user(scenario, said.by)}
    return ACTS[said.do](scenario, dict(said.with_), state, fields)


def _is_time(when: str, state: Negotiation) -> bool:
    name, _, number = when.partition(" ")
    match name:
        case "offers":
            return state.status is Status.COLLECTING
        case "question":
            return state.awaits_answer
        case "decision":
            return state.awaits_decision
        case "round":
            return state.current is not None and state.current.number == int(number)
        case "end":
            return not state.is_open
    raise Misconfigured([f"`{when}` is no time for an act; see docs/oracle.md"])


def _user(scenario: Scenario, who: str) -> str:
    if who == "requester":
        return scenario.requester
    return (scenario.people[who].user or scenario.requester) if who in scenario.people else who


Fields = dict[str, Any]
Make = Callable[[Scenario, Fields, Negotiation, Fields], Command]


def _agent(said: Fields) -> str:
    return AGENT + str(said["for"])


def _made(rows: Sequence[Action[Negotiation]]) -> Make:
    """Return how the rows of one act are made into its command.

    Args:
        rows: the scenario chooses one of several by what stands after the point of their names.
    """

    def make(scenario: Scenario, said: Fields, state: Negotiation, fields: Fields) -> Command:
        chosen = said.get("vote", said.get("choice"))
        found = [each for each in rows if len(rows) == 1 or each.name.partition(".")[2] == chosen]
        if not found:
            raise Misconfigured([f"`{chosen}` is nothing that can be chosen here; see docs/oracle.md"])
        [action] = found
        latest = state.rounds[-1] if state.rounds else None
        about: Fields = {"to": said.get("to", "")}
        about |= {each.name: said.get("text", "") for each in action.fields if each.kind is FieldKind.TEXT}
        if latest is not None:
            about |= {"round": latest.number, "digest": latest.digest}
        if isinstance(said.get("for"), str):
            about["agent_id"] = _agent(said)
        elif "for" in said:
            about["agent_ids"] = tuple(AGENT + each for each in said["for"])
        return action.command_of(about, as_admin=bool(said.get("as_admin")), **fields)

    return make


def _offer(scenario: Scenario, said: Fields, state: Negotiation, fields: Fields) -> Command:
    return commands.CorrectOffer(
        **fields,
        agent_id=_agent(said),
        decision=OfferDecision(said.get("decision", "participate")),
        contribution=said.get("contribution", ""),
        conditions=tuple(said.get("conditions", ())),
        reason=said.get("reason", ""),
        covers=tuple(said["covers"]) if "covers" in said else None,
        brings=said.get("brings", 1),
    )


def _stop(scenario: Scenario, said: Fields, state: Negotiation, fields: Fields) -> Command:
    return commands.Cancel(**fields, reason=said.get("text", ""), as_admin=bool(said.get("as_admin")))


def _offer_help(scenario: Scenario, said: Fields, state: Negotiation, fields: Fields) -> Command:
    name = scenario.people[said["for"]].name
    return commands.OfferHelp(
        **fields,
        agent_id=_agent(said),
        display_name=name,
        text=said["text"],
        has_twin=True,
        covers=tuple(said.get("covers", ())),
    )


def _answer_help(scenario: Scenario, said: Fields, state: Negotiation, fields: Fields) -> Command:
    choice = "ask" if said.get("ask", True) else "decline"
    return _BY_ROWS["answer_help"](scenario, said | {"choice": choice}, state, fields)


_BY_ROWS: Final = {
    act: _made([each for each in ACTIONS if each.audited_as == act])
    for act in dict.fromkeys(each.audited_as for each in ACTIONS)
}
ACTS: Final[Mapping[str, Make]] = {
    **_BY_ROWS,
    "edit": _BY_ROWS["edit_demand"],
    "correct_offer": _offer,
    "stop": _stop,
    "offer_help": _offer_help,
    "answer_help": _answer_help,
}
"""The actions as the audit calls them, and what takes more than their rows say."""


CHANNEL: Final = "collab-00000001"
EXPECTS: Final[Expects] = {
    **dict.fromkeys(("status", "outcome"), str),
    **dict.fromkeys(("rounds", "versions", "gaps", "open_requests"), int),
    **dict.fromkeys(("asked", "members", "confirmed", "uncovered", "untouched", "masked"), list[str]),
    **dict.fromkeys(("marks", "doubted", "limits"), list[dict[str, Any]]),
    **dict.fromkeys(("offers", "needs"), dict[str, Any]),
    "votes": dict[int, dict[str, str]],
}


def profiles(scenario: Scenario) -> Profiles:
    return Profiles({AGENT + short: _profile(short, each) for short, each in scenario.people.items()})


def _profile(short: str, person: PersonWritten) -> Profile:
    said = person.profile or f"{person.name}."
    times = -(-(SHORTEST_SUMMARY + 1) // (len(said) + 1))
    summary = " ".join([said] * max(1, times))[:LONGEST_SUMMARY].strip()
    tags = person.tags or ("general",)
    fields: dict[str, Any] = {
        "agent_id": AGENT + short,
        "user_name": person.name,
        "profile_summary": summary,
        "location": person.city,
        "tags": tags,
        "capabilities": person.capabilities or {tags[0]: person.profile or person.name},
        "availability": person.availability or "any",
        "slack_user": person.user,
        "languages": person.languages or ("any",),
        "limits": person.limits,
        "preferences": person.preferences,
        "from_now_on": person.from_now_on,
        "limit_data": person.limit_data,
    }
    return Profile.model_validate(fields)


def policy(scenario: Scenario) -> Policy:
    said = {"preset": scenario.policy} if isinstance(scenario.policy, str) else dict(scenario.policy)
    chosen = FOR_PEOPLE[said.pop("preset", "balanced")]
    return Policy.model_validate(chosen.model_dump() | said)


def begin(scenario: Scenario, at: Millis) -> tuple[str, Command]:
    submitted = SubmitDemand(
        command_id="oracle",
        at=at,
        demand_id="d-00000001",
        channel_id=CHANNEL,
        requester_id=scenario.requester,
        raw_input=scenario.demand,
        policy=policy(scenario),
        time_zone=scenario.time_zone,
        locale=scenario.locale,
    )
    return CHANNEL, submitted


def place(scenario: Scenario, prompt: str, question: Question[Any]) -> Asked:
    given = question.given
    profile = given.get("profile")
    who = profile.agent_id.removeprefix(AGENT) if isinstance(profile, Profile) else ""
    number = int(given.get("round", 0)) if isinstance(given.get("round", 0), int) else 0
    if prompt == "verify" and not number:
        proposal = given.get("proposal")
        number = getattr(proposal, "version", 0)
    subnet = ""
    if question.charged_to and "demand" in given:
        sought = given["demand"].surface_demand
        subnet = next((each for each in scenario.subnets if each in sought), sought)
    return Asked(prompt, who, number, subnet)


def see(scenario: Scenario, state: Negotiation, asked: Sequence[str]) -> dict[str, Any]:
    """Return what came of it, in short names and data."""
    plan = state.final.final_proposal if state.final else state.proposal
    needs = needs_now(state)
    return {
        "status": state.status.value,
        "outcome": state.outcome.value if state.outcome else "",
        "rounds": len(state.rounds),
        "versions": len(state.proposals),
        "asked": sorted(map(_short, state.invited)),
        "offers": {_short(each): offer.decision.value for each, offer in sorted(state.offers.items())},
        "members": sorted(_short(each.agent_id) for each in plan.assignments) if plan else [],
        "confirmed": sorted(map(_short, state.final.confirmed_participants)) if state.final else [],
        "needs": {each.need_id: sorted(map(_short, each.covered_by)) for each in needs},
        "uncovered": [each.need_id for each in needs if each.status.value in ("missing", "partly")],
        "gaps": len(state.gaps.gaps) if state.gaps else 0,
        "votes": {
            str(each.number): {_short(seat.agent_id): _voted(seat) for seat in each.seats.values()}
            for each in state.rounds
        },
        "open_requests": len(state.open_requests()),
        "marks": [*_marks(state)],
        "limits": [*_limit_marks(state)],
    }


def _short(agent_id: str) -> str:
    return agent_id.removeprefix(AGENT)


def _voted(seat: Seat) -> str:
    vote = seat.vote
    if vote is None:
        return "silent"
    return vote.feedback_type.value + (f" ({vote.source.value})" if vote.source.value != "agent" else "")


def _marks(state: Negotiation) -> Iterator[dict[str, Any]]:
    """Those of each version, and of what was agreed with whoever was found afterwards."""
    agreed = [state.final.final_proposal] if state.final else []
    for proposal in (*state.proposals, *(each for each in agreed if each not in state.proposals)):
        for each in marks_of(state, proposal):
            yield _mark(each, proposal.version)


def _limit_marks(state: Negotiation) -> Iterator[dict[str, Any]]:
    """What its owner alone is told of each confirmed limit."""
    for agent_id in state.invited:
        for number, each in enumerate(limit_marks_of(state, agent_id), 1):
            kind = {"broken": "broken", "kept": "checked"}.get(each.verdict.value, "said")
            yield {"owner": _short(agent_id), "number": number, "kind": kind}


def _mark(mark: Mark, version: int) -> dict[str, Any]:
    """Without what is empty."""
    said = {
        "version": version,
        "about": mark.about,
        "kind": mark.kind.value,
        "who": _short(mark.agent_id),
        "need": mark.need_id,
        "number": mark.number,
    }
    return {name: each for name, each in said.items() if each}


# ── what came out wrong ───────────────────────────────────────────────────────────────────────────────────────────


def faults(scenario: Scenario, played: Played) -> list[str]:
    seen, wrong = played.seen, [*played.refused]
    for name, wanted in scenario.expect.items():
        match name:
            case "marks" | "limits":
                wrong += [f"no mark is {each}" for each in wanted if not _has(seen[name], each)]
            case "doubted":
                doubted = [each for each in seen["marks"] if each["kind"] == "doubted"]
                wrong += [f"nothing doubts {each}" for each in wanted if not _has(doubted, each)]
            case "untouched":
                texts = [*plain_texts(plain(played.state))]
                wrong += [f"nowhere stands {each!r}" for each in wanted if not any(each in text for text in texts)]
            case "masked":
                said = (played.state.proposals, played.state.final, played.state.offers, played.state.rounds)
                shown = [*plain_texts(plain(said))]
                wrong += [f"it still says {each!r}" for each in wanted if any(each in text for text in shown)]
            case "votes":
                for number, votes in wanted.items():
                    found = seen["votes"].get(str(number), {})
                    wrong += [
                        f"round {number}: {who} voted {found.get(who)!r}, not {vote!r}"
                        for who, vote in votes.items()
                        if found.get(who) != vote
                    ]
            case "offers" | "needs":
                wrong += [
                    f"{name}: {key} is {seen[name].get(key)!r}, not {each!r}"
                    for key, each in wanted.items()
                    if seen[name].get(key) != (sorted(each) if isinstance(each, list) else each)
                ]
            case _:
                wanted = sorted(wanted) if isinstance(wanted, list) else wanted
                if seen[name] != wanted:
                    wrong.append(f"{name} is {seen[name]!r}, not {wanted!r}")
    expected = scenario.expect.get("marks", ())
    broken = [each for each in seen["marks"] if each["kind"] == "broken" and not any(fits(m, each) for m in expected)]
    wrong += [f"a cross stands on right data: {each}" for each in broken]
    wrong += [f"a right answer was asked for again: {each}" for each in sorted(played.questioned)]
    return [*wrong, *_overwritten(scenario, played)]


def _has(found: Sequence[Mapping[str, Any]], wanted: Mapping[str, Any]) -> bool:
    return any(fits(wanted, each) for each in found)


def _overwritten(scenario: Scenario, played: Played) -> list[str]:
    """Return the sentences of the plans that a scenario says, and that no version of the plan has as they were said."""
    state: Negotiation = played.state
    kept = {*plain_texts(plain(state.proposals))}
    joined = "\n".join(kept)
    said: list[str] = []
    plans = [scenario.answers.get(each, {}) for each in ("aggregate", "adjust")]
    first = plans[0] if isinstance(plans[0], Mapping) else {}
    if state.proposals:
        said += [str(first[each]) for each in ("summary", "objective", "rationale") if each in first]
        for seat in first.get("assignments", ()):
            said += [str(seat[each]) for each in ("role", "responsibility", "notes") if each in seat]
    return [f"a sentence of the plan was rewritten: {each!r}" for each in said if each.strip() not in joined]


# ── planted errors ────────────────────────────────────────────────────────────────────────────────────────────────


def caught(scenario: Scenario, planted: Planted, right: Played, wrong: Played) -> set[str]:
    by: set[str] = set()
    before = [str(each) for each in (*right.seen["marks"], *right.seen["limits"])]
    after = [each for each in (*wrong.seen["marks"], *wrong.seen["limits"]) if each["kind"] == "broken"]
    if any(str(each) not in before for each in after):
        by.add("mark")
    if wrong.questioned - right.questioned:
        by.add("fault")
    state: Negotiation = wrong.state
    shown = plain((state.proposals, state.offers, state.invited, state.final, state.rounds))
    if isinstance(planted.value, str) and not any(planted.value in each for each in plain_texts(shown)):
        by.add("masked" if planted.kind == "secret" else "refused")
    if isinstance(planted.value, int) and planted.value not in _numbers(plain(state.proposals)):
        by.add("refused")
    if isinstance(planted.value, Mapping) and not any(_holds(each, planted.value) for each in shown):
        by.add("refused")
    if wrong.seen["open_requests"] > right.seen["open_requests"]:
        by.add("open")
    if _accepts(right.state) - _accepts(wrong.state):
        by.add("vote")
    return by


def _holds(value: Any, wanted: Mapping[str, Any]) -> bool:
    """Whether a record with these fields, as far as they are no prose, stands anywhere in it."""
    match value:
        case dict():
            data = {name: each for name, each in wanted.items() if name not in ("quote", "responsibility", "source")}
            is_it = all(value.get(name) == each for name, each in data.items())
            return is_it or any(_holds(each, wanted) for each in value.values())
        case list() | tuple():
            return any(_holds(each, wanted) for each in value)
        case _:
            return False


def _numbers(value: Any) -> Iterator[int]:
    match value:
        case bool():
            return
        case int():
            yield value
        case dict():
            for each in value.values():
                yield from _numbers(each)
        case list() | tuple():
            for each in value:
                yield from _numbers(each)


def _accepts(state: Negotiation) -> set[tuple[int, str]]:
    return {
        (each.number, seat.agent_id)
        for each in state.rounds
        for seat in each.seats.values()
        if seat.vote is not None and seat.vote.feedback_type.kind.agrees
    }


def part(row: Protocol) -> OraclePart:
    return OraclePart(
        row=row,
        returns=RETURNS,
        expects=EXPECTS,
        begin=begin,
        profiles=profiles,
        place=place,
        usual=usual,
        numbered=numbered,
        act=act,
        goes_on=lambda state: state.is_open or state.is_searching,
        see=see,
        faults=faults,
        caught=caught,
    )
