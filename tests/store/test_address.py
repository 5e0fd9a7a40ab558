"""How a database is named: what is an address, what a file, and that nothing of what is neither is ever told."""

from pathlib import Path

import pytest

from bot.command_line import main
from bot.databases import PostgresAddress, database_named
from engine.errors import Misconfigured
from engine.store.address import password_in

PASSWORD = "tulip-7"


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        (f"postgresql://towow:{PASSWORD}@db.example/towow", "db.example/towow"),
        (f"postgres://towow:{PASSWORD}@db.example:5433/towow?sslmode=require", "db.example:5433/towow"),
        (f"PostgreSQL://towow:{PASSWORD}@db.example/towow", "db.example/towow"),
        (f"postgresql://towow:{PASSWORD}@one:5432,two:5433/towow", "one:5432,two:5433/towow"),
        (f"postgresql:///towow?host=/run/postgresql&password={PASSWORD}", "localhost/towow"),
    ],
)
def test_an_address_is_shown_without_its_password(said: str, shown: str) -> None:
    found = database_named(said)
    assert isinstance(found, PostgresAddress)
    assert str(found) == shown
    assert PASSWORD not in f"{found!r}{found}"
    assert found.url.startswith(("postgresql://", "postgres://"))
    assert password_in(said) == PASSWORD


@pytest.mark.parametrize("said", ["towow.db", "data/to wow.db", "/srv/2026@office.db", "C:\\data\\a@b.db", "db=1.db"])
def test_anything_else_is_the_name_of_a_file(said: str) -> None:
    assert database_named(said) == Path(said)


REFUSED = [
    f"postgresql+psycopg://towow:{PASSWORD}@db.example/towow",
    f"mysql://towow:{PASSWORD}@db.example/towow",
    f"postgresql:towow:{PASSWORD}@db.example/towow",
    f"host=db.example dbname=towow password={PASSWORD}",
    f"user=towow PASSWORD = '{PASSWORD}'",
    f"towow:{PASSWORD}@db.example/towow",
    f"//towow:{PASSWORD}@db.example/towow",
    f"postgresql//towow:{PASSWORD}@db.example/towow",
    f"jdbc:postgresql://db.example/towow?user=towow&password={PASSWORD}",
    f"db.example/towow?password={PASSWORD}",
    f"postgresql://towow:{PASSWORD}/x@db.example/towow",
    f"postgresql://towow:{PASSWORD}#x@db.example/towow",
    f"postgresql://towow:{PASSWORD}?x@db.example/towow",
    f"postgresql://towow:{PASSWORD}@x@db.example/towow",
    f"postgresql://towow:{PASSWORD}%@db.example/towow",
    f"postgresql://db.example:{PASSWORD}/towow",
    f"postgresql://[{PASSWORD}@db.example/towow",
    f"url postgresql://towow:{PASSWORD}@db.example/towow",
    f"\u00a0towow:{PASSWORD}@db.example/towow",
    f"'postgresql://towow:{PASSWORD}@db.example/towow'",
    f'psql "postgresql://towow:{PASSWORD}@db.example/towow"',
    f"psql towow:{PASSWORD}@db.example/towow",
    f"postgresql\uff1a//towow:{PASSWORD}@db.example/towow",
    f"export PGPASSWORD={PASSWORD}; psql -h db.example",
    f"db.example/towow?user=towow&pass={PASSWORD}",
]


@pytest.mark.parametrize("said", REFUSED)
def test_what_is_neither_is_refused_without_its_text(
    said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(Misconfigured) as refused:
        database_named(said)
    assert PASSWORD not in str(refused.value)

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TOWOW_DB", said)
    for arguments in (["costs"], ["export", "d-1"], ["doctor"], ["run"], ["costs", "--help"]):
        try:
            status = main(arguments)
        except SystemExit as ended:
            status = int(ended.code or 0)
        told = capsys.readouterr()
        assert PASSWORD not in told.out + told.err, arguments
        assert "TOWOW_DB" in told.out + told.err, arguments
        assert (status == 0) is ("--help" in arguments)
    with pytest.raises(SystemExit):
        main(["move", said, "other.db"])
    assert PASSWORD not in capsys.readouterr().err
    assert not [*tmp_path.iterdir()]
