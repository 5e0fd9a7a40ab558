"""People for tests."""

from typing import Any

from engine.directory.profile import Profile
from tests.profiles.profile_files import SUMMARY


def person(name: str = "bo", **fields: Any) -> Profile:
    """
    Args:
        fields: as in a file.
    """
    plain = {
        "agent_id": f"user_agent_{name}",
        "user_name": name.title(),
        "profile_summary": SUMMARY,
        "location": "Berlin",
        "tags": ["venue"],
        "capabilities": {"venue": "A workshop for 20 people"},
        "availability": "weekends",
        "languages": ["English"],
    }
    return Profile.model_validate({**plain, **fields})
