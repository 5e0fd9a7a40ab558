"""A worker for the demo: it reads what is to be done, and writes real files by a few rules.

It speaks the envelope of seed 002, as any command may that stands in the role registry: one `dispatch` on its input,
and on its output an `artifact_ref` for each file and a `report`, each on a line. It works in the directory in which it
is started, and imports nothing of ToWow: `python scripted_worker.py < dispatch.json`.
"""

import hashlib
import json
import mimetypes
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, TextIO

ROLE: Final = "scripted_worker"
VERSION: Final = "1.0"
ASKS_FOR: Final = re.compile(r"\b(?:password|secret key|credit card)\b|密码|密钥|信用卡", re.IGNORECASE)
"""What it cannot know: it says that it is blocked, until somebody has answered."""
CHINESE: Final = re.compile("[\u4e00-\u9fff]")
SENTENCE: Final = re.compile(r"(?<=[.!?;。！？；])\s*|\n+")

Json = Mapping[str, Any]


def main(read: TextIO = sys.stdin, write: TextIO = sys.stdout) -> int:
    asked = read_envelope(read)
    for kind, payload in answers(asked, Path.cwd()):
        print(json.dumps(enveloped(asked, kind, payload), ensure_ascii=False), file=write, flush=True)
    return 0


def read_envelope(read: Iterable[str]) -> Json:
    """The one envelope on the input: on one line or on several.

    Raises:
        ValueError: there is none.
    """
    said = ""
    for line in read:
        said += line
        try:
            found = json.loads(said)
        except ValueError:
            continue
        if isinstance(found, dict):
            return found
    raise ValueError("There is no envelope on the input.")


def enveloped(asked: Json, kind: str, payload: Json) -> Json:
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return {
        "session_id": asked["session_id"],
        "timestamp": now,
        "source": ROLE,
        "target": asked.get("source", "scheduler"),
        "payload_type": kind,
        "version": asked.get("version", VERSION),
        "payload": payload,
    }


def answers(asked: Json, directory: Path) -> Iterator[tuple[str, Json]]:
    """What it answers, each as its type and its payload; files are there before they are named."""
    payload: Json = asked["payload"]
    if asked["payload_type"] == "instruction_proposal":
        yield "report", report("proposal")
        return
    words = texts_of(payload)
    if ASKS_FOR.search(words) and not payload.get("answers"):
        yield "report", report("blocked", issues=["I need a secret that only a person may give."])
        return
    made = [written(each, payload, directory) for each in payload.get("expected_outputs", ())]
    for each in made:
        yield "artifact_ref", each
    labels = [str(each["label"]) for each in made]
    yield "report", report("completed", outputs=labels, evidence=[str(each["digest"]) for each in made])


def report(status: str, **told: Any) -> Json:
    return {"status": status, "outputs": [], "evidence": [], "issues": [], "next_actions": [], **told}


def written(output: Json, payload: Json, directory: Path) -> Json:
    """Write one expected output, and return its `artifact_ref`."""
    name, label = Path(str(output["path"])).name, str(output["label"])
    content = content_of(name, label, payload).encode()
    (directory / name).write_bytes(content)
    return {
        "label": label,
        "uri": name,
        "digest": f"sha256:{hashlib.sha256(content).hexdigest()}",
        "content_type": mimetypes.guess_type(name)[0] or "text/markdown",
        "size_bytes": len(content),
        "description": "",
    }


def content_of(name: str, label: str, payload: Json) -> str:
    """The words of one file: a checklist of what the instruction says, in the form that its name asks for."""
    title, steps, checks = str(payload.get("title") or label), steps_of(payload), listed(payload, "acceptance_criteria")
    if name.endswith(".json"):
        return json.dumps({"title": title, "steps": steps, "checks": checks}, ensure_ascii=False, indent=2) + "\n"
    if name.endswith(".csv"):
        return "\n".join(["step,done", *(f'"{each}",' for each in steps)]) + "\n"
    is_chinese = bool(CHINESE.search(title))
    head = ("待办清单", "完成标准", "按规则生成，没有使用模型。") if is_chinese else (
        "To do", "It is done when", "Written by rules; no model was asked."
    )  # fmt: skip
    lines = [f"# {title}", "", f"## {head[0]}", "", *(f"- [ ] {each}" for each in steps)]
    if checks:
        lines += ["", f"## {head[1]}", "", *(f"- [ ] {each}" for each in checks)]
    if changes := listed(payload, "changes"):
        lines += [
            "",
            "## " + ("已按要求修改" if is_chinese else "Changed as asked"),
            "",
            *(f"- {each}" for each in changes),
        ]
    return "\n".join([*lines, "", f"_{head[2]}_", ""])


def steps_of(payload: Json) -> list[str]:
    """The instruction's steps; where it has none, the sentences of what is to be done."""
    given = listed(payload, "steps")
    said = [str(payload.get(name) or "") for name in ("description", "summary", "title")]
    sentences = [part.strip() for text in said for part in SENTENCE.split(text) if part.strip()]
    return given or [*dict.fromkeys(sentences)] or ["…"]


def listed(payload: Json, name: str) -> list[str]:
    return [str(each) for each in payload.get(name) or () if str(each).strip()]


def texts_of(payload: Json) -> str:
    return "\n".join([str(payload.get("title") or ""), str(payload.get("description") or ""), *steps_of(payload)])


if __name__ == "__main__":
    sys.exit(main())
