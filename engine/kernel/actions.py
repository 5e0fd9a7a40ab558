"""What a person can do to a stream, as data: from a row follow its button, its form, its route and its audit record."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, Generic, Protocol, TypeVar

from engine.errors import NotAllowed, Refusal
from engine.kernel.message import Command, Millis


class Owned(Protocol):
    """The state of a stream that somebody began."""

    def is_owned_by(self, user_id: str, *, as_admin: bool) -> bool:
        """Whether this user decides about all of it."""


StateT = TypeVar("StateT", bound=Owned)


class FieldKind(StrEnum):
    """What a person enters: how it is drawn, read and sent."""

    TEXT = "text"
    """Their own words."""
    FLAG = "flag"
    """Yes, or not."""
    PICKS = "picks"
    """Ids of any number of those that are shown."""
    PERSON = "person"
    """A user id; empty for nobody."""
    DATUM = "datum"
    """What it comes to as data that can be compared; None for nothing."""


_BLANK: Final[Mapping[FieldKind, Any]] = {
    FieldKind.TEXT: "",
    FieldKind.FLAG: False,
    FieldKind.PICKS: (),
    FieldKind.PERSON: "",
    FieldKind.DATUM: None,
}


@dataclass(frozen=True, slots=True)
class Field:
    """One thing that a person enters."""

    name: str
    """Of the command's field."""
    kind: FieldKind = FieldKind.TEXT
    longest: int = 4_000
    """Characters of a text."""
    optional: bool = False
    is_kept: bool = False
    """Whether it stays as it is where it is left out."""

    @property
    def blank(self) -> Any:
        """What it is where nothing was entered."""
        return None if self.is_kept else _BLANK[self.kind]


class Who(StrEnum):
    """Whose it is to do. The rules decide who may; this says for whom somebody else may stand in."""

    OWNER = "owner"
    """Whoever began the stream. An admin may instead, where the command says ``as_admin``."""
    PART = "part"
    """Whoever has the part that it is about; for somebody who is linked to nobody, whoever loaded the profile."""
    PERSON = "person"
    """The person themselves. Nobody stands in for them."""


@dataclass(frozen=True)
class Action(Generic[StateT]):
    """One row: something that a person can do."""

    name: str
    """Of its button, its form and its route; what stands after the point says what of several was chosen."""
    command: type[Command]
    handle: Callable[[Any, Any], None]
    """Decides what happens: it is called with the draft of a decision and the command."""
    summary: str
    """A sentence for those who call it over HTTP."""
    who: Who
    when: frozenset[str]
    """The statuses in which it may be possible."""
    check: Callable[[StateT, Any], object] | None = None
    """Raises a `Refusal` where the command may not be, whatever is entered, before a form is opened. It is called with
    the state and the command. None where there is nothing to enter, or nothing else to check than `check_owner`."""
    about: tuple[str, ...] = ()
    """Fields of the command that the button carries, besides the stream."""
    fields: tuple[Field, ...] = ()
    fixed: Mapping[str, Any] = field(default_factory=dict)
    """Fields of the command that the row decides."""
    audited_as: str = ""
    """What the audit calls it."""
    choice: str = ""
    """The field that the audit keeps as what was chosen, where the row does not decide it."""
    label: str = ""
    """What its button says, in English; empty where its looks are in a table of their own."""
    is_offered: Callable[[StateT], bool] | None = None
    """Whether its button stands among those of whoever began the stream. None where a place was made for it."""

    @property
    def may_stand_in(self) -> bool:
        """Whether somebody may do it for another, and is then on record as such."""
        return "as_admin" in self.command.__struct_fields__

    def command_of(self, said: Mapping[str, Any], *, command_id: str, at: Millis, by: str, as_admin: bool) -> Command:
        """Make the command.

        Args:
            said: what it is about and what was entered, by field; what lacks is blank.
        """
        given: dict[str, Any] = {"command_id": command_id, "at": at, "by": by, **self.fixed}
        given |= {each: said[each] for each in self.about if each in said}
        given |= {each.name: said.get(each.name, each.blank) for each in self.fields}
        if self.may_stand_in:
            given["as_admin"] = as_admin
        return self.command(**given)

    def people(self, said: Mapping[str, Any]) -> Mapping[str, str]:
        """Return the users who were picked, by field."""
        return {each.name: said[each.name] for each in self.fields if each.kind is FieldKind.PERSON and said[each.name]}

    def check_owner(self, state: StateT, command: Command) -> None:
        """Check that whoever began the stream does it, or an admin for them, where it is theirs to do."""
        by, as_admin = getattr(command, "by", ""), getattr(command, "as_admin", False)
        if self.who is Who.OWNER and not state.is_owned_by(by, as_admin=as_admin):
            raise NotAllowed(f"Only the person who asked, or an admin, can do this: {self.summary}.")

    def check_before(self, state: StateT, command: Command) -> None:
        """Check what can be said before the rules decide."""
        self.check_owner(state, command)
        if self.check is not None:
            self.check(state, command)

    def allows(self, state: StateT, command: Command) -> bool:
        """Whether `check_before` has nothing against it: so that nobody else is asked in vain."""
        try:
            self.check_before(state, command)
        except Refusal:
            return False
        return True

    def chosen(self, command: Command) -> str:
        """Return what was chosen, as the audit keeps it; empty where there was nothing to choose."""
        if self.choice:
            return str(getattr(command, self.choice))
        return self.name.partition(".")[2] if self.fixed else ""
