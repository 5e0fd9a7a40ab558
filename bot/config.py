"""The environment, read once. Everything that is missing or wrong in it is named at the same time."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from bot.api_config import API_CONNECTIONS, API_RATE, DRAIN, ApiAccess, api_access
from bot.calendars_config import OF_CALENDARS, CalendarAccess, calendar_access
from bot.claude_config import LEDGER_DAYS, ClaudeAccess, claude_access
from bot.databases import Database, database_named
from bot.environment import API_HOST, API_PORT, Variable, check_proxy, is_address, secret, whole_number
from bot.jobs_config import LAST, LISTEN, jobs_pace
from bot.listeners.colleagues import MOST_OPEN
from bot.oauth_config import OF_MANY, OAuthAccess, is_for_many, oauth_access
from bot.story_links import DAYS
from bot.time_zones import unknown_zone
from bot.tracing.access import ENDPOINT, HEADERS, NAME, SERVICE, TracesAccess, traces_access
from bot.workers_config import LOGS, SESSIONS, check_files, workers_access
from engine.errors import Misconfigured
from engine.facts.asked import zone_of
from engine.kernel import Validated
from engine.llm.breaker import RECOVERY, THRESHOLD
from engine.llm.warming import WORTH_WAITING
from engine.runtime.activity import PACE, Pace
from engine.shortlist import WHOLE
from engine.workers.registry import WorkersAccess

SLACK_API: Final = "https://slack.com/api/"
DATABASE: Final = "towow.db"
DEFAULT_POLICY: Final = "balanced"
LLM_TIMEOUT: Final = 10.0
KEEP_EXAMPLE: Final = 365
"""Days."""
LOG_FORMS: Final = ("text", "json")
LEAST_SHORTLIST: Final = 20
MOST_SHORTLIST: Final = 200
"""More would not fit into a prompt anyway."""


VARIABLES: Final = (
    Variable(
        "SLACK_BOT_TOKEN", "Slack, in one workspace. It starts with `xoxb-`.",
        "ToWow does not start, unless `SLACK_CLIENT_ID` is set", "xoxb-…", is_secret=True,
    ),
    *OF_MANY,
    *OF_CALENDARS,
    Variable(
        "SLACK_APP_TOKEN", "Slack's Socket Mode. It starts with `xapp-`.",
        "ToWow does not start, unless `SLACK_SIGNING_SECRET` is set", "xapp-…", is_secret=True,
    ),
    Variable(
        "SLACK_SIGNING_SECRET", "Slack over HTTP: Slack calls `/slack/events`", "Slack is reached by Socket Mode",
        "8f742231b10e…", is_secret=True,
    ),
    Variable(
        "SLACK_API_URL", "another address of Slack's API, such as a proxy or the local workspace", "Slack's own",
        "http://127.0.0.1:3900/api/",
    ),
    Variable(
        "TOWOW_DB", "the database: a file, or PostgreSQL, see [PostgreSQL](operations.md#postgresql)",
        f"`{DATABASE}` in the current folder", "postgresql://towow:…@db.example/towow",
    ),
    Variable(
        LAST, "seconds after which another process takes over from one that is not heard of", f"{PACE.lasts // 1000}",
        "60",
    ),
    Variable(
        LISTEN, "`yes`: there, a process hears at once of what others leave to do; not through every pooler of "
        "connections", "it looks twice a second", "yes",
    ),
    Variable(
        "TOWOW_POLICY", "how much agreement is enough, see [policies](negotiation.md#policies)", f"`{DEFAULT_POLICY}`",
        "t05-v4",
    ),
    Variable("TOWOW_PROFILES", "a folder of people", "the people in `profiles/` and `profiles/company/`", "people/"),
    Variable(
        "TOWOW_SHORTLIST", "of more people than this, only so many are put to the model that chooses whom to ask, see "
        "[many people](negotiation.md#many-people)", f"{WHOLE}", "60",
    ),
    Variable(
        "TOWOW_MOST_OPEN", "demands, plans and deliveries of one workspace that may be under way at a time",
        f"{MOST_OPEN}", "200",
    ),
    Variable(
        "TOWOW_KEEP_DAYS", "days for which what has ended is kept, see [what is old](privacy.md#what-is-old)",
        "for ever", f"{KEEP_EXAMPLE}",
    ),
    Variable(
        "TOWOW_ADMINS", "member ids of admins, who can name others in the Home tab; of several workspaces, each behind "
        "its workspace's id", "nobody; of several workspaces, whoever has installed ToWow",
        "U012AB3CD, T067GH8IJ:U045EF6GH",
    ),
    Variable(
        "ANTHROPIC_API_KEY", "Claude", "rules answer, unless `ANTHROPIC_BASE_URL` is set", "sk-ant-…", is_secret=True
    ),
    Variable(
        "ANTHROPIC_BASE_URL", "any server that speaks the Messages API, also a model on one's own machine; it may want "
        "no key", "Anthropic's own", "http://127.0.0.1:11434",
    ),
    Variable("LLM_MODEL", "one model for every prompt", "the model in each prompt's header", "claude-haiku-5-5"),
    Variable(
        "SSL_CERT_FILE", "certificates by which Slack and the model are trusted, such as a proxy's that reads along",
        "the usual ones", "/etc/ssl/certs/ca-certificates.crt",
    ),
    Variable("SSL_CERT_DIR", "the same as a folder of certificates", "no folder", "/etc/ssl/certs"),
    Variable(
        "LLM_TIMEOUT", "seconds for each call of any prompt, instead of what its header says",
        "as in the prompt's header, else 10", "20",
    ),
    Variable(
        "LLM_FAILURE_THRESHOLD", "after so many failed questions, none is asked for a while", f"{THRESHOLD}", "5"
    ),
    Variable("LLM_RECOVERY_TIMEOUT", "for so many seconds; then one question tries first", f"{RECOVERY:g}", "60"),
    Variable(
        "TOWOW_WARM_FIRST", "where this many tokens can then be read from Claude's cache, one twin is asked "
        "first, and the others once its answer begins; 0: never", f"{WORTH_WAITING}", "20000",
    ),
    Variable(
        "TOWOW_BUDGET_DEMAND", "US dollars that models may cost for one demand; as much for its argued plan, and for "
        "its delivery; see [what models may cost](operations.md#what-models-may-cost)", "no bound", "0.50",
    ),
    Variable("TOWOW_BUDGET_PERSON", "the same for all that one person asks for in a day (UTC)", "no bound", "2"),
    Variable("TOWOW_BUDGET_WORKSPACE", "the same for one workspace in a day", "no bound", "20"),
    Variable("TOWOW_BUDGET_DAY", "the same for everything in a day", "no bound", "50"),
    Variable(
        "TOWOW_LEDGER_DAYS", "for so many days each call of a model is kept by itself; then those of a day are summed "
        "up",
        f"{LEDGER_DAYS}", "90",
    ),
    Variable(
        "TOWOW_API_TOKENS", "who may call over HTTP, see [tokens](http-api.md#tokens)", "no program may call",
        "/etc/towow/tokens", is_secret=True,
    ),
    Variable("TOWOW_API_HOST", "the address where the HTTP interface is served", f"`{API_HOST}`", "::1"),
    Variable("TOWOW_API_PORT", "its port; 0 takes any that is free", f"{API_PORT}", "8443"),
    Variable("TOWOW_API_RATE", "calls a minute for each token", f"{API_RATE}", "60"),
    Variable(
        "TOWOW_API_CONNECTIONS", "connections of one address that have shown neither a token nor Slack's signature",
        f"{API_CONNECTIONS}", "200",
    ),
    Variable(
        "TOWOW_API_PROXIES", "addresses and ranges of proxies that are believed, see [bounds](http-api.md#bounds)",
        "none is believed", "10.0.0.0/8",
    ),
    Variable(
        "TOWOW_API_HEALTH", "`yes` serves the interface for `/healthz` and `/readyz`, also where nobody may call "
        "anything else", "`no`", "yes",
    ),
    Variable(
        "TOWOW_DRAIN", "seconds for which the interface goes on after SIGTERM while `/readyz` says `draining`, see "
        "[upgrades](operations.md#upgrade-without-loss)", f"{DRAIN:g}", "5",
    ),
    Variable(
        "TOWOW_PUBLIC_URL", "where people reach the HTTP interface with a browser: *Open page* leads there, see "
        "[the page of one story](http-api.md#the-page-of-one-story)", "there are no pages", "https://towow.example",
    ),
    Variable(
        "TOWOW_LINK_KEY", "signs the links to pages; another one makes all links void", "there are no pages",
        "5f1e0c9d4b7a2e8863c1d0fa94b7e25c81d36a0f9be4720d", is_secret=True,
    ),
    Variable("TOWOW_LINK_DAYS", "for how many days a link to a page works", f"{DAYS}", "2"),
    Variable(
        "CORS_ORIGINS", "web pages that may call it, separated by commas", "none", "https://towow.example"
    ),
    Variable(
        "TOWOW_TIME_ZONE", "where people are of whom Slack does not tell it, by its IANA name", "the machine's (`TZ`)",
        "Asia/Shanghai",
    ),
    Variable(
        "TOWOW_ROLES", "who may carry tickets out besides people, see [the registry](delivery.md#the-role-registry)",
        "no command runs", "/etc/towow/roles.json",
    ),
    Variable(
        "TOWOW_SCHEDULER", "time-outs, retries and budgets of tickets, see [scheduling](delivery.md#scheduling)",
        "the defaults hold", "/etc/towow/scheduler_config.json",
    ),
    Variable(
        "TOWOW_SESSIONS", "the folder in which workers work, and where what was made is kept",
        f"`{SESSIONS}` beside the database", "/var/lib/towow/sessions",
    ),
    Variable(
        "TOWOW_LOGS", "the folder that has the log of each delivery, as files", f"`{LOGS}` beside the database",
        "/var/log/towow",
    ),
    Variable(
        ENDPOINT, "where traces are collected, by OTLP over HTTP, see [traces](operations.md#traces); OpenTelemetry "
        "reads its other variables itself", "no traces, and OpenTelemetry is not imported", "http://127.0.0.1:4318",
    ),
    Variable(
        HEADERS, "sent with them", "none", "api-key=5f1e0c9d", is_secret=True,
    ),
    Variable(NAME, "whose traces they are", f"`{SERVICE}`", "towow-berlin"),
    Variable("TOWOW_LOG", "the form of the log: `text` for people, `json` for programs", "`text`", "json"),
)  # fmt: skip
"""All that is read of the environment."""

SECRETS: Final = tuple(each.name for each in VARIABLES if each.is_secret)
IN_FILES: Final = (*SECRETS, *({"TOWOW_DB"} - {*SECRETS}))
"""What a variable with ``_FILE`` behind its name may hand over; the database may be an address with a password."""
USER: Final = re.compile("(?:T[A-Z0-9_]{1,63}:)?[UW][A-Z0-9_]+")
"""An admin, behind the workspace that they are an admin of."""


@dataclass(frozen=True, slots=True)
class SlackAccess:
    """How Slack is reached."""

    bot_token: str = field(repr=False)
    """Of the one workspace there is; empty where many may install ToWow."""
    app_token: str = field(repr=False)
    """For Socket Mode; empty where Slack calls us over HTTP instead."""
    api_url: str = SLACK_API
    ping_seconds: float = 10
    """A connection that is silent for longer is opened anew."""
    limited: bool = True
    """Whether Slack's rates hold: the local workspace has none."""
    oauth: OAuthAccess | None = None
    """How many workspaces let ToWow in; None where there is one."""


