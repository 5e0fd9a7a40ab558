"""Who is there: fifteen people with twins, most with accounts, the channels they talk in, and what they ask for."""

from pathlib import Path
from typing import Final

from bot.local_slack import Channel, User
from engine.files import folders
from tests.offline.demands import MEETUP, OTHERS, PROTOTYPE

ASKERS: Final = tuple(User(id=f"U_ASKS{n}", name=f"asks{n}", real_name=f"Asks {n}") for n in range(1, 7))
"""Who ask, and have no twin."""

DEMANDS: Final = (MEETUP, PROTOTYPE, *OTHERS)


def profiles(folder: Path) -> tuple[User, ...]:
    """Write half of the people who come with the code to a folder, three of four with an account of their own.

    Returns:
        Their accounts.
    """
    users = list[User]()
    for number, path in enumerate(sorted(folders.folder("profiles").glob("*.yaml"))[::2]):
        text = path.read_text("utf-8")
        if number % 4:
            user = User(id=f"U_{path.stem.upper()}", name=path.stem, real_name=path.stem.replace("_", " ").title())
            users.append(user)
            text += f"slack_user: {user.id}\n"
        (folder / path.name).write_text(text, "utf-8")
    return tuple(users)


def channels(users: tuple[User, ...]) -> tuple[Channel, ...]:
    members = [each.id for each in (*ASKERS, *users)]
    return tuple(Channel(id=f"C_HALL{n}", name=f"hall{n}", members=members) for n in range(1, 7))
