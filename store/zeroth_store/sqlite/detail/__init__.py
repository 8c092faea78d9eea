"""One run whole, with what other rows tell of it."""
