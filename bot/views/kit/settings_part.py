"""What admins may say about how the streams of one protocol are decided."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from slack_sdk.models.blocks import Block

from bot.texts import Texts
from bot.views.kit.fields import Values


class SettingsPart(Protocol):
    """Every method is pure.

    ``settings`` are all that an admin has set (`engine.directory.messages.Settings`). ``default`` is the policy that
    ToWow was started with; None where that was none of this protocol's.
    """

    @property
    def blocks(self) -> Mapping[str, str]:
        """Return the block of the form by the name of each setting, so that what is wrong is told beside it."""

    def policy(self, settings: Any, default: Any) -> Any:
        """Return what the next stream is decided by."""

    def lines(self, policy: Any, texts: Texts) -> Iterable[str]:
        """Return what admins read of a policy in their App Home."""

    def fields(self, settings: Any, default: Any, texts: Texts) -> Sequence[Block]:
        """Return the fields of the form."""

    def read(self, values: Values) -> Mapping[str, Any]:
        """Return what was filled in, by the name of the setting."""
