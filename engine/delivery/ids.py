"""What the streams of this protocol are called."""

from typing import Final

PROTOCOL: Final = "delivery"

PREFIX: Final = "deliver-"
"""With which their names begin; then comes the stream that it goes on from, or letters and digits of its own."""
