"""Only what is really there counts: regular files of the directory, whole, of a bounded size, read back."""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.workers.outputs import (
    OutputRefused,
    content_type_of,
    read_artifact,
    register_files,
    register_given,
    register_link,
    session_directory,
)
from engine.workers.port import GivenOutput, Registered, WantedOutput

MOST = 1_000


@pytest.fixture
def session(tmp_path: Path) -> Path:
    return session_directory(tmp_path / "sessions", "deliver-1")


@pytest.fixture
def work(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    return folder


def registered(session: Path, work: Path, path: str = "plan.md", **announced: str) -> Registered:
    wanted = (WantedOutput(label="The plan", path=path),)
    (found,) = register_files(session, "T-1", 1, work, wanted, most_bytes=MOST, announced=announced or None)
    return found


def test_a_file_is_copied_with_its_digest_size_and_type(session: Path, work: Path) -> None:
    (work / "plan.md").write_text("# A plan", "utf-8")
    found = registered(session, work)
    digest = f"sha256:{hashlib.sha256(b'# A plan').hexdigest()}"
    assert (found.label, found.uri, found.digest) == ("The plan", "artifacts/T-1/1/plan.md", digest)
    assert (found.content_type, found.size_bytes) == ("text/markdown", 8)
    (work / "plan.md").write_text("changed afterwards", "utf-8")
    assert read_artifact(session, found.uri, found.digest) == b"# A plan"
    assert (session / found.uri).stat().st_mode & 0o077 == 0


def _link(work: Path) -> None:
    (work.parent / "secret.md").write_text("secret", "utf-8")
    (work / "plan.md").symlink_to(work.parent / "secret.md")


def _hard_link(work: Path) -> None:
    (work.parent / "secret.md").write_text("secret", "utf-8")
    os.link(work.parent / "secret.md", work / "plan.md")


LIES: dict[str, tuple[Callable[[Path], object], str]] = {
    "nothing is there": (lambda work: None, "evidence_missing"),
    "an empty file": (lambda work: (work / "plan.md").touch(), "evidence_missing"),
    "a link": (_link, "artifact_refused"),
    "a hard link": (_hard_link, "artifact_refused"),
    "a folder": (lambda work: (work / "plan.md").mkdir(), "artifact_refused"),
    "a pipe": (lambda work: os.mkfifo(work / "plan.md"), "artifact_refused"),
    "too large": (lambda work: (work / "plan.md").write_bytes(b"x" * (MOST + 1)), "artifact_refused"),
    "a dangling link": (lambda work: (work / "plan.md").symlink_to("nowhere"), "artifact_refused"),
}


@pytest.mark.parametrize("lie", LIES)
def test_no_lie_is_registered(session: Path, work: Path, lie: str) -> None:
    make, failure = LIES[lie]
    make(work)
    with pytest.raises(OutputRefused) as refused:
        registered(session, work)
    assert refused.value.failure == failure
    assert not (session / "artifacts" / "T-1" / "1" / "plan.md").exists()


@pytest.mark.parametrize(
    "path", ["../plan.md", "/etc/passwd", "a/../../plan.md", "..", ".", "", "a//b", "pl\0an", "x" * 300]
)
def test_no_path_leads_out(session: Path, work: Path, path: str) -> None:
    (work.parent / "plan.md").write_text("outside", "utf-8")
    with pytest.raises(OutputRefused):
        registered(session, work, path)


def test_a_folder_on_the_way_may_be_no_link(session: Path, work: Path) -> None:
    (work.parent / "other").mkdir()
    (work.parent / "other" / "plan.md").write_text("outside", "utf-8")
    (work / "sub").symlink_to(work.parent / "other")
    with pytest.raises(OutputRefused):
        registered(session, work, "sub/plan.md")


def test_what_was_announced_has_to_be_what_is_there(session: Path, work: Path) -> None:
    (work / "plan.md").write_text("# A plan", "utf-8")
    with pytest.raises(OutputRefused, match="announced"):
        register_files(
            session, "T-1", 1, work, (WantedOutput(label="p", path="plan.md"),), most_bytes=MOST,
            announced={"plan.md": "sha256:" + "0" * 64},
        )  # fmt: skip


def test_what_was_changed_afterwards_is_not_handed_out(session: Path, work: Path) -> None:
    (work / "plan.md").write_text("# A plan", "utf-8")
    found = registered(session, work)
    (session / found.uri).chmod(0o600)
    (session / found.uri).write_text("forged", "utf-8")
    with pytest.raises(OutputRefused, match="digest"):
        read_artifact(session, found.uri, found.digest)


@pytest.mark.parametrize(
    "uri", ["artifacts/../work/plan.md", "work/plan.md", "artifacts//etc/passwd", "https://x.example"]
)
def test_only_artifacts_are_handed_out(session: Path, uri: str) -> None:
    with pytest.raises(OutputRefused):
        read_artifact(session, uri, "sha256:" + "0" * 64)


def test_a_text_is_kept_and_a_link_is_only_its_address(session: Path) -> None:
    text = register_given(session, "T-1", 2, GivenOutput(label="l", path="T-1/proof.md"), b"booked", most_bytes=MOST)
    assert read_artifact(session, text.uri, text.digest) == b"booked"
    link = register_link(GivenOutput(label="l", path="T-1/x.md", link="https://example.org/a"))
    assert (link.is_link, link.uri, link.content_type) == (True, "https://example.org/a", "text/uri-list")


def test_two_attempts_do_not_overwrite_each_other(session: Path) -> None:
    given = GivenOutput(label="l", path="proof.md")
    first = register_given(session, "T-1", 1, given, b"one", most_bytes=MOST)
    second = register_given(session, "T-1", 2, given, b"two", most_bytes=MOST)
    assert read_artifact(session, first.uri, first.digest) == b"one"
    assert read_artifact(session, second.uri, second.digest) == b"two"


@pytest.mark.parametrize("content", [b"", b"x" * (MOST + 1)], ids=["nothing", "too much"])
def test_what_is_given_is_bounded(session: Path, content: bytes) -> None:
    with pytest.raises(OutputRefused):
        register_given(session, "T-1", 1, GivenOutput(label="l", path="p.md"), content, most_bytes=MOST)


def test_two_things_of_one_name_do_not_overwrite_each_other_either(session: Path) -> None:
    given = GivenOutput(label="l", path="T-1/evidence.md")
    kept = [register_given(session, "T-1", 1, given, each, most_bytes=MOST) for each in (b"one", b"two", b"one")]
    assert [each.uri.rpartition("/")[2] for each in kept] == ["evidence.md", "evidence-2.md", "evidence.md"]
    assert [read_artifact(session, each.uri, each.digest) for each in kept] == [b"one", b"two", b"one"]
    assert {each.name for each in (session / "artifacts/T-1/1").iterdir()} == {"evidence.md", "evidence-2.md"}


@pytest.mark.parametrize(
    ("name", "content"),
    [
        pytest.param("a.png", b"<script>alert(1)</script>", id="a page called a picture"),
        pytest.param("a.pdf", b"\x7fELF", id="a program called a document"),
        pytest.param("a.md", b"\xff\xfe\xfd", id="bytes called a text"),
    ],
)
def test_a_lie_about_a_type_is_not_passed_on(session: Path, work: Path, name: str, content: bytes) -> None:
    (work / name).write_bytes(content)
    assert registered(session, work, name).content_type == "application/octet-stream"


def test_a_type_is_what_the_beginning_allows() -> None:
    assert content_type_of("a.csv", b"a,b") == "text/csv"
    assert content_type_of("a.md", "清单".encode()[:5]) == "text/markdown"
    assert content_type_of("a.png", b"\x89PNG\r\n") == "image/png"
    assert content_type_of("a.md", b"\x00\x01") == "application/octet-stream"
    assert content_type_of("a.strange", b"a") == "application/octet-stream"


@pytest.mark.parametrize("name", ["..", "a/b", "", ".hidden", "a" * 400])
def test_a_session_is_called_plainly(tmp_path: Path, name: str) -> None:
    with pytest.raises(OutputRefused):
        session_directory(tmp_path, name)
