"""The variables of ``towow run``: all that are missing or wrong are named at once, and tokens are never shown."""

import json
from pathlib import Path
from typing import Any, Final

import pytest

from bot.claude_config import read_claude
from bot.config import SLACK_API, VARIABLES, read_config, read_log_form
from bot.protocol_row import scheduling
from bot.registry import PROTOCOLS
from bot.story_links import PageAccess
from engine.errors import Misconfigured
from engine.negotiation.policy import PRESETS
from engine.runtime.activity import PACE

from .conftest import Towow

TOKENS: Final = {"SLACK_BOT_TOKEN": "xoxb-secret-1", "SLACK_APP_TOKEN": "xapp-secret-2"}
KEY: Final = "YW4gZXhhbXBsZSwgc28gYmV0dGVyIG5vdCB5b3VycyE="
MANY: Final = {
    "SLACK_CLIENT_ID": "1.2", "SLACK_CLIENT_SECRET": "secret-4", "SLACK_APP_TOKEN": "xapp-secret-2",
    "TOWOW_TOKEN_KEYS": KEY, "TOWOW_PUBLIC_URL": "https://towow.example/", "TOWOW_LINK_KEY": "k" * 24,
}  # fmt: skip
OF_ONE: Final = {"SLACK_BOT_TOKEN"}
OF_MANY: Final = {"SLACK_CLIENT_ID", "SLACK_CLIENT_SECRET", "TOWOW_TOKEN_KEYS", "TOWOW_PURGE_DAYS"}


def faults(environ: dict[str, str]) -> list[str]:
    with pytest.raises(Misconfigured) as refused:
        read_config(environ, PRESETS)
    return list(refused.value.faults)


def test_the_tokens_are_enough() -> None:
    config = read_config(TOKENS, PRESETS)

    assert (config.slack.bot_token, config.slack.app_token) == ("xoxb-secret-1", "xapp-secret-2")
    assert (config.slack.api_url, config.slack.limited) == (SLACK_API, True)
    assert (config.database, config.policy.name, config.profiles) == (Path("towow.db"), "balanced", None)


def test_what_has_ended_is_kept_for_ever_unless_days_are_said() -> None:
    assert read_config(TOKENS, PRESETS).keep_days is None
    assert read_config(TOKENS | {"TOWOW_KEEP_DAYS": "30"}, PRESETS).keep_days == 30
    assert faults(TOKENS | {"TOWOW_KEEP_DAYS": "0"}) == ["TOWOW_KEEP_DAYS is '0'; it is a number of days, such as 365"]


def test_everything_can_be_said_otherwise(tmp_path: Path) -> None:
    more = {
        "SLACK_API_URL": "http://127.0.0.1:3900/api",
        "TOWOW_DB": str(tmp_path / "here.db"),
        "TOWOW_POLICY": "t05-v4",
        "TOWOW_PROFILES": str(tmp_path),
        "TOWOW_ADMINS": "U012AB3CD, W0ADMIN U012AB3CD",
        "TOWOW_SHORTLIST": "60",
    }

    config = read_config(TOKENS | more, PRESETS)

    assert config.slack.api_url == "http://127.0.0.1:3900/api/"
    assert (config.database, config.profiles) == (tmp_path / "here.db", tmp_path)
    assert config.admins == {"U012AB3CD", "W0ADMIN"}
    assert config.shortlist == 60


def test_a_variable_that_is_empty_is_as_good_as_not_set() -> None:
    empty = dict.fromkeys(("SLACK_API_URL", "TOWOW_DB", "TOWOW_POLICY", "TOWOW_PROFILES", "TOWOW_ADMINS"), "")

    assert read_config(TOKENS | empty, PRESETS) == read_config(TOKENS, PRESETS)


