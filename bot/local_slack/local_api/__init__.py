"""The person side and the admin side, as JSON over HTTP under /local/."""

from .routes import guarded, local_routes

__all__ = ["guarded", "local_routes"]
