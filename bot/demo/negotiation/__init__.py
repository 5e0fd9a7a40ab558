"""The demo of a negotiation: one demand, from the post to the final proposal."""
