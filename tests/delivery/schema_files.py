"""The JSON Schemas of the delivery under docs/schemas/delivery/.

``python -m tests.delivery.schema_files`` writes them anew.
"""

from pathlib import Path
from typing import Final

from engine.delivery.envelopes.payloads import schemas

FOLDER: Final = Path(__file__).parents[2] / "docs" / "schemas" / "delivery"
SUFFIX: Final = ".schema.json"


def path(name: str) -> Path:
    return FOLDER / f"{name}{SUFFIX}"


if __name__ == "__main__":
    for name, text in schemas().items():
        path(name).write_text(text, "utf-8")
