"""What can be told of a commit before a byte of it is written. Pure; both stores ask it."""

from engine.errors import WrongVersion
from engine.store.port import Commit


def check_stream(commit: Commit) -> None:
    """
    Raises:
        ValueError: something in it belongs to another stream.
    """
    named = [*(effect.key for effect in commit.add_effects), *(alarm.key for alarm in commit.set_alarms)]
    strangers = {key.stream for key in named if key is not commit.key and key != commit.key}
    if strangers:
        raise ValueError(f"A commit is for one stream; this one for {commit.key.stream} names {sorted(strangers)}.")


def check_version(commit: Commit, version: int) -> None:
    """Whether a commit continues a stream at ``version``.

    Raises:
        WrongVersion: the stream moved.
    """
    if commit.expected_version != version:
        raise WrongVersion(
            f"{commit.key.stream} is at version {version}, not {commit.expected_version}; load it and decide again."
        )


def check_revision(commit: Commit, revision: int) -> None:
    """Whether a commit was decided on all that is known of a stream whose ``revision`` is this.

    Raises:
        WrongVersion: somebody has committed something meanwhile.
    """
    if commit.expected_revision not in (None, revision):
        raise WrongVersion(
            f"{commit.key.stream} is at revision {revision}, not {commit.expected_revision}; load it and decide again."
        )


def handled_before(commit: Commit) -> WrongVersion:
    """The answer to a command id that is known already."""
    names = ", ".join(command_id for command_id, _ in commit.commands)
    return WrongVersion(f"{commit.key.stream} has handled one of {names} before; load it to see the answer.")
