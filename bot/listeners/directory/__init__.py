"""A click in the App Home -> a command to the directory."""
