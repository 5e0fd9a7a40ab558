"""The demand is understood, or asked about, and people are shortlisted and invited."""
