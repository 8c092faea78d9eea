"""What was known of runs at a moment, worked out from the times that are stored of them."""
