"""Through which proxy an address is reached: never this machine's own, and none that the environment excepts."""

import pytest

from engine.errors import Misconfigured
from engine.proxies import for_children, proxy_for, take_over

PROXY = "http://proxy.example:3128"


@pytest.fixture(autouse=True)
def _no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.mark.parametrize(
    "url", ["https://slack.com/api/", "wss://wss-primary.slack.com/link", "https://api.anthropic.com"]
)
@pytest.mark.parametrize("name", ["HTTPS_PROXY", "https_proxy", "ALL_PROXY"])
def test_what_is_elsewhere_is_reached_through_it(monkeypatch: pytest.MonkeyPatch, name: str, url: str) -> None:
    assert proxy_for(url) is None
    monkeypatch.setenv(name, PROXY)
    assert proxy_for(url) == PROXY
    monkeypatch.setenv(name, "proxy.example:3128")
    assert proxy_for(url) == PROXY


def test_a_proxy_of_one_scheme_is_none_of_the_other_and_small_letters_count_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://one.example:1")
    assert (proxy_for("http://a.example"), proxy_for("https://a.example")) == ("http://one.example:1", None)
    monkeypatch.setenv("http_proxy", "http://two.example:2")
    assert proxy_for("ws://a.example") == "http://two.example:2"


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:3900/api/",
        "http://127.8.0.1/",
        "http://localhost:1/",
        "ws://[::1]:1/",
        "http://a.localhost",
        "http://LOCALHOST.:1/",
        "http://[::ffff:127.0.0.1]:1/",
        "http://0.0.0.0:1/",
        "http://[::]:1/",
    ],
)
def test_this_machine_is_never_reached_through_one(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv("HTTP_PROXY", PROXY)
    monkeypatch.setenv("ALL_PROXY", PROXY)
    assert proxy_for(url) is None


@pytest.mark.parametrize(
    ("excepted", "url", "is_excepted"),
    [
        ("*", "https://slack.com", True),
        ("slack.com", "https://slack.com", True),
        ("slack.com", "https://files.slack.com", True),
        (".slack.com", "https://files.slack.com", True),
        ("*.slack.com", "https://files.slack.com", True),
        ("slack.com", "https://notslack.com", False),
        ("a.example, SLACK.com", "https://slack.com", True),
        ("a.example slack.com", "https://slack.com", True),
        ("slack.com:443", "https://slack.com", True),
        ("slack.com:8443", "https://slack.com", False),
        ("10.0.0.0/8", "https://10.1.2.3", True),
        ("10.0.0.0/8", "https://11.1.2.3", False),
        ("10.1.2.3", "https://10.1.2.3", True),
        ("fd00::/8", "https://[fd00::1]/", True),
        ("[fd00::1]:443", "https://[fd00::1]/", True),
        ("[fd00::1]:8443", "https://[fd00::1]/", False),
        ("10.0.0.0/8:443", "https://10.1.2.3", True),
        ("10.0.0.0/8:8443", "https://10.1.2.3", False),
        ("10.0.0.0/8", "https://[::ffff:10.1.2.3]/", True),
        ("slack.com", "https://slack.com./", True),
        ("slack.com.", "https://slack.com", True),
        ("", "https://slack.com", False),
    ],
)
def test_what_is_excepted_is_reached_without_one(
    monkeypatch: pytest.MonkeyPatch, excepted: str, url: str, *, is_excepted: bool
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", PROXY)
    monkeypatch.setenv("NO_PROXY", excepted)
    assert proxy_for(url) == (None if is_excepted else PROXY)


def test_what_is_no_proxy_of_http_is_refused_without_its_password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALL_PROXY", "socks5://u:tulip@proxy.example:1080")
    with pytest.raises(Misconfigured, match="is no proxy of HTTP") as refused:
        proxy_for("https://slack.com")
    assert "tulip" not in str(refused.value)


def test_libraries_find_none_and_agents_are_told_of_it() -> None:
    environ = {"HTTPS_PROXY": PROXY, "no_proxy": "a.example", "PATH": "/bin"}
    take_over(environ)
    assert environ == {"no_proxy": "a.example", "PATH": "/bin"}
    assert proxy_for("https://slack.com") == PROXY
    assert for_children()["https_proxy"] == for_children()["HTTPS_PROXY"] == PROXY
    take_over({})
    assert proxy_for("https://slack.com") is None
