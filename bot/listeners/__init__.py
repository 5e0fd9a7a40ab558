"""A click or a message -> a command. A listener reads, hands over, and only then acknowledges."""
