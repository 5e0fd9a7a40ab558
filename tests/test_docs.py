"""What the pages say is so: diagrams, tables, commands, variables, paths, links and names."""

import contextlib
import io
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from bot.api.metrics import Meter
from bot.api.tokens import read_tokens
from bot.command_line import main
from bot.registry import PROTOCOLS
from engine.deliberation.events import EVENTS as OF_DELIBERATION
from engine.directory.messages import EVENTS as OF_DIRECTORY
from engine.negotiation.asks import RETURNS
from engine.negotiation.events import EVENTS as OF_NEGOTIATION
from engine.negotiation.state import Status
from engine.negotiation.terms import Outcome
from tests.doc_tables import BLOCK, MADE, ROOT, written

MOST_WORDS: Final = {"README.md": 800, "docs/architecture.md": 1_500, "docs/decisions.md": 4_000}
"""Of a page. What is longer has a page of its own, or stands in the code."""
MOST_WORDS_OF_DOCS: Final = 25_000
"""Of all pages in docs/ together."""

DOCS: Final = tuple(sorted((ROOT / "docs").glob("*.md")))
PAGES: Final = (
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *DOCS,
    *(
        ROOT / folder / "README.md"
        for folder in (
            "engine/negotiation",
            "engine/deliberation",
            "engine/delivery",
            "profiles",
            "prompts",
            "bot/local_slack",
            "benchmarks",
        )
    ),
)
every_page: Final = pytest.mark.parametrize(
    "page", [pytest.param(each, id=str(each.relative_to(ROOT))) for each in PAGES]
)

_FENCED: Final = re.compile(r"^ *```(\w*)\n(.*?)\n *```$", re.S | re.M)
_SPAN: Final = re.compile(r"`([^`\n]+)`")
_LINK: Final = re.compile(r"\]\(([^)\s]+)\)")
_BUTTON: Final = re.compile(r"(?<!\*)\*([A-Z][^*\n]*…)\*(?!\*)")
_SUFFIXES: Final = "py|md|yml|yaml|sql|toml|json|txt|png|svg|js|css|html|po"
_FILE: Final = re.compile(rf"[\w.*-][\w./*-]*\.(?:{_SUFFIXES})")
_WORD: Final = re.compile(r"[A-Za-z]\w*(?:_\w+|[a-z][A-Z]\w*)")
"""A name of code: with an underscore, or with a hump."""


def prose(page: Path) -> str:
    return _FENCED.sub("", page.read_text("utf-8"))


def spans(page: Path) -> list[str]:
    return _SPAN.findall(prose(page))


def code(page: Path) -> list[str]:
    """Every line and span in which commands may stand."""
    blocks = _FENCED.findall(page.read_text("utf-8"))
    return [line.strip() for language, block in blocks if language == "sh" for line in block.splitlines()] + spans(page)


@pytest.mark.parametrize("page", sorted({page for page, _ in MADE.values()}))
def test_what_is_made_from_the_code_is_up_to_date(page: str) -> None:
    assert (ROOT / page).read_text("utf-8") == written(page), "run: python -m tests.doc_tables"


def test_every_table_that_is_made_is_on_its_page_once() -> None:
    found = [
        (name, str(page.relative_to(ROOT))) for page in PAGES for _, name, *_ in BLOCK.findall(page.read_text("utf-8"))
    ]

    assert sorted(found) == sorted((name, page) for name, (page, _) in MADE.items())


def test_every_diagram_is_made_from_the_code() -> None:
    drawn = sum(page.read_text("utf-8").count("```mermaid") for page in PAGES)

    assert drawn == sum("```mermaid" in make() for _, make in MADE.values())


@pytest.mark.parametrize("page", MOST_WORDS)
def test_a_page_is_no_longer_than_it_may_be(page: str) -> None:
    assert len((ROOT / page).read_text("utf-8").split()) <= MOST_WORDS[page]


def test_the_pages_of_docs_are_no_longer_than_they_may_be_together() -> None:
    assert sum(len(each.read_text("utf-8").split()) for each in DOCS) <= MOST_WORDS_OF_DOCS


def test_the_readme_leads_to_every_page() -> None:
    text = (ROOT / "README.md").read_text("utf-8")

    assert {str(each.relative_to(ROOT)) for each in DOCS} - set(_LINK.findall(text)) == set()


