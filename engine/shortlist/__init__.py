"""Finds, among many profiles, the few that a demand may be about: by meaning and by words, without a model's answer."""

from typing import Final

KIND: Final = "profile_vectors"
"""Of the records: a profile's vectors, by agent id."""
WHOLE: Final = 40
"""Up to so many profiles are put to a model whole; of more, as many as this."""
