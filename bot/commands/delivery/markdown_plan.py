"""Reads the tasks of a Markdown checklist, such as the export of a plan that was argued out."""

import re
from typing import Any, Final

_TITLE: Final = re.compile(r"^# +(.+)$", re.M)
_TASK: Final = re.compile(r"^[-*+] \[ \] +(?P<said>.+)$")
_BOLD: Final = re.compile(r"^\*\*(?P<title>.+?)\*\*(?:: *(?P<facts>.*))?$")
_ACCEPTED: Final = re.compile(r"^\s+[-*+] ✓ *(.+)$")
_RESULT: Final = re.compile(r"^\s+[-*+] (?:Result: *|成果[:：] *|结果[:：] *)(.+)$")
_DAY: Final = re.compile(r"\b\d{4}-\d{2}-\d{2}\b")
_ESCAPED: Final = re.compile(r"\\([!-/:-@\[-`{-~])")


def tasks_in(text: str) -> tuple[str, list[dict[str, Any]]]:
    """Return the title, and the fields of each open item of the list, by the names of a plan's file."""
    tasks: list[dict[str, Any]] = []
    for line in text.splitlines():
        if found := _TASK.match(line):
            tasks.append(_task(found["said"], tasks))
        elif tasks and (found := _ACCEPTED.match(line)):
            tasks[-1].setdefault("acceptance_criteria", []).append(_plain(found[1]))
        elif tasks and (found := _RESULT.match(line)):
            tasks[-1].setdefault("expected_outputs", []).append(_plain(found[1]))
    title = _TITLE.search(text)
    return _plain(title[1]) if title else "", tasks


def _task(said: str, before: list[dict[str, Any]]) -> dict[str, Any]:
    """What an item says: its title in bold, then who, when and after what, divided by dots."""
    bold = _BOLD.match(said.strip())
    task: dict[str, Any] = {"task_id": f"task-{len(before) + 1}", "title": _plain(bold["title"] if bold else said)}
    facts = _plain(bold["facts"] or "").split(" · ") if bold else []
    if days := [day for each in facts for day in _DAY.findall(each)]:
        task["deadline"] = days[-1]
        if len(days) > 1:
            task["starts"] = days[0]
    if len(facts) > 1 and (after := [each["task_id"] for each in before if each["title"] in facts[-1]]):
        task["dependencies"] = after
    return task


def _plain(text: str) -> str:
    return _ESCAPED.sub(r"\1", text).strip()