@dataclass(frozen=True, slots=True)
class Config:
    slack: SlackAccess
    claude: ClaudeAccess | None
    """None without a key, where the offline model answers."""
    database: Database
    policy: Any
    """What is decided by where no admin has said otherwise."""
    profiles: Path | None = None
    shortlist: int = WHOLE
    """Of more profiles than this, so many are put to a model."""
    most_open: int = MOST_OPEN
    """Streams of one workspace that may be open at a time."""
    admins: frozenset[str] = frozenset()
    """Users who are admins, whatever is set in the Home tab."""
    api: ApiAccess | None = None
    """None where nobody may call, and nothing is served."""
    time_zone: str = ""
    """IANA: where people are of whom Slack does not tell it; empty for the machine's."""
    traces: TracesAccess | None = None
    """None where no traces are collected."""
    pace: Pace = PACE
    """How jobs are taken, where several processes share the database."""
    keep_days: int | None = None
    """What has ended is kept for so long; None: for ever."""
    workers: WorkersAccess = field(default_factory=lambda: WorkersAccess(Path(SESSIONS), logs=Path(LOGS)))
    calendars: CalendarAccess = field(default_factory=CalendarAccess)
    """Which calendars people may give."""


def read_config(
    environ: Mapping[str, str], policies: Mapping[str, Any], scheduling: Sequence[type[Validated]] = ()
) -> Config:
    """Read everything that ``towow run`` needs. An empty variable counts as not set.

    Args:
        policies: by name.
        scheduling: what ``scheduler_config.json`` has to be for each protocol whose work it schedules.

    Raises:
        Misconfigured: names every variable that is missing or wrong, and what would work; likewise every fault of the
            role registry and of ``scheduler_config.json``, with its line.
    """
    faults: list[str] = []
    bot_token = ""
    if not is_for_many(environ):
        bot_token = _token(environ, "SLACK_BOT_TOKEN", "xoxb-", "the app's page, OAuth & Permissions", faults)
    app_token = ""
    if environ.get("SLACK_APP_TOKEN", "").strip() or not environ.get("SLACK_SIGNING_SECRET", "").strip():
        app_token = _token(environ, "SLACK_APP_TOKEN", "xapp-", "Basic Information, App-Level Tokens", faults)
    api_url = environ.get("SLACK_API_URL") or SLACK_API
    if not is_address(api_url):
        faults.append(f"SLACK_API_URL is {api_url!r}, which is no address; leave it out to use {SLACK_API}")
    else:
        check_proxy(api_url, faults)
    name = environ.get("TOWOW_POLICY") or DEFAULT_POLICY
    if name not in policies:
        faults.append(f"TOWOW_POLICY is {name!r}; it can be {', '.join(sorted(policies))}")
    try:
        database = database_of(environ)
    except Misconfigured as error:
        faults += error.faults
        database = Path(DATABASE)
    if isinstance(database, Path) and not database.parent.is_dir():
        faults.append(f"TOWOW_DB is {str(database)!r}, whose folder does not exist; create it")
    profiles = Path(environ["TOWOW_PROFILES"]) if environ.get("TOWOW_PROFILES") else None
    if profiles is not None and not profiles.is_dir():
        faults.append(f"TOWOW_PROFILES is {str(profiles)!r}, which is no folder; leave it out to use our own people")
    shortlist = environ.get("TOWOW_SHORTLIST") or str(WHOLE)
    if not (shortlist.isdecimal() and LEAST_SHORTLIST <= int(shortlist) <= MOST_SHORTLIST):
        faults.append(
            f"TOWOW_SHORTLIST is {shortlist!r}; it is a number of people from {LEAST_SHORTLIST} to {MOST_SHORTLIST}"
        )
        shortlist = str(WHOLE)
    most_open = environ.get("TOWOW_MOST_OPEN") or str(MOST_OPEN)
    if not (most_open.isdecimal() and int(most_open) > 0):
        faults.append(f"TOWOW_MOST_OPEN is {most_open!r}; it is how many may be under way, such as {MOST_OPEN}")
        most_open = str(MOST_OPEN)
    admins = frozenset(environ.get("TOWOW_ADMINS", "").replace(",", " ").split())
    if strangers := sorted(each for each in admins if not USER.fullmatch(each)):
        faults.append(f"TOWOW_ADMINS names {', '.join(strangers)}; member ids of Slack look like U012AB3CD")
    if is_for_many(environ) and (homeless := sorted(each for each in admins if ":" not in each)):
        faults.append(f"TOWOW_ADMINS names {', '.join(homeless)}; of which workspace? Say T067GH8IJ:U012AB3CD")
    api_url = api_url if api_url.endswith("/") else f"{api_url}/"
    oauth = oauth_access(environ, database, api_url, faults)
    claude, api = claude_access(environ, faults), api_access(environ, faults)
    if oauth and api and (homeless := sorted(each.name for each in api.tokens if not each.team)):
        faults.append(f"TOWOW_API_TOKENS: of which workspace is {', '.join(homeless)}? Its user looks like T067GH8IJ:-")
    time_zone = environ.get("TOWOW_TIME_ZONE", "").strip()
    if time_zone and zone_of(time_zone).key != time_zone:
        faults.append(f"TOWOW_TIME_ZONE is {time_zone!r}, which is no time zone; it is a name such as Asia/Shanghai")
    if not time_zone and (said := unknown_zone(environ)):
        faults.append(
            f"TZ is {said!r}, which names no place, so that nobody knows which day it is; set TOWOW_TIME_ZONE to a "
            "name such as Europe/Berlin"
        )
    traces, pace = traces_access(environ, faults), jobs_pace(environ, int(most_open), faults)
    keep_days = whole_number(environ, "TOWOW_KEEP_DAYS", KEEP_EXAMPLE, "days", faults)
    workers = workers_access(environ, database, faults)
    check_files(workers, scheduling, faults)
    calendars = calendar_access(environ, faults)
    if faults:
        raise Misconfigured(faults)
    slack = SlackAccess(bot_token, app_token, api_url, oauth=oauth)
    return Config(
        slack, claude, database, policies[name], profiles, int(shortlist), int(most_open), admins, api, time_zone,
        traces, pace, keep_days if environ.get("TOWOW_KEEP_DAYS") else None, workers,
        calendars,
    )  # fmt: skip


def database_of(environ: Mapping[str, str]) -> Database:
    """Return where everything is kept."""
    return database_named(environ.get("TOWOW_DB") or DATABASE)


def read_workers(environ: Mapping[str, str], database: Database | None = None) -> WorkersAccess:
    """Return where workers work, and which files say who may; what those say is not looked at.

    Args:
        database: which is meant, in place of that of the environment.
    """
    faults: list[str] = []
    workers = workers_access(environ, database or database_of(environ), faults)
    if faults:
        raise Misconfigured(faults)
    return workers


def read_log_form(environ: Mapping[str, str]) -> str:
    """Return ``text`` or ``json``."""
    form = environ.get("TOWOW_LOG") or "text"
    if form not in LOG_FORMS:
        raise Misconfigured([f"TOWOW_LOG is {form!r}; it can be {' or '.join(LOG_FORMS)}"])
    return form


def _token(environ: Mapping[str, str], name: str, prefix: str, where: str, faults: list[str]) -> str:
    token = secret(environ, name, faults)
    if not token:
        faults.append(f"{name} is not set; it starts with {prefix} and is found under {where}")
    elif not token.startswith(prefix):
        faults.append(f"{name} does not start with {prefix}, so it is another kind of token; see {where}")
    return token
