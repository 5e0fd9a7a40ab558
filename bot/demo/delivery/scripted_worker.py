"""A worker for the demo: it writes what it is told into real files.

It speaks the envelope of seed 002, as any command may that stands in the role registry: one `dispatch` on its input,
and on its output an `artifact_ref` for each file and a `report`, each on a line. It works in the directory in which it
is started, and imports nothing of ToWow: `python scripted_worker.py < dispatch.json`.
"""

import hashlib
import json
import mimetypes
import sys
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, TextIO

ROLE: Final = "scripted_worker"
VERSION: Final = "1.0"

Json = Mapping[str, Any]


def main(read: TextIO = sys.stdin, write: TextIO = sys.stdout) -> int:
    asked = read_envelope(read)
    for kind, payload in answers(asked, Path.cwd()):
        print(json.dumps(enveloped(asked, kind, payload), ensure_ascii=False), file=write, flush=True)
    return 0


def read_envelope(read: Iterable[str]) -> Json:
    """The one envelope on the input: on one line or on several."""
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
    lines = [f"# {title}"]
    for listed_texts, mark in ((steps, "- [ ]"), (checks, "- [ ]"), (listed(payload, "changes"), "-")):
        if listed_texts:
            lines += ["", *(f"{mark} {each}" for each in listed_texts)]
    return "\n".join([*lines, "", "_Copied together by a script; no model was asked._", ""])


def steps_of(payload: Json) -> list[str]:
    """The instruction's steps; where it has none, what is to be done."""
    said = [str(payload.get(name) or "").strip() for name in ("description", "summary", "title")]
    return listed(payload, "steps") or [*dict.fromkeys(filter(None, said))] or ["…"]


def listed(payload: Json, name: str) -> list[str]:
    return [str(each) for each in payload.get(name) or () if str(each).strip()]


if __name__ == "__main__":
    sys.exit(main())
