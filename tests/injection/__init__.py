"""What people write to talk a model into something, and a model that obeys everything it reads."""
