"""Goals to begin with: people are named in them, and the scripted worker has what asks for a checklist."""

from typing import Final

SUGGESTIONS: Final = (
    "deliver: Maya Patel confirms the date of the fire drill with the caretaker. Then write the checklist for the "
    "drill into checklist.md. Then Jonas Weber hangs it up on every floor.",
)
