"""Opens the page in a browser, where somebody would see it."""

import contextlib
import sys
import webbrowser
from collections.abc import Mapping
from pathlib import PurePath
from threading import Thread
from typing import Final

TEXT: Final = frozenset({"www-browser", "links", "elinks", "lynx", "w3m"})
"""Browsers in the terminal, which cannot show the page."""


def has_desktop(environ: Mapping[str, str], platform: str = sys.platform) -> bool:
    """Whether a browser would be seen: on a desktop, or where somebody has said which one; never in CI."""
    if environ.get("CI"):
        return False
    if environ.get("BROWSER"):
        return True
    if environ.get("SSH_CONNECTION"):
        return False
    return platform in ("darwin", "win32") or bool(environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY"))


def open_page(url: str) -> None:
    """Open the page in a thread of its own, because some browsers return only when they are closed."""
    Thread(target=_open, args=(url,), daemon=True).start()


def _open(url: str) -> None:
    with contextlib.suppress(webbrowser.Error, OSError):  # the address is printed in the terminal anyway
        browser = webbrowser.get()
        if PurePath(getattr(browser, "name", "")).name not in TEXT:
            browser.open(url)
