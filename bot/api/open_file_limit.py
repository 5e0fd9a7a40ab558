"""How many files and connections this process may have open at once."""

import sys
from typing import Final

ENOUGH: Final = 16_384

if sys.platform == "win32":

    def files_at_once() -> int:
        return ENOUGH

else:
    import contextlib
    import resource

    def files_at_once() -> int:
        """Many systems allow 1,024 where nobody asks for more: so we ask, once for each server that starts."""
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = ENOUGH if hard == resource.RLIM_INFINITY else min(ENOUGH, hard)
        if soft != resource.RLIM_INFINITY and soft < wanted:
            with contextlib.suppress(ValueError, OSError):
                resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
                soft = wanted
        return ENOUGH if soft == resource.RLIM_INFINITY else soft
