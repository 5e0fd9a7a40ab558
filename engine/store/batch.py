"""What can be told of a batch of commits before a byte of it is written. Pure; both stores ask it."""

from collections.abc import Container, Sequence

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
            *(owed.key for owed in commit.owe),
            *(alarm.key for alarm in commit.set_alarms),
        )
    }
    if len(keys) != 1:
        raise ValueError(
            f"A batch is for one stream; this one is for {len(keys)}: {sorted(key.stream for key in keys)}."
        )
    return keys.pop()


def check(commits: Sequence[Commit], version: int, handled: Container[str]) -> None:
    """Whether a batch continues a stream at ``version`` that has ``handled`` these command ids.

    Raises:
        WrongVersion: the stream moved, or a command id is known already.
    """
    ids: set[str] = set()
    for commit in commits:
        if commit.expected_version != version:
            raise WrongVersion(
                f"{commit.key.stream} is at version {version}, not {commit.expected_version}; load it and decide again."
            )
        if commit.command_id in handled or commit.command_id in ids:
            raise WrongVersion(
                f"{commit.key.stream} has handled command {commit.command_id} before; load it to see the answer."
            )
        ids.add(commit.command_id)
        version += len(commit.events)
