"""Strokes to rulings under a law book."""
