"""Plays scenarios with perfect answers, planted errors and a cipher: whether code overrules what is right."""