def test_everything_that_is_missing_or_wrong_is_named_at_once(tmp_path: Path) -> None:
    wrong = {
        "SLACK_BOT_TOKEN": "  ",
        "SLACK_APP_TOKEN": "xoxb-secret-1",
        "SLACK_API_URL": "slack.com",
        "TOWOW_POLICY": "unanimous",
        "TOWOW_DB": str(tmp_path / "nowhere" / "towow.db"),
        "TOWOW_PROFILES": str(tmp_path / "nobody"),
        "TOWOW_ADMINS": "@aya, U012AB3CD",
        "TOWOW_TIME_ZONE": "Shanghai",
        "TOWOW_ROLES": str(tmp_path / "nobody.json"),
        "TOWOW_SCHEDULER": str(tmp_path),
        "TOWOW_SESSIONS": __file__,
        "TOWOW_LOGS": __file__,
    }

    named = faults(wrong)

    assert [each.split()[0] for each in named] == list(wrong)


@pytest.mark.parametrize("url", ["slack.com/api", "ftp://slack.com", "http://", "http://[::1", "https://:443/"])
def test_what_is_no_address_is_named(url: str) -> None:
    [fault] = faults(TOKENS | {"SLACK_API_URL": url})

    assert repr(url) in fault


@pytest.mark.parametrize(
    "environ",
    [
        pytest.param({"SLACK_BOT_TOKEN": "xapp-secret-2", "SLACK_APP_TOKEN": "xoxb-secret-1"}, id="exchanged"),
        pytest.param({"SLACK_BOT_TOKEN": "secret-1", "SLACK_APP_TOKEN": "secret-2"}, id="of another kind"),
    ],
)
def test_a_wrong_token_is_named_and_not_shown(environ: dict[str, str]) -> None:
    named = faults(environ)

    assert [each.split()[0] for each in named] == ["SLACK_BOT_TOKEN", "SLACK_APP_TOKEN"]
    assert "secret" not in "".join(named)


def test_a_configuration_can_be_logged_without_telling_a_token() -> None:
    config = read_config(TOKENS, PRESETS)

    assert "secret" not in f"{config!r} {config} {config.slack!r}"


def test_the_command_names_what_is_missing(towow: Towow, tmp_path: Path) -> None:
    done = towow("run")

    assert (done.code, done.out) == (2, "")
    assert [each.split()[1] for each in done.complaints] == ["SLACK_BOT_TOKEN", "SLACK_APP_TOKEN"]
    assert list(tmp_path.iterdir()) == []


def test_without_socket_mode_slack_s_signing_secret_is_enough() -> None:
    config = read_config({"SLACK_BOT_TOKEN": "xoxb-secret-1", "SLACK_SIGNING_SECRET": "secret-3"}, PRESETS)

    assert config.slack.app_token == ""
    assert config.api is not None
    assert (config.api.signing_secret, config.api.tokens) == ("secret-3", ())
    assert "secret" not in f"{config!r}"


def test_how_long_an_api_that_fails_is_left_alone() -> None:
    claude = read_claude(
        {"ANTHROPIC_API_KEY": "k", "LLM_FAILURE_THRESHOLD": "5", "LLM_RECOVERY_TIMEOUT": "2.5", "TOWOW_WARM_FIRST": "0"}
    )
    assert claude is not None
    assert (claude.failure_threshold, claude.recovery_timeout, claude.warm_first) == (5, 2.5, 0)

    with pytest.raises(Misconfigured) as wrong:
        read_claude({"LLM_FAILURE_THRESHOLD": "0", "LLM_RECOVERY_TIMEOUT": "soon", "TOWOW_WARM_FIRST": "some"})
    assert [each.split()[0] for each in wrong.value.faults] == [
        "LLM_FAILURE_THRESHOLD",
        "LLM_RECOVERY_TIMEOUT",
        "TOWOW_WARM_FIRST",
    ]


