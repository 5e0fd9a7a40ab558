"""Scored negotiation games, played through the rules: does a valid deal that was on the table survive?

The games follow Abdelnabi et al., "Cooperation, Competition, and Maliciousness: LLM-Stakeholders Interactive
Negotiation" (2024); theirs are played as well, and others that were published, for two to seven parties. Parties have
secret scores for the options of several issues, and a minimum that a deal has to reach; two of them have a veto. Every
version of the plan is a deal. A party accepts a deal that reaches its minimum. Else it asks for the option that it
wants most, or, depending on its mood, rejects a deal that is far off and leaves one that is hopeless. Whoever proposes
knows only what was asked for. A deal is valid if both core parties and all others but one accept it. What is proposed
does not depend on how votes are counted, so that presets can be compared: a preset that ends before a valid deal comes
has not kept it.

``python -m tests.negotiation.games 2000 100000`` prints in how many of 2,000 games each preset keeps a valid deal, from
that seed on: of games that are made up, and of each published one, in which the seed decides what is proposed.
"""

import json
import random
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from engine.negotiation.answers import Assignment, ProposalDraft
from engine.negotiation.policy import PRESETS, Policy
from engine.negotiation.state import Negotiation, Status
from tests.negotiation.scenario import Scenario

Deal = tuple[int, ...]
"""The option that is chosen for each issue."""

SIZES: Final = range(5, 8)
"""How many parties play."""
MOST_DEALS: Final = 5
"""As many as the longest preset has rounds."""
HOPELESS: Final = 0.5
"""The share of its minimum below which a party may leave."""
PUBLISHED: Final = Path(__file__).with_name("published_games.json")
FAR_OFF: Final = 0.8
"""The share of its minimum below which a party may reject."""


@dataclass(frozen=True)
class Party:
    name: str
    is_core: bool
    scores: Sequence[Sequence[int]]
    """By issue and option."""
    minimum: int

    def worth(self, deal: Deal) -> int:
        return sum(options[chosen] for options, chosen in zip(self.scores, deal, strict=True))

    def accepts(self, deal: Deal) -> bool:
        return self.worth(deal) >= self.minimum

    def wish(self, deal: Deal) -> tuple[int, int]:
        """The issue and the option by which it would gain most."""
        gains = [
            (max(options) - options[chosen], issue)
            for issue, (options, chosen) in enumerate(zip(self.scores, deal, strict=True))
        ]
        _, issue = max(gains)
        return issue, self.scores[issue].index(max(self.scores[issue]))


@dataclass(frozen=True)
class Game:
    parties: Sequence[Party]
    deals: Sequence[Deal]
    """What is proposed, one after another, however the votes are counted."""
    moods: Mapping[tuple[str, int], float]
    """By party and deal, between 0 and 1: who is far from content leaves or rejects where it is low."""

    def is_valid(self, deal: Deal) -> bool:
        refusing = [each for each in self.parties if not each.accepts(deal)]
        return len(refusing) <= 1 and not any(each.is_core for each in refusing)

    def vote(self, party: Party, number: int) -> str:
        """The vote on the deal of this number, counted from 0."""
        deal, mood = self.deals[number], self.moods[party.name, number]
        if party.accepts(deal):
            return "accept"
        share = party.worth(deal) / party.minimum
        if share < HOPELESS and mood < 0.1 and not party.is_core:
            return "withdraw"
        return "reject" if share < FAR_OFF and mood < 0.3 else "negotiate"

    @property
    def had_a_valid_deal(self) -> bool:
        return any(self.is_valid(each) for each in self.deals)


def generated(seed: int) -> Game:
    dice = random.Random(seed)  # noqa: S311 - it deals cards and keeps no secret
    options = [dice.randint(3, 5) for _ in range(5)]
    parties = [
        _party(dice, f"party{number}", options, is_core=number < 2)
        for number in range(dice.randint(min(SIZES), max(SIZES)))
    ]
    return _dealt(dice, parties)


def published() -> Mapping[str, Sequence[Party]]:
    """Return the parties of each published game, by its name."""
    games = json.loads(PUBLISHED.read_text())["games"]
    return {
        name: [
            Party(f"party{number}", number < 2, scores, minimum)
            for number, (scores, minimum) in enumerate(zip(game["scores"], game["minimums"], strict=True))
        ]
        for name, game in games.items()
    }


