"""The person side and the admin side, as JSON over HTTP under /local/."""

from .guard import only_from_here
from .routes import local_routes

__all__ = ["local_routes", "only_from_here"]
