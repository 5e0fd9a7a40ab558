"""The limit of open files and connections of this process."""

import sys
from typing import Final

ENOUGH: Final = 16_384

if sys.platform == "win32":

    def open_file_limit() -> int:
        """Raise the limit as far as the system lets us, and return it. Many systems start with 1,024."""
        return ENOUGH

else:
    import contextlib
    import resource

    def open_file_limit() -> int:
        """Raise the limit as far as the system lets us, and return it. Many systems start with 1,024."""
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = ENOUGH if hard == resource.RLIM_INFINITY else min(ENOUGH, hard)
        if soft != resource.RLIM_INFINITY and soft < wanted:
            with contextlib.suppress(ValueError, OSError):
                resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
                soft = wanted
        return ENOUGH if soft == resource.RLIM_INFINITY else soft
