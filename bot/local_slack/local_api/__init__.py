"""The person side and the admin side, as JSON over HTTP under /local/."""

from .guard import guarded
from .routes import local_routes

__all__ = ["guarded", "local_routes"]
