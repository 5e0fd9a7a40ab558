"""``towow forget``: erases what one person has said, or all of one negotiation, wherever ToWow keeps it."""

import asyncio
import os
import re
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, Final, NamedTuple

from bot.calendars import records as calendars
from bot.commands.subcommand import FINE, CommandFailed, Subcommand, add_database, found, text
from bot.commands.waiting import asking
from bot.config import read_workers
from bot.databases import Database, archive_of, store_in
from bot.posts import digests, languages
from bot.posts import languages as direct_channels
from bot.protocol_row import Protocol
from engine.errors import StoreUnusable, UnknownStream
from engine.kernel import Part, Rulebook, StreamKey, Tenant, Whose
from engine.runtime.forgetting import Concerned, Rulebooks, Streams, concerned, forget, whose_words
from engine.runtime.streams import opened
from engine.shortlist import KIND as VECTORS
from engine.store.archive import Archive
from engine.store.port import Store, Stream
from engine.store.sqlite.identity import real_path
from engine.workers.outputs import erase, left_of
from engine.workers.registry import WorkersAccess

RESCUED: Final = re.compile(r"\.rescued-\d{8}T\d{6}Z$")

OF_PERSON: Final = (languages.KIND, direct_channels.KIND, digests.KIND, *calendars.KINDS)
"""Records about one person, by their user id."""

OUT_OF_REACH: Final = """\
Posts in Slack show none of it once ToWow runs again. What ToWow cannot reach:
- backups of this database, and what `towow restore` has put aside (folders with `put-aside-` in their names): delete
  those that are not needed, and where one is restored, forget again after it
- copies of the folders of sessions and logs
- exports that somebody has saved, and what people have written in Slack themselves
- what was sent to the provider of the model, for as long as that keeps it
- the log of whatever runs ToWow: it quotes nobody, and names users by their ids"""

FILE: Final = "- a file of this person among the profiles: delete it; until then it is not loaded"


def rulebooks_of(protocols: Sequence[Protocol]) -> Rulebooks:
    return {each.name: each.rulebook for each in protocols}


class Plan(NamedTuple):
    """What is erased of one workspace."""

    tenant: Tenant
    whose: Whose
    streams: Sequence[Concerned]


def plans(
    archive: Archive, protocols: Sequence[Protocol], *, user: str = "", negotiation: str = "", team: str = ""
) -> list[Plan]:
    """Find what is erased where this person, or this negotiation, is forgotten."""
    rulebooks = rulebooks_of(protocols)
    if negotiation:
        stored = found(archive, protocols, negotiation, team)
        tenant, named, whose = stored.key.tenant, [stored.key], Whose()
        _check_whole(stored, rulebooks[stored.protocol])
        return [Plan(tenant, whose, concerned(_OfTenant(archive, archive.naming, tenant), rulebooks, whose, named))]
    naming = cache(archive.naming)  # all of it is looked through, for all tenants at once
    tenants = [each for each in sorted(archive.tenants()) if team in ("", each.team_id)]
    return [_plan(_OfTenant(archive, naming, each), rulebooks, each, user) for each in tenants]


def _plan(streams: Streams, rulebooks: Rulebooks, tenant: Tenant, user: str) -> Plan:
    whose = whose_words(streams, rulebooks, user)
    return Plan(tenant, whose, concerned(streams, rulebooks, whose))


def _check_whole(stored: Stream, rulebook: Rulebook[Any]) -> None:
    """Check that the stream can be forgotten by itself."""
    if rulebook.forgetter is None:
        raise CommandFailed(f"{stored.key.stream} holds nobody's words.")
    state = rulebook.fold([opened(each, rulebook.events) for each in stored.events])
    for link in rulebook.forgetter.links(state):
        if link.is_part and not link.is_later:
            raise CommandFailed(f"{stored.key.stream} is a part of {link.stream}, which quotes it: forget that one.")


class _OfTenant:
    """A tenant's streams."""

    def __init__(self, archive: Archive, naming: Callable[[frozenset[str]], list[StreamKey]], tenant: Tenant) -> None:
        self._archive = archive
        self._naming = naming
        self._tenant = tenant

    def naming(self, names: Collection[str]) -> list[StreamKey]:
        return [key for key in self._naming(frozenset(names)) if key.tenant == self._tenant]

    def load(self, key: StreamKey) -> Stream | None:
        return self._archive.load(key)


async def carry_out(
    store: Store,
    epoch: int,
    plan: Plan,
    protocols: Sequence[Protocol],
    now: int,
    access: WorkersAccess | None = None,
) -> None:
    """Erase what a plan says. Killed in between, it is begun again and finds what is left.

    Args:
        access: where workers have left what they made; None where none have.

    Raises:
        StoreError, Refusal, ValueError
        CommandFailed: files cannot be deleted.
    """
    if plan.whose.user_id:
        for kind in OF_PERSON:
            await store.put_records(plan.tenant, kind, {plan.whose.user_id: None})
    if plan.whose.agent_ids:
        await store.put_records(plan.tenant, VECTORS, dict.fromkeys(plan.whose.agent_ids))
    # Where a profile says whose twin it is, that is needed until the last of the others is done.
    for each in sorted(plan.streams, key=lambda each: each.protocol == "directory"):
        if access is not None:
            _erase_files(access, each)  # first: once its words are erased, nobody would look for them again
        await forget(store, epoch, rulebooks_of(protocols), each.key, each.part, plan.whose, now)


