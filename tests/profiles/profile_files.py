"""Writes profiles for tests."""

from pathlib import Path

SUMMARY = "I bake bread and I lend out my workshop. " * 6

VALID = f"""\
agent_id: user_agent_bo
user_name: Bo
profile_summary: {SUMMARY}
location: Berlin
tags: [venue, catering]
capabilities:
  venue: A workshop for 20 people
availability: weekends
languages: [English]
"""


def folder_with(folder: Path, **files: str) -> Path:
    """
    Args:
        files: what stands in ``<name>.yaml``.
    """
    for name, text in files.items():
        (folder / f"{name}.yaml").write_text(text, "utf-8")
    return folder
