"""A synthetic match and its renderer."""
