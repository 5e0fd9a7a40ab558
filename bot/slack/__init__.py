"""How we are connected to Slack: who we are there, and the Socket Mode connection."""
