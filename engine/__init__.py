"""What happens: the law, the protocols, the store. Knows nothing of Slack."""
