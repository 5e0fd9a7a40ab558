"""The variables of the HTTP interface: all that is wrong is named at once, and no token is ever shown."""

import hashlib
from pathlib import Path

import pytest

from bot.api.tokens import Scope, read_tokens, token_of
from bot.api_config import read_api
from engine.errors import Misconfigured

LONG = "k" * 24
LINE = f"web submit,read - {LONG}"


def faults(said: str, **more: str) -> list[str]:
    with pytest.raises(Misconfigured) as refused:
        read_api({"TOWOW_API_TOKENS": said, **more})
    return list(refused.value.faults)


@pytest.mark.parametrize("said", ["", "  "])
def test_without_tokens_nothing_is_served(said: str) -> None:
    assert read_api({"TOWOW_API_TOKENS": said}) is None


def test_a_line_names_scopes_and_the_user_it_is_bound_to() -> None:
    access = read_api({"TOWOW_API_TOKENS": f"{LINE}; aya read,vote U012AB3CD {LONG}2 # of her phone"})

    assert access is not None
    web, aya = access.tokens
    assert (web.name, set(web.scopes), web.user) == ("web", {Scope.SUBMIT, Scope.READ}, "")
    assert (set(aya.scopes), aya.user, aya.actor) == ({Scope.READ, Scope.VOTE}, "U012AB3CD", "U012AB3CD")
    assert token_of(access.tokens, LONG) is web
    assert token_of(access.tokens, f"{LONG}2") is aya
    assert token_of(access.tokens, f"{LONG}3") is None
    assert (access.host, access.port, access.per_minute) == ("127.0.0.1", 8000, 600)


def test_a_file_has_a_token_a_line_and_may_know_digests_alone(tmp_path: Path) -> None:
    path = tmp_path / "tokens"
    path.write_text(f"# who may call\n\nweb read - sha256:{hashlib.sha256(LONG.encode()).hexdigest()}\n", "utf-8")

    access = read_api({"TOWOW_API_TOKENS": str(path)})

    assert access is not None
    assert token_of(access.tokens, LONG) is access.tokens[0]


def test_no_token_is_in_what_is_kept() -> None:
    access = read_api({"TOWOW_API_TOKENS": LINE})

    assert access is not None
    assert LONG not in repr(access)
    assert access.tokens[0].digest.hex() not in repr(access)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        pytest.param("web read", "has 2 parts instead of 4", id="too short"),
        pytest.param(f"web fly - {LONG}", "fly is no scope", id="an unknown scope"),
        pytest.param(f"web , - {LONG}", "is no scope", id="no scope"),
        pytest.param(f"web vote - {LONG}", "bound to one user", id="a vote of nobody"),
        pytest.param("web read - secret", "shorter than 24", id="a short token"),
        pytest.param("web read - sha256:secret", "64 hexadecimal", id="a broken digest"),
        pytest.param(f"web read U1@T2 {LONG}", "no user id", id="somebody from outside"),
        pytest.param(f"w*b read - {LONG}", "its name", id="a broken name"),
        pytest.param(f"{LINE}; web admin - {LONG}2", "names web more than once", id="a name twice"),
        pytest.param(f"{LINE}; ops admin - {LONG}", "ops and web the same token", id="a token twice"),
        pytest.param("/nowhere/tokens", "no file that can be read", id="no file"),
    ],
)
def test_what_is_wrong_with_a_token_is_named_and_the_token_is_not(line: str, why: str) -> None:
    [fault] = faults(line)

    assert why in fault
    assert "secret" not in fault
    assert LONG not in fault


def test_everything_that_is_wrong_is_named_at_once() -> None:
    named = faults("web fly", TOWOW_API_PORT="no", TOWOW_API_RATE="0", CORS_ORIGINS="https://a.example, towow")

    assert [each.split()[0].rstrip(",") for each in named] == [
        "TOWOW_API_TOKENS", "TOWOW_API_PORT", "TOWOW_API_RATE", "CORS_ORIGINS",
    ]  # fmt: skip


def test_a_setting_that_is_wrong_is_named_also_where_nothing_is_served() -> None:
    named = faults("", TOWOW_DRAIN="abc", TOWOW_API_PORT="99999")

    assert [each.split()[0] for each in named] == ["TOWOW_API_PORT", "TOWOW_DRAIN"]


def test_origins_are_parted_by_commas_as_the_seeds_have_it() -> None:
    access = read_api({"TOWOW_API_TOKENS": LINE, "CORS_ORIGINS": "http://localhost:3000,http://localhost:5173"})

    assert access is not None
    assert access.origins == {"http://localhost:3000", "http://localhost:5173"}


def test_nothing_that_is_no_line_is_a_token() -> None:
    found: list[str] = []
    assert read_tokens("# nobody;\n", found) == ()
    assert found == []


def test_slack_s_signing_secret_is_enough_to_serve_slack_and_is_never_shown() -> None:
    access = read_api({"SLACK_SIGNING_SECRET": "8f742231b10e8888"})

    assert access is not None
    assert (access.tokens, access.signing_secret) == ((), "8f742231b10e8888")
    assert "8f74" not in repr(access)
