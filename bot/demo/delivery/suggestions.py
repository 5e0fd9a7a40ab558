"""Goals to begin with: people are named in them, and the scripted worker has what asks for a checklist."""

from typing import Final

SUGGESTIONS: Final = (
    "deliver: Maya Patel confirms the date of the fire drill with the caretaker; then write the checklist for it into "
    "checklist.md; finally Jonas Weber prints it and hangs it up",
)