@every_page
def test_whatever_is_made_can_be_made(page: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.M))

    named = {match for each in code(page) for match in re.findall(r"^make ([a-z-]+)", each)}

    assert named - targets == set()


@pytest.fixture(scope="module")
def options() -> dict[str, set[str]]:
    """Each command's options, as ``--help`` tells them; those of ``towow`` itself under ""."""
    found: dict[str, set[str]] = {}
    commands = [""]
    for command in commands:
        said = _help(command)
        found[command] = set(re.findall(r"(?<!\w)--[a-z][a-z-]*", said))
        commands += re.findall(r"\{(.*?)\}", said)[0].split(",") if not command else []
    return found


def _help(command: str) -> str:
    said = io.StringIO()
    with contextlib.redirect_stdout(said), pytest.raises(SystemExit):
        main([*command.split(), "--help"])
    return said.getvalue()


@every_page
def test_every_command_and_option_exists(page: Path, options: dict[str, set[str]]) -> None:
    # What begins with a slash is Slack's command; after an underscore it is part of another name.
    pattern = r"(?<![/\w])towow(?: ([a-z]+))?((?: [^#`]*)?)(?![\w.])"
    named = [match for each in code(page) for match in re.findall(pattern, each) if "towow." not in each]
    alone = {each.split()[0] for each in code(page) if each.startswith("--")}

    for command, rest in named:
        assert set(re.findall(r"(?<!\S)--[a-z][a-z-]*", rest)) - options[command] == set()
    assert alone - set().union(*options.values()) == set()


@every_page
def test_every_module_that_is_run_is_there(page: Path) -> None:
    named = {match for each in code(page) for match in re.findall(r"python -m ([\w.]+)", each)}
    paths = {ROOT.joinpath(*each.split(".")) for each in named}

    assert {
        each for each in paths if not (each.with_suffix(".py").is_file() or (each / "__main__.py").is_file())
    } == set()


def variables() -> set[str]:
    """Every environment variable that the code reads."""
    quoted = re.compile(r"\"((?:SLACK|TOWOW|LLM|ANTHROPIC|CORS)_[A-Z_]+)\"")
    texts = [each.read_text("utf-8") for each in sources("bot", "engine")]
    return {name for text in texts for name in quoted.findall(re.sub(r"__all__ = \[.*?\]", "", text, flags=re.S))}


@every_page
def test_every_variable_is_read(page: Path) -> None:
    named = {each for each in code(page) if re.fullmatch(r"(?:SLACK|TOWOW|LLM|ANTHROPIC|CORS)_[A-Z_]+", each)}

    assert named - variables() == set()


def test_every_variable_is_explained() -> None:
    assert variables() - set(spans(ROOT / "docs" / "configuration.md")) == set()


@every_page
def test_no_path_leads_nowhere(page: Path) -> None:
    top = {each.name for each in ROOT.iterdir()}
    linked = {each.partition("#")[0] for each in _LINK.findall(prose(page)) if "://" not in each}
    said = {re.sub(r"<\w+>", "*", each.partition("::")[0].split(" ")[0]) for each in spans(page)}
    named = {each for each in said if _FILE.fullmatch(each) or ("/" in each and each.split("/")[0] in top)}

    assert {each for each in linked if each and not (page.parent / each).exists()} == set()
    assert {each for each in named if not _leads(page, each)} == set()


def _leads(page: Path, path: str) -> bool:
    """Whether it is a file or folder of the repository, or, on a page inside a folder, of that folder."""
    path = path.rstrip("/")
    if any(ROOT.glob(path)) or any(page.parent.glob(path)):
        return True
    return page.parent not in (ROOT, ROOT / "docs") and any(page.parent.rglob(path))


@every_page
def test_no_link_within_the_pages_leads_nowhere(page: Path) -> None:
    linked = [each.partition("#") for each in _LINK.findall(prose(page)) if "#" in each and "://" not in each]

    assert [
        (path, name) for path, _, name in linked if name not in headings(page.parent / path if path else page)
    ] == []


@cache
def headings(page: Path) -> frozenset[str]:
    """What a link may name after its #: made of a heading as GitHub does."""
    found = re.findall(r"^#+ (.+)$", prose(page), re.M)
    return frozenset(re.sub(r"[^\w\- ]", "", each.lower()).replace(" ", "-") for each in found)


