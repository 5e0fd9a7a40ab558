"""``towow profiles``: begins a profile, checks a folder of them, and takes many from a table."""

from argparse import ArgumentParser, Namespace
from html import unescape
from pathlib import Path
from typing import Final

from bot.commands.subcommand import BAD_INPUT, FINE, CommandFailed, Subcommand
from bot.terminal import Terminal
from bot.texts import texts_in
from bot.views.directory.held import data_of, limit_line
from bot.views.kit.mrkdwn import Fit
from engine.directory.profile import Profiles
from engine.errors import Misconfigured
from engine.files.profile_table import COLUMNS, alike, read_table, to_yaml
from engine.files.profiles import load_company

TEMPLATE: Final = """\
# Write it in the person's own words, and let the person read it. profiles/README.md explains each field.
agent_id: user_agent_{stem}
user_name: {name}
profile_summary: >-
  (200 to 500 characters: who they are, what they do, what they like and dislike)
location: (a city)
tags: [(what they can do), (in both languages)]
capabilities:
  (a tag): (what exactly)
interests: []
availability: (when)
languages: [(which)]
limits: {{}}
preferences: {{}}
"""


def _add_arguments(parser: ArgumentParser) -> None:
    parts = parser.add_subparsers(dest="part", required=True, metavar="PART")
    new = parts.add_parser("new", help="write a file to fill in")
    new.add_argument("name", help="of the person; the file is called after it")
    new.add_argument("--stem", default="", help="the file's name without .yaml, where the name has other letters")
    new.add_argument("folder", type=Path, nargs="?", default=Path(), metavar="PATH", help="where; here when left out")
    check = parts.add_parser("check", help="say what is wrong in a folder, with file, line and field")
    check.add_argument("folder", type=Path, nargs="?", metavar="PATH", help="a folder of people; ours when left out")
    limits = parts.add_parser("limits", help="say what each person of a folder holds to, as data and in words")
    limits.add_argument("folder", type=Path, nargs="?", metavar="PATH", help="a folder of people; ours when left out")
    taken = parts.add_parser("import", help="make files from a table (CSV)")
    taken.add_argument("table", type=Path, metavar="FILE", help=f"has the columns {', '.join(COLUMNS)}")
    taken.add_argument("folder", type=Path, metavar="PATH", help="where the files are put")
    taken.add_argument("--replace", action="store_true", help="write over files that are there")


def _run(options: Namespace) -> int:
    match options.part:
        case "new":
            return _new(options.name, options.stem, options.folder)
        case "check":
            return _check(options.folder)
        case "limits":
            return _limits(options.folder)
        case _:
            return _import(options.table, options.folder, replaces=options.replace)


def _new(name: str, stem: str, folder: Path) -> int:
    stem = stem or "_".join(name.casefold().split())
    if not (stem.isascii() and stem.replace("_", "").isalnum() and stem == stem.casefold()):
        raise CommandFailed(f"{stem!r} can be no file's name: say --stem with a to z, 0 to 9 and _.")
    path = folder / f"{stem}.yaml"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(TEMPLATE.format(stem=stem, name=name))
    except FileExistsError:
        raise CommandFailed(f"{path} is there already.") from None
    except OSError as error:
        raise CommandFailed(f"{path} cannot be written: {error.strerror}.") from error
    Terminal().print(f"{path} is there. Fill it in, then: towow profiles check {folder}")
    return FINE


def _check(folder: Path | None) -> int:
    if folder is not None and not folder.is_dir():
        raise CommandFailed(f"{folder} is no folder.")
    terminal = Terminal()
    try:
        profiles = load_company(folder)
    except Misconfigured as error:
        for fault in error.faults:
            terminal.print(fault)
        return BAD_INPUT
    pairs = [*alike(profiles.values())]
    for each in pairs:
        terminal.print(
            f"{profiles[each.other].agent_id}: `profile_summary` has {each.share:.0%} of its phrases from "
            f"{profiles[each.one].agent_id}; let each say it in their own words"
        )
    if pairs:
        return BAD_INPUT
    terminal.print(f"{len(profiles)} profiles are fine.")
    return FINE


def _limits(folder: Path | None) -> int:
    """Say what code holds (✓), and what a twin is asked about in words (○), as the files say it."""
    terminal, texts = Terminal(), texts_in("en")
    for profile in _checked_folder(folder).values():
        lines = [f"✓ {data_of(each, texts)}" for each in profile.typed_limits]
        lines += [limit_line(each, texts, Fit()) for each in profile.stated_limits]
        if lines:
            terminal.print(f"{profile.agent_id} ({profile.user_name})")
            for line in lines:
                terminal.print(f"  {unescape(line)}")
    return FINE


def _checked_folder(folder: Path | None) -> Profiles:
    if folder is not None and not folder.is_dir():
        raise CommandFailed(f"{folder} is no folder.")
    try:
        return load_company(folder)
    except Misconfigured as error:
        raise CommandFailed("\n".join(error.faults)) from error


def _import(table: Path, folder: Path, *, replaces: bool) -> int:
    try:
        profiles = read_table(table, table.read_text("utf-8-sig"))
    except UnicodeDecodeError:
        raise CommandFailed(f"{table}: this is not UTF-8 text.") from None
    except OSError as error:
        raise CommandFailed(f"{table} cannot be read: {error.strerror}.") from error
    except Misconfigured as error:
        raise CommandFailed("\n".join(error.faults)) from error
    paths = {folder / f"{each.agent_id.removeprefix('user_agent_')}.yaml": each for each in profiles}
    if not replaces and (there := [str(path) for path in paths if path.exists()]):
        raise CommandFailed(f"Nothing was written: {', '.join(there)} is there already; say --replace.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path, profile in paths.items():
            path.write_text(to_yaml(profile), "utf-8")
    except OSError as error:
        raise CommandFailed(f"{folder} cannot be written: {error.strerror}.") from error
    Terminal().print(f"{len(paths)} files are in {folder}.")
    return FINE


COMMAND: Final = Subcommand(_run, _add_arguments)
