"""When people are free, and when all who must can."""
