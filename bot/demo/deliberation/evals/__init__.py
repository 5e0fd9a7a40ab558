"""Goals and facts whose right plan is known."""
