"""The workspace's page, as people use it: journeys in a real browser."""
