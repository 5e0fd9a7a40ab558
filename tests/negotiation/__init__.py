"""The negotiation's rules as given/when/then."""
