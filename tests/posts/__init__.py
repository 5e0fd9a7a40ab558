"""What is posted becomes what is wanted, whatever Slack does."""
