"""Files that people write for ToWow."""