def test_the_picture_of_the_way_of_a_vote_names_files_that_are_there() -> None:
    named = re.findall(r">((?:bot|engine)/[^<]+)<", (ROOT / "docs" / "vote.svg").read_text("utf-8"))

    assert len(named) > 8
    assert [each for each in named if not (ROOT / each).exists()] == []


@every_page
def test_every_name_of_code_is_in_the_code(page: Path) -> None:
    named = {word for each in spans(page) for word in _WORD.findall(each) if _WORD.fullmatch(each.partition("(")[0])}

    assert named - words() == set()


@cache
def words() -> frozenset[str]:
    """Everything that is written in the code, in prompts, profiles and in what Prometheus is told."""
    texts = [each.read_text("utf-8") for each in sources("bot", "engine", "tests", "benchmarks", "prompts", "profiles")]
    texts += [(ROOT / name).read_text("utf-8") for name in ("Makefile", "pyproject.toml", "manifest.yml")]
    return frozenset(word for text in texts for word in re.findall(r"\w+", text)) | frozenset(metrics())


def sources(*folders: str) -> Iterator[Path]:
    for folder in folders:
        for suffix in ("py", "md", "yaml", "yml", "json", "sql"):
            for path in (ROOT / folder).rglob(f"*.{suffix}"):
                if path not in PAGES and path != Path(__file__):
                    yield path


@every_page
def test_every_event_exists(page: Path) -> None:
    events = {*OF_NEGOTIATION, *OF_DELIBERATION, *OF_DIRECTORY}
    named = {match for each in spans(page) for match in re.findall(r"towow\.[a-z_]+\.[a-z_*]+", each)}

    assert {each for each in named if not any(re.fullmatch(_pattern(each), event) for event in events)} == set()


def _pattern(event: str) -> str:
    return re.escape(event).replace(r"\*", ".*")


def test_the_pages_explain_every_status_outcome_and_question() -> None:
    page = (ROOT / "docs" / "negotiation.md").read_text("utf-8")
    first = set(re.findall(r"^\| `?(\w+)`? \|", page, re.M))

    assert {*Status, *Outcome} - first == set()
    assert set(RETURNS) - first == set()


def test_operations_names_every_metric() -> None:
    page = (ROOT / "docs" / "operations.md").read_text("utf-8")

    assert metrics() == set(re.findall(r"^\| `(\w+)` \|", page.partition("| metric |")[2].partition("\n\n")[0], re.M))


def metrics() -> set[str]:
    told = Meter([each.descriptions for each in PROTOCOLS]).exposition({}).decode()
    samples = set(re.findall(r"^# TYPE (\w+) \w+$", told, re.M))
    return {each for each in samples if not each.endswith("_created")}


@every_page
def test_every_button_is_called_so(page: Path) -> None:
    catalogue = (ROOT / "bot" / "locales" / "zh" / "LC_MESSAGES" / "towow.po").read_text("utf-8")

    named = set(_BUTTON.findall(prose(page)))

    assert {each for each in named if f'msgid "{each}"' not in catalogue} == set()


def test_the_layout_names_every_package() -> None:
    packages = {
        str(each.parent.relative_to(ROOT))
        for folder in ("bot", "engine")
        for each in (ROOT / folder).glob("*/__init__.py")
    }
    layout = (ROOT / "docs" / "architecture.md").read_text("utf-8").partition("## The layout")[2].partition("\n## ")[0]

    assert {each for each in packages if f"`{each}/`" not in layout} == set()


def test_the_glossary_is_in_order() -> None:
    for table in re.findall(r"\| --- .*?\n((?:\|.*\n)+)", (ROOT / "docs" / "glossary.md").read_text("utf-8")):
        entries = [line.split("|")[1].strip().lower() for line in table.splitlines()]

        assert entries == sorted(entries)


def test_the_pages_speak_of_the_project_alone() -> None:
    for page in PAGES:
        assert not re.search(r"(?<![\w.])/(?:work|home|root|tmp)/", page.read_text("utf-8")), page


def test_the_tokens_that_are_shown_can_be_read() -> None:
    page = (ROOT / "docs" / "http-api.md").read_text("utf-8")
    head, *lines = next(block for _, block in _FENCED.findall(page) if block.startswith("name")).splitlines()

    faults: list[str] = []
    tokens = read_tokens(";".join(lines), faults)

    assert faults == []
    assert len(tokens) == len(lines)
    assert head.split() == ["name", "scope,scope", "user", "token"]
