"""Which trades a text speaks of, by the words of trades.yaml.

"The toilet on two is blocked" shares no word with a plumber, and an encoder of sentences finds it little nearer to one
than to a concierge. Both use words of plumbing, each side its own.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from engine.files.yaml_locations import read_yaml
from engine.lexicon.matching import Described

# After a change of trades.yaml run: python -m engine.shortlist.trade_lines; python -m engine.shortlist.trade_abilities
WORDS: Final = Path(__file__).with_name("trades.yaml")
FAMILIES: Final = Path(__file__).with_name("trade_families.yaml")

LONGEST_CUE: Final = 6
"""Words of a cue in English, and characters of one in Chinese."""
WHAT_A_CUE_SAYS: Final = 0.6
"""How sure one cue makes of a trade that nobody else has it of."""
NAMED_IN_A_DEMAND: Final = 0.9
"""What the name of a trade says in a demand, beside what is needed of it."""
SAID_IN_A_PROFILE: Final = 0.55
"""What a cue says in an introduction, beside one in a tag."""
NEEDED_IN_A_PROFILE: Final = 0.3
"""What a cue of those who ask says in a profile."""
OF_A_NEAR_TRADE: Final = 0.25
"""What a trade that is needed says for those of its family."""
OF_ONE_CHARACTER: Final = 0.45
OF_TWO_CHARACTERS: Final = 0.85
"""What Chinese cues of so many characters say, which are found inside of other words, too."""

_RUN: Final = re.compile(r"[a-z0-9à-ÿ]+(?:['/&+][a-z0-9à-ÿ]+)*|[\u3400-\u9fff]+", re.IGNORECASE)
_ENDINGS: Final = ("ings", "ing", "ies", "ers", "ed", "es", "er", "s")


class Cues(NamedTuple):
    can: Mapping[str, Mapping[str, float]]
    """For each cue of those who can help: its trades, each with what it says for it, from 0 to 1."""
    need: Mapping[str, Mapping[str, float]]
    """For each cue of those who ask."""


def trades_said(text: str) -> dict[str, float]:
    """Return how sure the words of a demand make of each trade that it has words of, from 0 to 1."""
    return _sure((_spoken(text, cues().need, 1.0), _spoken(text, cues().can, NAMED_IN_A_DEMAND)))


def with_families(likely: Mapping[str, float]) -> dict[str, float]:
    """Return how much each trade is wanted, by how likely a demand is about it or about one of its family."""
    found = dict(likely)
    for trade, share in likely.items():
        for near in families().get(trade, ()):
            found[near] = max(found.get(near, 0.0), OF_A_NEAR_TRADE * share)
    return found


def trades_of_profile(profile: Described) -> dict[str, float]:
    """Return how likely somebody is of each trade that they have words of, from 0 to 1."""
    tags = "\n".join((*profile.tags, *profile.capabilities))
    said = "\n".join((profile.profile_summary, *profile.capabilities.values()))
    return _sure(
        (
            _spoken(tags, cues().can, 1.0),
            _spoken(said, cues().can, SAID_IN_A_PROFILE),
            _spoken(f"{tags}\n{said}", cues().need, NEEDED_IN_A_PROFILE),
        )
    )


def _sure(spoken: Iterable[Iterable[tuple[str, float]]]) -> dict[str, float]:
    """Return how sure all that was said makes of each trade: the more cues the surer, and never more than certain."""
    doubts: dict[str, float] = {}
    for each in spoken:
        for trade, weight in each:
            doubts[trade] = doubts.get(trade, 1.0) * (1 - WHAT_A_CUE_SAYS * weight)
    return {trade: 1 - doubt for trade, doubt in doubts.items()}


def _spoken(text: str, of: Mapping[str, Mapping[str, float]], weight: float) -> Iterator[tuple[str, float]]:
    for cue in cues_in(text, of):
        for trade, telling in of[cue].items():
            yield trade, weight * telling


def cues_in(text: str, among: Mapping[str, object]) -> set[str]:
    """Return those of the cues that a text has, without those that are only parts of longer ones."""
    found: set[str] = set()
    for words, joint in _runs(text):
        covered = 0
        for start in range(len(words)):
            for end in range(min(len(words), start + LONGEST_CUE), max(start, covered), -1):
                cue = joint.join(words[start:end])
                if cue in among:
                    found.add(cue)
                    covered = end
                    break
    return found


def _runs(text: str) -> Iterator[tuple[Sequence[str], str]]:
    """Yield what belongs together: the stems of English words, or Chinese characters; and what joins them."""
    english: list[str] = []
    for run in _RUN.findall(text.casefold()):
        if "\u3400" <= run[0] <= "\u9fff":
            if english:
                yield english, " "
                english = []
            yield run, ""
        else:
            english.append(stem(run))
    if english:
        yield english, " "


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """Return an English word without its ending, roughly: what is left need not be a word."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            break
    if len(word) > 3 and word[-1] == word[-2]:
        word = word[:-1]
    return word[:-1] if len(word) > 3 and word[-1] in "ey" else word


@cache
def cues() -> Cues:
    """Return those of the file that comes with the code."""
    trades: Mapping[str, Mapping[str, str]] = read_yaml(WORDS, WORDS.read_text("utf-8")).data
    return Cues(*(_weighed({key: each[side] for key, each in trades.items()}) for side in ("can", "need")))


@cache
def families() -> Mapping[str, frozenset[str]]:
    """Return, for each trade, those that stand in for it."""
    lines: Mapping[str, Sequence[str]] = read_yaml(FAMILIES, FAMILIES.read_text("utf-8")).data
    near: dict[str, set[str]] = {}
    for line in lines["families"]:
        for trade in line.split():
            near.setdefault(trade, set()).update(line.split())
    return {trade: frozenset(of - {trade}) for trade, of in near.items()}


def _weighed(trades: Mapping[str, str]) -> Mapping[str, Mapping[str, float]]:
    """Return the trades of each cue. What many trades have in common says less of each."""
    of: dict[str, set[str]] = {}
    for trade, said in trades.items():
        for text in said.split(","):
            for words, joint in _runs(text):
                of.setdefault(joint.join(words), set()).add(trade)
    return {cue: dict.fromkeys(found, _telling(cue) * len(found) ** -0.7) for cue, found in of.items()}


def _telling(cue: str) -> float:
    if not "\u3400" <= cue[0] <= "\u9fff":
        return 1.0
    return {1: OF_ONE_CHARACTER, 2: OF_TWO_CHARACTERS}.get(len(cue), 1.0)
