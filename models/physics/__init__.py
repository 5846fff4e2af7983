"""The physics core."""
