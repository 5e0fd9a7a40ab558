"""How it ended: which version is agreed, why, what would still be possible, and what is handed on."""
