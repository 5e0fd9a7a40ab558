"""What a stream owes, waits for and has on record, kept as the runtime keeps it: for tests in any order."""

import json
from collections.abc import Iterable
from typing import Any

from engine.kernel import Decision, Effect, Record


class Owing:
    """Part of a state machine of hypothesis, whose rules let anything be answered, late or twice."""

    def __init__(self, *kinds: type[Effect]) -> None:
        """
        Args:
            kinds: of the effects that are kept; others are none of the test's business.
        """
        super().__init__()
        self.owed: dict[str, Any] = {}
        """Effects by name."""
        self.alarms: dict[str, int] = {}
        self.records: dict[str, dict[str, Any]] = {}
        """What is on record, by kind and key."""
        self._kinds = kinds

    def _keep(self, decision: Decision) -> list[Any]:
        """Return what is not wanted any more."""
        voided = [each for name, each in self.owed.items() if each.scope in decision.void or name in decision.drop]
        self.owed = {name: each for name, each in self.owed.items() if each not in voided}
        self.owed |= {each.name: each for each in decision.effects if isinstance(each, self._kinds)}
        for name in decision.clear:
            self.alarms.pop(name, None)
        self.alarms |= {each.name: each.due for each in decision.alarms}
        return voided

    def _file(self, records: Iterable[Record]) -> None:
        for each in records:
            rows = self.records.setdefault(each.kind, {})
            written = None if each.value is None else json.loads(each.value)
            assert written != rows.get(each.key), "only what has changed is written"
            if written is None:
                del rows[each.key]
            else:
                rows[each.key] = written
