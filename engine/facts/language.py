"""The two languages that the interface has a catalogue for, and which of them goes with a language tag."""

from typing import Literal

Language = Literal["zh", "en"]


def catalogue_of(tag: str) -> Language:
    """Return the catalogue for a BCP 47 tag or a locale: Chinese for any Chinese, else English."""
    return "zh" if tag.strip().lower().replace("_", "-").split("-")[0] == "zh" else "en"
