"""What the stand-in answers about profiles."""
