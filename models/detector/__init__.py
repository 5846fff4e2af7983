"""The detector: weights, recipe and evaluation."""
