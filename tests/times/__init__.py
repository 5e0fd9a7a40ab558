"""When people are free: data in, times out."""
