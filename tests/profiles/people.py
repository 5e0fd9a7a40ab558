"""People for tests."""

from functools import cache
from typing import Any

from engine.directory.profile import Profile, Profiles
from engine.files.profiles import load_profiles
from tests.profiles.profile_files import SUMMARY


@cache
def shipped() -> Profiles:
    """Those who are in the demo, read once for all tests."""
    return load_profiles()


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