def dealt(parties: Sequence[Party], seed: int) -> Game:
    """Return a game of these parties, in which the seed decides what is proposed and how they feel."""
    return _dealt(random.Random(seed), parties)  # noqa: S311 - it deals cards and keeps no secret


def _dealt(dice: random.Random, parties: Sequence[Party]) -> Game:
    deal: Deal = tuple(dice.randrange(len(options)) for options in parties[0].scores)
    deals = [deal]
    while len(deals) < MOST_DEALS:
        deal = _next_deal(dice, parties, deal)
        deals.append(deal)
    moods = {(each.name, number): dice.random() for each in parties for number in range(MOST_DEALS)}
    return Game(parties, deals, moods)


def _party(dice: random.Random, name: str, options: Sequence[int], *, is_core: bool) -> Party:
    weights = [dice.randint(5, 40) for _ in options]
    scores = [
        [weight, *(dice.randint(0, weight) for _ in range(count - 1))]
        for weight, count in zip(weights, options, strict=True)
    ]
    for each in scores:
        dice.shuffle(each)
    return Party(name, is_core, scores, round(sum(weights) * dice.uniform(0.6, 0.8)))


def _next_deal(dice: random.Random, parties: Sequence[Party], deal: Deal) -> Deal:
    """Grant a wish of somebody who is not content: most often one that several share, or one of a core party."""
    wishes = [each.wish(deal) for each in parties if not each.accepts(deal)]
    wishes += [each.wish(deal) for each in parties if each.is_core and not each.accepts(deal)]
    if not wishes:
        wishes = [dice.choice(parties).wish(deal)]
    common = max(wishes, key=lambda wish: (wishes.count(wish), dice.random()))
    issue, option = common if dice.random() < 0.7 else dice.choice(wishes)
    return tuple(option if number == issue else chosen for number, chosen in enumerate(deal))


def play(game: Game, policy: Policy) -> Negotiation:
    """Play a game to its end through the rules."""
    parties = {each.name: each for each in game.parties}
    played = policy.model_copy(update={"human_window": 0.0, "override_window": 0.0, "max_depth": 0})
    scenario = Scenario(policy=played).demand().understood().shortlisted(*parties)
    for name in parties:
        scenario.offers(name)
    while scenario.state.is_open:
        number = len(scenario.state.proposals)
        staying = [each for name, each in parties.items() if name not in scenario.state.withdrawn]
        seats = tuple(Assignment(agent_id=each.name, responsibility="its part", core=each.is_core) for each in staying)
        deal = game.deals[number]
        scenario.proposed(ProposalDraft(summary=f"Deal {number}: {deal}", assignments=seats))
        for name in scenario.state.rounds[-1].seats:
            issue, option = parties[name].wish(deal)
            scenario.twin(name, game.vote(parties[name], number), wish=f"option {option} of issue {issue}, please")
    return scenario.state


def keeps_valid_deal(game: Game, policy: Policy) -> bool:
    """Whether the game ends with a plan whose deal is valid, and nobody core has left."""
    state = play(game, policy)
    if state.status not in (Status.FINALIZED, Status.FORCE_FINALIZED) or state.final is None:
        return False
    return game.is_valid(game.deals[state.final.final_proposal.version - 1])


def share_kept(policy: Policy, games: Iterable[Game]) -> tuple[int, int]:
    """Return in how many games a valid deal was kept, and in how many there was one on the table."""
    had = [game for game in games if game.had_a_valid_deal]
    return sum(keeps_valid_deal(each, policy) for each in had), len(had)


def main(count: int = 2_000, first: int = 0) -> None:
    seeds = range(first, first + count)
    made_up = [*map(generated, seeds)]
    played = {f"{size} parties": [each for each in made_up if len(each.parties) == size] for size in SIZES}
    played |= {name: [dealt(parties, seed) for seed in seeds] for name, parties in published().items()}
    for name, policy in PRESETS.items():
        print(name)
        for which, games in played.items():
            kept, of = share_kept(policy, games)
            print(f"  {which:14} {kept:5} of {of}: {100 * kept / max(of, 1):.1f}%")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