def _erase_files(access: WorkersAccess, concerned: Concerned) -> None:
    """Erase the files that workers left of what is forgotten."""
    try:
        erase(access, concerned.key.stream, None if concerned.part is Part.WHOLE else concerned.files)
    except OSError as error:
        where = error.filename or access.sessions
        raise CommandFailed(f"{where} cannot be deleted: {error.strerror}. Delete it, and forget again.") from error


def told(plan: Plan, protocols: Sequence[Protocol], access: WorkersAccess | None = None) -> Iterator[str]:
    """Say what is done, a line for each stream, and for its files where there are any."""
    leaving = {each.name: each.descriptions.leaving for each in protocols}
    for each in plan.streams:
        first = ", ".join(dict.fromkeys(leaving[each.protocol].get(kind, kind) for kind in each.leaves))
        what = {
            Part.WHOLE: "all of it is erased",
            Part.OWN: "their words are erased, and what may quote them",
            Part.QUOTED: "what may quote them is erased",
        }[each.part]
        where = f"{each.key.stream} of {each.key.tenant.team_id}"
        yield f"{where}: {f'{first}; ' if first else ''}{what} ({each.events} events)"
        about = None if each.part is Part.WHOLE else each.files
        if access is not None and (left := left_of(access, each.key.stream, about)):
            yield f"{where}: files are deleted: {', '.join(map(str, left))}"


def _add_arguments(parser: ArgumentParser) -> None:
    whose = parser.add_mutually_exclusive_group(required=True)
    whose.add_argument("user", metavar="USER", nargs="?", type=text, help="a user's id (U012AB3CD) or a twin's")
    whose.add_argument("--negotiation", metavar="ID", type=text, help="d-… or collab-…: all that was said in it")
    parser.add_argument("--team", default="", metavar="ID", help="in this workspace alone")
    parser.add_argument("--dry-run", action="store_true", help="only say what would be erased; also while ToWow runs")
    parser.add_argument("--yes", action="store_true", help="do not ask before it")
    add_database(parser)


def _run(options: Namespace) -> int:
    protocols: Sequence[Protocol] = options.protocols
    find = partial(
        plans, protocols=protocols, user=options.user or "", negotiation=options.negotiation or "", team=options.team
    )
    access = read_workers(os.environ, options.db)
    archive = archive_of(options.db)  # a file that is not there must not be created
    copies = rescued_beside(options.db)

    def find_known(here: Archive) -> list[Plan]:
        """Find it, unless it is of somebody whom nothing names."""
        if options.user and not any(_names(each, options.user) for each in (here, *map(archive_of, copies))):
            raise CommandFailed(
                f"Nothing here names {options.user}, so nothing is erased. An id looks like U012AB3CD, or is a twin's; "
                "Slack shows it in a profile, at “Copy member ID”."
            )
        return find(here)

    if options.dry_run:
        _print(find_known(archive), protocols, access)
    else:
        asyncio.run(
            _forget(options.db, find_known, protocols, access, is_sure=options.yes, is_person=bool(options.user))
        )
    for each in copies:
        _forget_in_copy(each, find, options)
    return FINE


def rescued_beside(database: Database) -> list[Path]:
    """Return the files into which ToWow has saved what a deleted database held."""
    if not isinstance(database, Path):
        return []
    real = real_path(database)
    return [each for each in sorted(real.parent.glob(f"{real.name}.rescued-*")) if RESCUED.search(each.name)]


def _forget_in_copy(copy: Path, find: Callable[[Archive], list[Plan]], options: Namespace) -> None:
    """Forget in a copy of the database that was saved when it was deleted."""
    print(f"{copy} has what was saved when the database was deleted:")
    try:
        is_there = _print(find(archive_of(copy)), options.protocols, None)
    except UnknownStream as unknown:
        print(unknown)
        return
    if is_there and not options.dry_run:
        is_person = bool(options.user)
        asyncio.run(_forget(copy, find, options.protocols, None, is_sure=options.yes, is_person=is_person))


def _names(archive: Archive, user: str) -> bool:
    """Whether any event is of somebody, or names them."""
    return bool(archive.naming({user}))


async def _forget(
    database: Database,
    find: Callable[[Archive], list[Plan]],
    protocols: Sequence[Protocol],
    access: WorkersAccess | None,
    *,
    is_sure: bool,
    is_person: bool,
) -> int:
    store = store_in(database)
    await store.open()  # from here on no other ToWow can run on a file
    try:
        archive = archive_of(database)
        epoch = await store.lease()
        chosen = find(archive)
        if not _print(chosen, protocols, access) or not (is_sure or _confirmed()):
            return FINE
        for plan in chosen:
            await carry_out(store, epoch, plan, protocols, round(time.time() * 1000), access)
    finally:
        await store.close()
    if broken := [each.key.stream for plan in chosen for each in plan.streams if not archive.verify(each.key)]:
        raise StoreUnusable(f"The events of {', '.join(broken)} are not those that were written; restore a backup.")
    print("It is erased, and every digest is what it has to be.")
    print("\n".join([OUT_OF_REACH, *([FILE] if is_person else [])]))
    return FINE


def _print(chosen: Sequence[Plan], protocols: Sequence[Protocol], access: WorkersAccess | None) -> bool:
    """Whether there is anything to do."""
    lines = [line for plan in chosen for line in told(plan, protocols, access)]
    print("\n".join(lines) or "There are no such words here, or they are erased already.")
    return bool(lines)


def _confirmed() -> bool:
    """Ask whether to erase, and return whether the answer was yes."""
    if not sys.stdin.isatty():
        raise CommandFailed("Nobody can be asked here; say --yes, or --dry-run to see only what would be done.")
    with asking():
        return input("This cannot be undone. Type yes to erase it: ").strip() == "yes"


COMMAND: Final = Subcommand(_run, _add_arguments)
