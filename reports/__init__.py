"""What people read and use."""
