"""Who is here, and what holds for everybody: people, their twins, and the workspace's settings."""
