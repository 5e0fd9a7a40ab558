"""What people see who let ToWow into their workspace: a button, and then how it went."""

from html import escape
from typing import Final
from urllib.parse import quote

from bot.api.story.page import document
from bot.texts import Texts

SLACK: Final = "https://slack.com/app_redirect"


def install_page(url: str, texts: Texts) -> str:
    return _page(
        texts.say("Add ToWow to Slack"),
        texts.say(
            "Post what you need, and ToWow asks the colleagues who could help until there is a plan that everyone "
            "answered. Slack asks you next which workspace it is for, and shows what ToWow may do there."
        ),
        _link(url, texts.say("Add to Slack")),
        texts,
    )


def installed_page(where: str, app_id: str, team_id: str, texts: Texts) -> str:
    """
    Args:
        team_id: empty where a whole organisation has it.
    """
    address = f"{SLACK}?app={quote(app_id)}" + (f"&team={quote(team_id)}" if team_id else "")
    return _page(
        texts.say("ToWow is in {where}", where=where or "Slack"),
        texts.say("Mention @ToWow in a channel and say what you need. Who has added it is its first admin."),
        _link(address, texts.say("Open Slack")),
        texts,
    )


def failed_page(reason: str, install: str, texts: Texts) -> str:
    """
    Args:
        reason: Slack's word for it, or the SDK's.
        install: where one can try again.
    """
    title, text = _reasons(texts).get(reason) or _reasons(texts)[""]
    return _page(title, text, _link(install, texts.say("Try again")), texts)


def _reasons(texts: Texts) -> dict[str, tuple[str, str]]:
    """What happened, and what would work, by Slack's word for it."""
    begun_elsewhere = (
        texts.say("This was begun elsewhere"),
        texts.say("It goes on only in the browser in which it began, with cookies, and within ten minutes."),
    )
    used = (
        texts.say("This page was used already, or took too long"),
        texts.say("An installation is good once, and for ten minutes. Nothing was changed."),
    )
    return {
        "access_denied": (
            texts.say("ToWow was not added"),
            texts.say("Nothing was changed. If an admin of yours has to agree first, come back once they have."),
        ),
        "invalid_browser": begun_elsewhere,
        "invalid_state": used,
        "missing_code": used,
        "invalid_code": (
            texts.say("Slack did not confirm this"),
            texts.say("Nothing was changed. If it happens again, whoever runs ToWow finds the reason in its log."),
        ),
        "storage_error": (
            texts.say("ToWow could not keep this"),
            texts.say("Its database does not answer just now. Please try again in a few minutes."),
        ),
        "being_purged": (
            texts.say("ToWow was not added"),
            texts.say(
                "Everything that was kept of this workspace is being deleted, since ToWow was taken out. Please try "
                "again in a few minutes."
            ),
        ),
        "": (
            texts.say("ToWow was not added"),
            texts.say("Slack has sent you back without a yes. Nothing was changed."),
        ),
    }


def _page(title: str, text: str, link: str, texts: Texts) -> str:
    body = f'<main id="story" class="alone"><h1>{escape(title)}</h1><p>{escape(text)}</p><p>{link}</p></main>'
    return document(title, texts.language, body)


def _link(address: str, label: str) -> str:
    return f'<a class="act" href="{escape(address)}">{escape(label)}</a>'
