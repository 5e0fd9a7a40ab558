"""Goals to begin with: a ticket for each part; who is named first in one has it, and for the others it is asked."""

from typing import Final

SUGGESTIONS: Final = (
    "deliver: Maya Patel confirms the date of the fire drill with the caretaker; the checklist "
    "for it in checklist.md; then Jonas Weber prints it and hangs it up",
)
