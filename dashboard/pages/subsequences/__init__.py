"""Page 3, Subsequences: the learned forest."""