class Recorded(dict[str, str]):
    """Remembers which names were asked for."""

    def __init__(self, said: dict[str, str]) -> None:
        super().__init__(said)
        self.names: set[str] = set()

    def __getitem__(self, name: str) -> str:
        self.names.add(name)
        return super().__getitem__(name)

    def get(self, name: str, default: Any = None) -> Any:
        self.names.add(name)
        return super().get(name, default)


def test_exactly_the_declared_variables_are_read() -> None:
    more = {"TOWOW_API_TOKENS": f"a read T_ACME:- {'x' * 30}", "TOWOW_PROFILES": "."}
    one, many = Recorded(TOKENS | more), Recorded(MANY | more)

    for environ in (one, many):
        read_config(environ, PRESETS)
        read_log_form(environ)

    assert one.names | many.names == {each.name for each in VARIABLES} | {"TZ"}  # which is the machine's


@pytest.mark.parametrize(
    ("said", "named"),
    [
        ({"ANTHROPIC_API_KEY": "sk-ant-1\nsk-ant-2"}, "ANTHROPIC_API_KEY"),
        ({"ANTHROPIC_API_KEY": "sk-ant 1"}, "ANTHROPIC_API_KEY"),
        ({"SLACK_BOT_TOKEN": "xoxb-sk-ant\n1"}, "SLACK_BOT_TOKEN"),
        ({"SLACK_APP_TOKEN": "xapp-sk-ant\t1"}, "SLACK_APP_TOKEN"),
        ({"SSL_CERT_FILE": "/nowhere/ca.pem"}, "SSL_CERT_FILE"),
        ({"SSL_CERT_FILE": __file__}, "SSL_CERT_FILE"),
        ({"SSL_CERT_DIR": "/nowhere"}, "SSL_CERT_DIR"),
    ],
)
def test_what_no_call_could_be_made_with_is_said_before_one_is(said: dict[str, str], named: str) -> None:
    [fault] = faults(TOKENS | said)
    assert fault.startswith(f"{named} ")
    assert "sk-ant" not in fault


