"""What can be told of a commit before a byte of it is written, and whose right it is to decide."""

from engine.errors import LeaseLost, StoreUnusable, WrongVersion
from engine.store.port import Commit


def check_stream(commit: Commit) -> None:
    """Check that all of the commit belongs to its stream."""
    named = [*(effect.key for effect in commit.add_effects), *(alarm.key for alarm in commit.set_alarms)]
    strangers = {key.stream for key in named if key is not commit.key and key != commit.key}
    if strangers:
        raise ValueError(f"A commit is for one stream; this one for {commit.key.stream} names {sorted(strangers)}.")


def check_version(commit: Commit, version: int) -> None:
    """Whether a commit continues a stream at ``version``."""
    if commit.expected_version != version:
        raise WrongVersion(
            f"{commit.key.stream} is at version {version}, not {commit.expected_version}; load it and decide again."
        )


def check_revision(commit: Commit, revision: int) -> None:
    """Whether a commit was decided on all that is known of a stream whose ``revision`` is this."""
    if commit.expected_revision not in (None, revision):
        raise WrongVersion(
            f"{commit.key.stream} is at revision {revision}, not {commit.expected_revision}; load it and decide again."
        )


def handled_before(commit: Commit) -> WrongVersion:
    """The answer to a command id that is known already."""
    names = ", ".join(command_id for command_id, _ in commit.commands)
    return WrongVersion(f"{commit.key.stream} has handled one of {names} before; load it to see the answer.")


class Leases:
    """The leases of one store that one process has to itself, by their epochs. An epoch is never given twice."""

    def __init__(self) -> None:
        self._epoch = 0
        self._is_held = False

    def take(self, *, take_over: bool) -> int:
        """Take the lease, and return its epoch."""
        if self._is_held and not take_over:
            raise StoreUnusable("This store is used by another runtime; close that one first.")
        self._epoch += 1
        self._is_held = True
        return self._epoch

    def release(self, epoch: int) -> None:
        if epoch == self._epoch:
            self._is_held = False

    def end(self) -> None:
        """Whoever holds it, holds it no longer."""
        self._is_held = False

    def check(self, epoch: int | None) -> None:
        """Check that the lease of this epoch still holds."""
        if epoch is not None and not (self._is_held and epoch == self._epoch):
            raise LeaseLost("Another runtime has taken over this store; nothing of this was kept.")
