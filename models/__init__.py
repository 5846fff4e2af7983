"""What every stage believes about the world."""
