"""Traces, where somebody collects them: which click led to which commit, question and post."""
