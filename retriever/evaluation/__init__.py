"""Evaluation: what methods find of the gold, how sure that is, and reports that other tools read."""
