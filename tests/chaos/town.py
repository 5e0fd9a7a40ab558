"""Who is there: fifteen people with twins, most with accounts, the channels they talk in, and what they ask for."""

from pathlib import Path
from typing import Final

from bot.local_slack import Channel, User
from engine.files import kept_folder
from tests.offline.demands import MEETUP, OTHERS, PROTOTYPE

ASKERS: Final = tuple(User(id=f"U_ASKS{n}", name=f"asks{n}", real_name=f"Asks {n}") for n in range(1, 7))
"""Who ask, and have no twin."""

STRANGER: Final = User(id="U_STRANGER", name="stranger", real_name="A Stranger", team_id="T_PARTNER")
"""Somebody of another company, who is in one of the halls."""

HALLS: Final = 6
FOREIGN, UNINVITED, PRIVATE, CLOSED = 3, 4, 5, 6
"""Halls in which another company is from the beginning; to which we were not invited; that is private; and in which
we may never post."""

DEMANDS: Final = (MEETUP, PROTOTYPE, *OTHERS)


def profiles(folder: Path) -> tuple[User, ...]:
    """Write half of the people who come with the code to a folder, three of four with an account of their own.

    Returns:
        Their accounts.
    """
    users = list[User]()
    for number, path in enumerate(sorted(kept_folder.folder("profiles").glob("*.yaml"))[::2]):
        text = path.read_text("utf-8")
        if number % 4:
            user = User(id=f"U_{path.stem.upper()}", name=path.stem, real_name=path.stem.replace("_", " ").title())
            users.append(user)
            text += f"slack_user: {user.id}\n"
        (folder / path.name).write_text(text, "utf-8")
    return tuple(users)


def channels(users: tuple[User, ...]) -> tuple[Channel, ...]:
    members = [each.id for each in (*ASKERS, *users)]
    return tuple(
        Channel(
            id=hall(number),
            name=f"hall{number}",
            members=[*members, *([STRANGER.id] if number == FOREIGN else [])],
            has_bot=number != UNINVITED,
            is_private=number == PRIVATE,
            restricted="restricted_action" if number == CLOSED else "",
        )
        for number in range(1, HALLS + 1)
    )


def hall(number: int) -> str:
    """Return the id by which a channel is known in the beginning."""
    return f"C_HALL{number}"
