"""What people see: pure functions from values to blocks. `posts` keeps Slack equal to them."""
