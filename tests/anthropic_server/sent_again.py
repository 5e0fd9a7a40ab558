"""How much of what was sent had been sent before, whether it was marked for the cache or not."""

from collections.abc import Iterable, Iterator, Sequence

from .prompt_cache import PromptCache, pieces, smallest, tokens_of
from .server import Received


def sent_again(requests: Iterable[Received]) -> Iterator[int]:
    """Yield how many tokens of each request another one before it had begun with; 0 where they are too few to keep."""
    before: list[str] = []
    for each in requests:
        now = "".join(text for text, _ in pieces(each.body))
        same = max((_in_common(now, other) for other in before), default=0)
        yield same if same >= smallest(each.body["model"]) else 0
        before.append(now)


def read_in_turn(requests: Sequence[Received]) -> Iterator[int]:
    """Yield how many tokens of each are read from the cache, where each is answered before the next is sent."""
    cache = PromptCache()
    for each in requests:
        yield cache.counted(each.body).read
        cache.keep(each.body)


def _in_common(one: str, other: str) -> int:
    """Return how many tokens both begin with."""
    shorter = min(len(one), len(other))
    return tokens_of(one[: next((at for at in range(shorter) if one[at] != other[at]), shorter)])
