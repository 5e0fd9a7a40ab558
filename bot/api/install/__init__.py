"""The pages by which people let ToWow into their workspace."""
