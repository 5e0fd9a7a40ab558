"""What every protocol's views are made of: blocks, fields, texts, and how much fits into a message."""
