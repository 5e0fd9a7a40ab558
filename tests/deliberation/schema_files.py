"""The JSON Schemas of the deliberation under docs/schemas/deliberation/.

``python -m tests.deliberation.schema_files`` writes them anew.
"""

from pathlib import Path
from typing import Final

from engine.deliberation.envelopes.tools import schemas

FOLDER: Final = Path(__file__).parents[2] / "docs" / "schemas" / "deliberation"
SUFFIX: Final = ".schema.json"


def path(name: str) -> Path:
    return FOLDER / f"{name}{SUFFIX}"


if __name__ == "__main__":
    made = schemas()
    for old in FOLDER.glob(f"*{SUFFIX}"):
        if old.name.removesuffix(SUFFIX) not in made:
            old.unlink()
    for name, text in made.items():
        path(name).write_text(text, "utf-8")
