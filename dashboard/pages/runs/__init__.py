"""Page 6, Runs."""