def test_the_ends_of_lines_that_a_file_of_settings_has_on_windows_are_no_part_of_them(
    towow: Towow, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, said in {**TOKENS, "TOWOW_KEEP_DAYS": "90", "TOWOW_POLICY": "t05-v4", "TOWOW_DB": "towow.db"}.items():
        monkeypatch.setenv(name, f"{said}\r")
    monkeypatch.setenv("SLACK_API_URL", "http://127.0.0.1:9/api/")
    told = towow("doctor").out
    assert "policy t05-v4" in told
    assert "what has ended is deleted after 90 days" in told
    assert "✓ database   towow.db is not there yet" in told


@pytest.mark.parametrize("proxy", ["http://proxy.test:port", "socks5://proxy.test:1080", "http://", "http://p.test:0"])
def test_what_is_no_proxy_is_a_fault_of_the_settings(proxy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", proxy)
    [fault] = faults(TOKENS | {"ANTHROPIC_API_KEY": "sk-ant-1"})
    assert fault.startswith("HTTPS_PROXY ")
    with pytest.raises(Misconfigured):
        read_claude({"ANTHROPIC_API_KEY": "sk-ant-1"})


@pytest.mark.parametrize("left_out", [pytest.param(OF_MANY, id="one"), pytest.param(OF_ONE, id="many")])
def test_every_example_is_accepted(tmp_path: Path, left_out: set[str]) -> None:
    """Files and folders are examples of another machine."""
    examples = {each.name: each.example for each in VARIABLES if each.name not in left_out}
    if left_out == OF_ONE:
        examples["TOWOW_ADMINS"] = "T067GH8IJ:U012AB3CD"
    here = {"TOWOW_DB": str(tmp_path / "towow.db"), "TOWOW_PROFILES": str(tmp_path)}
    for name, content in (("TOWOW_ROLES", '{"roles": []}'), ("TOWOW_SCHEDULER", '{"retries": 1}')):
        here[name] = str(tmp_path / Path(examples[name]).name)
        Path(here[name]).write_text(content, "utf-8")
    tokens = tmp_path / "tokens"
    tokens.write_text(f"bridge submit,read T067GH8IJ:- {'x' * 30}", "utf-8")

    config = read_config(examples | here | {"TOWOW_API_TOKENS": str(tokens)}, PRESETS)

    assert config.policy.name == examples["TOWOW_POLICY"]
    assert read_log_form(examples) == examples["TOWOW_LOG"]


def test_pages_take_an_address_and_a_key() -> None:
    assert read_config(TOKENS | {"TOWOW_LINK_KEY": "k" * 24}, PRESETS).api is None

    api = read_config(TOKENS | {"TOWOW_PUBLIC_URL": "https://towow.example/", "TOWOW_LINK_KEY": "k" * 24}, PRESETS).api

    assert api is not None
    assert api.pages == PageAccess(b"k" * 24, "https://towow.example", 7)
    assert "kkk" not in repr(api)


@pytest.mark.parametrize(
    ("said", "named"),
    [
        ({"TOWOW_PUBLIC_URL": "towow.example", "TOWOW_LINK_KEY": "k" * 24}, "TOWOW_PUBLIC_URL"),
        ({"TOWOW_PUBLIC_URL": "https://towow.example?a", "TOWOW_LINK_KEY": "k" * 24}, "TOWOW_PUBLIC_URL"),
        ({"TOWOW_PUBLIC_URL": "https://towow.example"}, "TOWOW_LINK_KEY"),
        ({"TOWOW_PUBLIC_URL": "https://towow.example", "TOWOW_LINK_KEY": "short-secret"}, "TOWOW_LINK_KEY"),
        ({"TOWOW_LINK_DAYS": "0"}, "TOWOW_LINK_DAYS"),
        ({"TOWOW_LINK_DAYS": "soon"}, "TOWOW_LINK_DAYS"),
    ],
    ids=["no address", "an address with more", "no key", "a short key", "no day", "no number"],
)
def test_pages_that_could_not_be_reached_or_trusted_are_refused(said: dict[str, str], named: str) -> None:
    [fault] = faults(TOKENS | said)

    assert fault.startswith(named)
    assert "short-secret" not in fault


def test_workers_leave_what_they_make_beside_the_database_unless_told_otherwise(tmp_path: Path) -> None:
    config = read_config(TOKENS | {"TOWOW_DB": str(tmp_path / "towow.db")}, PRESETS)
    assert (config.workers.sessions, config.workers.logs) == (tmp_path / "sessions", tmp_path / "logs")

    said = {"TOWOW_SESSIONS": str(tmp_path / "made"), "TOWOW_LOGS": str(tmp_path / "told")}
    elsewhere = read_config(TOKENS | said, PRESETS).workers
    assert (elsewhere.sessions, elsewhere.logs) == (tmp_path / "made", tmp_path / "told")


def test_what_a_setting_names_is_hidden_from_workers(tmp_path: Path) -> None:
    for name in ("tokens", "bot-token", "towow.db"):
        (tmp_path / name).write_text("api read - sha256:" + "0" * 64 if name == "tokens" else "words", "utf-8")
    (tmp_path / "credentials").mkdir()
    certificates = next(each.example for each in VARIABLES if each.name == "SSL_CERT_FILE")
    (tmp_path / "ca.pem").write_bytes(Path(certificates).read_bytes())
    said = {
        "TOWOW_DB": str(tmp_path / "towow.db"), "TOWOW_API_TOKENS": str(tmp_path / "tokens"),
        "SLACK_BOT_TOKEN_FILE": str(tmp_path / "bot-token"), "CREDENTIALS_DIRECTORY": str(tmp_path / "credentials"),
        "SSL_CERT_FILE": str(tmp_path / "ca.pem"),
    }  # fmt: skip
    hidden = {each.name for each in read_config(TOKENS | said, PRESETS).workers.hidden}
    assert {"towow.db", "towow.db-wal", "tokens", "bot-token", "credentials", "sessions", "logs"} <= hidden
    assert "ca.pem" not in hidden


def test_every_fault_of_the_registry_and_of_the_scheduler_is_named_with_its_place(tmp_path: Path) -> None:
    roles, scheduler = tmp_path / "roles.json", tmp_path / "scheduler_config.json"
    role = {"role_id": "worker", "display_name": "Worker", "type": "worker"}
    roles.write_text(json.dumps({"roles": [role, role | {"role_id": "-", "cli_command": ["true"]}]}), "utf-8")
    scheduler.write_text('{"retries": -1,\n "retires": 1}', "utf-8")

    with pytest.raises(Misconfigured) as refused:
        read_config(
            TOKENS | {"TOWOW_ROLES": str(roles), "TOWOW_SCHEDULER": str(scheduler), "TOWOW_ADMINS": "@aya"},
            PRESETS,
            scheduling(PROTOCOLS),
        )

    places = ["TOWOW_ADMINS names", "roles.json:1:", "roles.json:1:", "scheduler_config.json:1:", "config.json:2:2:"]
    assert all(place in said for place, said in zip(places, refused.value.faults, strict=True)), refused.value.faults


@pytest.mark.parametrize("said", ["0", "19", "201", "-40", "forty", "40.5"])
def test_a_shortlist_is_a_number_of_people_that_fits_into_a_prompt(said: str) -> None:
    with pytest.raises(Misconfigured) as refused:
        read_config(TOKENS | {"TOWOW_SHORTLIST": said}, PRESETS)
    assert any("TOWOW_SHORTLIST" in each and "from 20 to 200" in each for each in refused.value.faults)


def test_files_of_secrets_that_cannot_be_used_are_all_named(
    towow: Towow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "empty").touch()
    (tmp_path / "binary").write_bytes(b"\xff\xfe")
    said = {
        "SLACK_BOT_TOKEN_FILE": "nowhere",
        "SLACK_APP_TOKEN_FILE": "empty",
        "ANTHROPIC_API_KEY_FILE": "binary",
        "TOWOW_LINK_KEY": "k",
        "TOWOW_LINK_KEY_FILE": "empty",
    }
    for name, value in said.items():
        monkeypatch.setenv(name, value)

    done = towow("run")

    assert done.code == 2
    told = {line.split()[1]: line.partition(", ")[2] or line.partition("; ")[2] for line in done.complaints}
    assert told == {
        "SLACK_BOT_TOKEN_FILE": "which cannot be read: No such file or directory",
        "SLACK_APP_TOKEN_FILE": "which is empty",
        "ANTHROPIC_API_KEY_FILE": "which cannot be read: it is no text",
        "TOWOW_LINK_KEY": "leave one of them out",
    }


def test_how_jobs_are_taken_is_said_in_seconds_and_in_words() -> None:
    pace = read_config(TOKENS | {"TOWOW_JOBS_LAST": "60", "TOWOW_JOBS_LISTEN": "yes"}, PRESETS).pace

    assert (pace.lasts, pace.listen) == (60_000, True)
    assert read_config(TOKENS, PRESETS).pace == PACE
    said = faults(TOKENS | {"TOWOW_JOBS_LAST": "1", "TOWOW_JOBS_LISTEN": "maybe"})
    assert said == [
        "TOWOW_JOBS_LAST is 1; it is at least 5 seconds, or a process that is busy counts as gone",
        "TOWOW_JOBS_LISTEN is 'maybe'; it can be yes or no",
    ]


def test_one_workspace_cannot_take_all_places_for_jobs() -> None:
    usual, more = read_config(TOKENS, PRESETS), read_config(TOKENS | {"TOWOW_MOST_OPEN": "5000"}, PRESETS)

    assert usual.pace.most == PACE.most > 2 * usual.most_open
    assert more.pace.most > 2 * more.most_open


def test_many_workspaces_take_what_lets_them_in() -> None:
    access = read_config(MANY | {"TOWOW_PURGE_DAYS": "7", "TOWOW_ADMINS": "T_ACME:U_ANN"}, PRESETS).slack

    assert access.bot_token == ""
    assert access.oauth is not None
    assert access.oauth.redirect_uri == "https://towow.example/slack/oauth_redirect"
    assert access.oauth.authorize_url == "https://slack.com/oauth/v2/authorize"
    assert (access.oauth.purge_days, len(access.oauth.keys)) == (7, 1)
    assert "secret-4" not in repr(access)
    assert repr(access.oauth.keys[0]) not in repr(access)


@pytest.mark.parametrize(
    ("said", "fault"),
    [
        pytest.param({"SLACK_CLIENT_SECRET": ""}, "SLACK_CLIENT_SECRET is not set", id="no secret"),
        pytest.param({"TOWOW_PUBLIC_URL": ""}, "TOWOW_PUBLIC_URL is not set", id="no address"),
        pytest.param({"TOWOW_TOKEN_KEYS": ""}, "TOWOW_TOKEN_KEYS is not set", id="no key"),
        pytest.param({"TOWOW_TOKEN_KEYS": f"{KEY},canary"}, "TOWOW_TOKEN_KEYS: no. 2 is no key", id="no such key"),
        pytest.param({"TOWOW_TOKEN_KEYS": f"{KEY} {KEY}"}, "TOWOW_TOKEN_KEYS has a key twice", id="a key twice"),
        pytest.param({"SLACK_BOT_TOKEN": "xoxb-1"}, "SLACK_BOT_TOKEN is of one workspace", id="one, and many"),
        pytest.param({"TOWOW_PURGE_DAYS": "soon"}, "TOWOW_PURGE_DAYS is 'soon'", id="no days"),
        pytest.param({"TOWOW_ADMINS": "U_ANN"}, "TOWOW_ADMINS names U_ANN; of which workspace?", id="whose admin"),
        pytest.param(
            {"TOWOW_API_TOKENS": f"bridge read - {'x' * 30}"}, "of which workspace is bridge?", id="whose token"
        ),
    ],
)
def test_what_many_workspaces_lack_is_named(said: dict[str, str], fault: str) -> None:
    with pytest.raises(Misconfigured) as wrong:
        read_config(MANY | said, PRESETS)
    assert fault in str(wrong.value)
    assert KEY not in str(wrong.value)
    assert "canary" not in str(wrong.value)


def test_calendars_are_given_as_it_is_said() -> None:
    key = "YW4gZXhhbXBsZSwgc28gYmV0dGVyIG5vdCB5b3VycyE="
    plain = read_config(TOKENS, PRESETS).calendars
    assert (plain.takes_files, plain.takes_addresses) == (True, False)
    both = read_config(TOKENS | {"TOWOW_TOKEN_KEYS": key, "TOWOW_CALENDAR_NETWORKS": "10.2.0.0/16 ::1"}, PRESETS)
    assert both.calendars.takes_addresses
    assert [str(each) for each in both.calendars.networks] == ["10.2.0.0/16", "::1/128"]
    assert key not in repr(both)
    files = read_config(TOKENS | {"TOWOW_TOKEN_KEYS": key, "TOWOW_CALENDARS": "files"}, PRESETS).calendars
    assert (files.takes_files, files.takes_addresses) == (True, False)
    with pytest.raises(Misconfigured) as wrong:
        read_config(TOKENS | {"TOWOW_CALENDARS": "some", "TOWOW_CALENDAR_NETWORKS": "ours"}, PRESETS)
    assert [*wrong.value.faults] == [
        "TOWOW_CALENDARS is 'some'; it can be yes, files, no",
        "TOWOW_CALENDAR_NETWORKS is 'ours'; ranges of addresses look like 10.20.0.0/16",
    ]
