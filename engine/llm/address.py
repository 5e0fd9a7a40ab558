"""Where Claude is asked; apart from the client, so that reading the settings imports no SDK."""

from typing import Final

PUBLIC_URL: Final = "https://api.anthropic.com"
