"""Detections to trajectories and strokes."""
