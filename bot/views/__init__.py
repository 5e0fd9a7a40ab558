"""Pure functions from values to what people see in Slack; `bot/posts` keeps Slack equal to it."""
