"""A negotiation that is over, as a file to take along. What the thread does not show is in none of them."""
