"""What texts talk about, in Chinese and English: languages, topics, and who might help."""
