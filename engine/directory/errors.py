"""What the directory refuses, besides the general refusals of `engine.errors`.

Refusal
└── InvalidInput
    ├── InvalidProfile      E001  400  a profile that contradicts itself, or somebody else's
    └── InvalidSettings     E001  400  settings that would lock everybody out
"""

from engine.errors import InvalidInput, Refusal


class InvalidProfile(InvalidInput):
    pass


class InvalidSettings(InvalidInput):
    pass


REFUSALS: tuple[type[Refusal], ...] = (InvalidProfile, InvalidSettings)
