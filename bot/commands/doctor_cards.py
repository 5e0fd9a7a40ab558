"""What ``towow doctor --live`` finds of cards and forms: Slack checks one of each kind, and shows none of them."""

import asyncio
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from msgspec.structs import replace
from slack_sdk.web.async_client import AsyncWebClient

from bot.commands.findings import Finding, Health
from bot.commands.oracle import oracle_parts, scenarios_in
from bot.demo.oracle.playing import play
from bot.models import needed_prompts
from bot.posts.failures import CALL_ERRORS, CallFailed, Refused, Throttled, failure
from bot.protocol_row import Protocol
from bot.texts import texts_in
from bot.views.directory.every_form import every_form
from bot.views.kit.home_part import Agenda
from bot.views.kit.post import Post
from engine.files import kept_folder
from engine.files.profiles import load_profiles
from engine.kernel import Place

ABOUT: Final = "cards"
SCENARIOS: Final = "evals/cards.yaml"
"""In the folder of the prompts: what is played to have them."""
THERE: Final = Place(channel="C0000000000", thread="1800000000.000100", message_ts="1800000000.000100")
INVALID: Final = frozenset({"invalid_blocks", "invalid_message", "invalid_view"})
LONGEST_WAIT: Final = 60.0
"""Seconds that Slack may have us wait for one check."""
MOST_FAULTS: Final = 3
"""Faults of one card that are told."""

_NUMBER: Final = re.compile(r"-(?:T-)?\d.*|/.*")
"""What tells the posts of a kind apart in their keys."""


class Card(NamedTuple):
    name: str
    """The protocol and the kind of the card, such as ``negotiation: offers``."""
    payload: Mapping[str, str]
    """The argument of Slack's method, as JSON."""


async def cards(client: AsyncWebClient, protocols: Sequence[Protocol]) -> list[Finding]:
    """Have Slack check each kind of card once."""
    drawn = await draw(protocols)
    faults: list[Finding] = []
    for each in drawn:
        try:
            faults += await _checked(client, each)
        except CallFailed as failed:
            said = f"after {len(faults)} faults, Slack did not check {each.name}: {failed.why}"
            return [*faults, Finding(ABOUT, Health.DOUBTFUL, said, "try again later; nothing was posted")]
    return faults or [Finding(ABOUT, Health.FINE, f"Slack takes all {len(drawn)} kinds")]


async def draw(protocols: Sequence[Protocol]) -> list[Card]:
    """Return the largest card of each kind, of streams that are played here with perfect answers."""
    parts, prompts = oracle_parts(protocols), needed_prompts(protocols)
    messages: dict[str, Post] = {}
    homes: dict[str, Sequence[Mapping[str, Any]]] = {}
    forms: dict[str, str] = {}
    for named in scenarios_in(kept_folder.folder("prompts") / SCENARIOS, parts):
        part, states = parts[named.scenario.protocol], list[Any]()
        await play(named.scenario, part, prompts, watch=states.append)
        for state in (replace(each, place=THERE) for each in states):
            for post in _posts(part.row, state):
                kind = f"{part.row.name}: {_NUMBER.sub('', post.key)}"
                messages[kind] = max(post, messages.get(kind, post), key=_size)
            drawn = part.row.forms(state, texts_in("en")) if part.row.forms else ()
            _keep(part.row.name, drawn, forms)
            if (home := _home(part.row, state)) and len(home) > len(homes.get(part.row.name, ())):
                homes[part.row.name] = home
    _keep("Home", _of_the_home_tab(protocols), forms)
    views = {f"{name}: Home": {"type": "home", "blocks": [*drawn]} for name, drawn in homes.items()}
    return [
        *(
            Card(name, {"message": json.dumps({"text": each.text, "blocks": each.blocks})})
            for name, each in messages.items()
        ),
        *(Card(name, {"view": json.dumps(each)}) for name, each in views.items()),
        *(Card(name, {"view": each}) for name, each in forms.items()),
    ]


def _keep(whose: str, drawn: Iterable[Mapping[str, Any]], forms: dict[str, str]) -> None:
    """Keep the largest form of each kind, as JSON."""
    for each in drawn:
        kind, form = f"{whose}: form “{each.get('callback_id') or each['title']['text']}”", json.dumps(each)
        forms[kind] = max(form, forms.get(kind, ""), key=len)


def _of_the_home_tab(protocols: Sequence[Protocol]) -> Iterator[Mapping[str, Any]]:
    """Yield the forms of everybody in the demo."""
    policies = [(each.settings, next(iter(each.policies.values()))) for each in protocols if each.settings]
    for profile in load_profiles(kept_folder.folder("profiles")).values():
        yield from every_form(profile, policies, texts_in("en"))


def _posts(row: Protocol, state: Any) -> Iterator[Post]:
    if row.presenter is not None:
        yield from row.presenter.posts(state, lambda _user, _key: "en")


def _home(row: Protocol, state: Any) -> Sequence[Mapping[str, Any]]:
    """Return what somebody's Home shows of a stream, to whom it is all of everything."""
    if row.home is None or row.presenter is None:
        return ()
    agenda = Agenda(asked=[state], undecided=[state], own=[state], promised=[state])
    it = row.home.draw(agenda, row.presenter.requester(state), texts_in("en"))
    return [*it.asked, *it.undecided, *it.promised, *it.own]


def _size(post: Post) -> tuple[bool, int]:
    return post.has_newer, len(json.dumps(post.blocks))


async def _checked(client: AsyncWebClient, card: Card) -> Sequence[Finding]:
    """Have Slack check one card.

    Raises:
        CallFailed: Slack has not checked it.
    """
    while True:
        try:
            # slack_sdk's own method puts it into the address, where a long form has no room.
            await client.api_call("blocks.validate", data={**card.payload})
        except CALL_ERRORS as error:
            failed = failure(error)
            if isinstance(failed, Throttled) and failed.seconds <= LONGEST_WAIT:
                await asyncio.sleep(failed.seconds)
                continue
            if not isinstance(failed, Refused) or failed.why not in INVALID:
                raise failed from error
            return [_fault(card, getattr(error, "response", None))]
        return []


def _fault(card: Card, response: Any) -> Finding:
    told = [each for each in (response.get("errors") or ()) if isinstance(each, dict)] if response is not None else []
    said = "; ".join(f"{each.get('message')} at {each.get('pointer')}" for each in told[:MOST_FAULTS])
    advice = "report it with this line; where Slack refuses a card, its text is posted instead"
    return Finding(ABOUT, Health.DOUBTFUL, f"{card.name} is refused: {said or 'Slack does not say why'}", advice)
