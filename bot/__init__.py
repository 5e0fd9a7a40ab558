"""What people see and do: Slack, the terminal, the local workspace."""
