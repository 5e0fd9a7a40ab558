"""Transitions: a protocol's legal steps as a table."""

from collections.abc import Collection, Iterator, Mapping
from enum import StrEnum
from typing import Generic, TypeVar

from engine.errors import IllegalStep
from engine.kernel.events import Event

Status = TypeVar("Status", bound=StrEnum)


class Transitions(Generic[Status]):
    """A protocol's legal steps as data: the rules, the refusals and the diagram of the docs read the same table.

    Where the event itself says what follows, a step leads to one of several statuses.
    """

    def __init__(
        self,
        start: Status,
        steps: Mapping[tuple[Status, type[Event]], Status | tuple[Status, ...]],
        ends: Collection[Status] = (),
    ) -> None:
        """
        Args:
            ends: statuses that are an end though a step leads on from them.
        """
        self.start = start
        self._steps = {step: then if isinstance(then, tuple) else (then,) for step, then in steps.items()}
        self._ends = ends

    def after(self, status: Status, event: type[Event], then: Status | None = None) -> Status:
        """The status that follows.

        Args:
            then: which one the event leads to, where it may lead to several.

        Raises:
            IllegalStep: the event cannot happen in this status, or does not lead there.
        """
        known = self._steps.get((status, event), ())
        if then is None and len(known) == 1:
            return known[0]
        if then is None or then not in known:
            raise IllegalStep(self.refusal(status, event))
        return then

    def refusal(self, status: Status, event: type[Event]) -> str:
        legal = sorted({str(at) for at, what in self._steps if what is event})
        when = " or ".join(map(repr, legal))
        return f"{event.event_type} cannot happen while {str(status)!r}; it happens while {when}."

    def __iter__(self) -> Iterator[tuple[Status, type[Event], Status]]:
        for (before, event), known in self._steps.items():
            for then in known:
                yield before, event, then

    def diagram(self) -> str:
        """The steps that change the status, as a mermaid state diagram."""
        lines = ["stateDiagram-v2", f"    [*] --> {self.start}"]
        labels: dict[tuple[str, str], list[str]] = {}
        for before, event, then in self:
            if before is not then:
                labels.setdefault((str(before), str(then)), []).append(event.event_type.removeprefix("towow."))
        lines += [f"    {before} --> {then}: {', '.join(names)}" for (before, then), names in labels.items()]
        leaving = {str(before) for before, _, then in self if before is not then}
        ends = sorted(({str(then) for _, _, then in self} - leaving) | {str(each) for each in self._ends})
        return "\n".join([*lines, *(f"    {end} --> [*]" for end in ends)])
