"""A ticket is instructed, discussed where its risk is high, worked on and proven."""
