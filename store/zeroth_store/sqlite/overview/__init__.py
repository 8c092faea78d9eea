"""What the overview counts."""
