"""Does Slack take this element: a button, a menu, an input?"""

from __future__ import annotations

from .catalogue import ELEMENTS, FEEDBACK
from .report import Report

OPTION_TEXT = 75  # characters; description too
OPTION_VALUE = 150
LONG_OPTIONS = ("radio_buttons", "checkboxes")  # their texts may be mrkdwn


def check_element(report: Report, element: object, allowed: frozenset[str], pointer: str) -> None:
    kind = element.get("type") if isinstance(element, dict) else None
    if not isinstance(element, dict) or kind not in allowed:
        report.add(f"unsupported type: {kind}", f"{pointer}/type")
        return
    if kind in ("plain_text", "mrkdwn"):
        report.text(element, 3000, pointer)
        return
    report.part(element, ELEMENTS[kind], pointer, also=() if kind == "image" else ("action_id", "visible_to_user_ids"))
    report.length(str(element.get("action_id") or ""), 255, f"{pointer}/action_id")
    if element.get("style") not in (None, "primary", "danger"):
        report.add("must be primary or danger", f"{pointer}/style")
    if element.get("confirm") is not None:
        _check_confirm(report, element["confirm"], f"{pointer}/confirm")
    _check_options(report, element.get("options"), f"{pointer}/options", plain=kind not in LONG_OPTIONS)
    groups = element.get("option_groups")
    for number, group in enumerate(groups if isinstance(groups, list) else []):
        where = f"{pointer}/option_groups/{number}"
        report.text(group.get("label"), OPTION_TEXT, f"{where}/label", plain=True)
        _check_options(report, group.get("options"), f"{where}/options", plain=True)
    for name in ("positive_button", "negative_button") if kind == "feedback_buttons" else ():
        _check_feedback(report, element.get(name), f"{pointer}/{name}")
    if kind in ("static_select", "multi_static_select") and not (element.get("options") or groups):
        report.add("missing required field: options or option_groups", pointer)


def _check_feedback(report: Report, button: object, pointer: str) -> None:
    if not isinstance(button, dict):
        report.add("must be an object", pointer)
        return
    report.part(button, FEEDBACK, pointer)
    if "type" in button:
        report.add("invalid additional property: type", f"{pointer}/type")


def _check_options(report: Report, options: object, pointer: str, *, plain: bool) -> None:
    for number, option in enumerate(options if isinstance(options, list) else []):
        where = f"{pointer}/{number}"
        if not isinstance(option, dict):
            report.add("must be an option object", where)
            continue
        report.text(option.get("text"), OPTION_TEXT, f"{where}/text", plain=plain)
        if option.get("description") is not None:
            report.text(option["description"], OPTION_TEXT, f"{where}/description", plain=plain)
        report.length(str(option.get("value") or ""), OPTION_VALUE, f"{where}/value")


def _check_confirm(report: Report, confirm: object, pointer: str) -> None:
    if not isinstance(confirm, dict):
        report.add("must be a confirmation dialog object", pointer)
        return
    for name, longest in (("title", 100), ("text", 300), ("confirm", 30), ("deny", 30)):
        if confirm.get(name) is not None:
            report.text(confirm[name], longest, f"{pointer}/{name}", plain=name != "text")
    if confirm.get("text") is None:
        report.add("missing required field: text", pointer)
