"""What can be told of a batch of commits before a byte of it is written. Pure; both stores ask it."""

from collections.abc import Sequence

from engine.errors import WrongVersion
from engine.kernel import StreamKey
from engine.store.port import Commit


def stream_of(commits: Sequence[Commit]) -> StreamKey:
    """The one stream a batch is for.

    Raises:
        ValueError: something in it belongs to another stream, or nothing is in it.
    """
    keys = {
        key
        for commit in commits
        for key in (
            commit.key,
            *(effect.key for effect in commit.add_effects),
            *(alarm.key for alarm in commit.set_alarms),
        )
    }
    if len(keys) != 1:
        raise ValueError(
            f"A batch is for one stream; this one is for {len(keys)}: {sorted(key.stream for key in keys)}."
        )
    return keys.pop()


def check_versions(commits: Sequence[Commit], version: int) -> None:
    """Whether a batch continues a stream at ``version``.

    Raises:
        WrongVersion: the stream moved.
    """
    for commit in commits:
        if commit.expected_version != version:
            raise WrongVersion(
                f"{commit.key.stream} is at version {version}, not {commit.expected_version}; load it and decide again."
            )
        version += len(commit.events)


def handled_before(commit: Commit) -> WrongVersion:
    """The answer to a command id that is known already."""
    return WrongVersion(
        f"{commit.key.stream} has handled command {commit.command_id} before; load it to see the answer."
    )
