"""Cases whose right outcome is known: how they are read, and played through the rules without Slack."""
