"""How long a model call takes: always as long, or longer and shorter, the same in every run."""

from dataclasses import dataclass
from zlib import crc32


@dataclass(frozen=True, slots=True)
class Latency:
    """Seconds that a call takes: uniform within ``mean`` plus or minus the share ``spread`` of it.

    A call's name alone decides, so that what is compared has the same calls to wait for.
    """

    mean: float = 0.0
    spread: float = 0.0

    def __str__(self) -> str:
        if not self.spread:
            return f"{self.mean * 1000:.0f} ms"
        return f"{self.mean * 1000:.0f} ms +- {self.spread:.0%}"

    def of(self, stream: str, call: str) -> float:
        if not self.spread:
            return self.mean
        return self.mean * (1 + self.spread * (2 * crc32(f"{stream}/{call}".encode()) / 2**32 - 1))


AT_ONCE = Latency()
"""Every call is answered in the tick in which it is asked."""
EVEN = Latency(0.05)
"""Short and the same: whatever is not a call shows."""
STAGGERED = Latency(1.0, 0.5)
"""As models answer: about a second, no two at the same time."""
