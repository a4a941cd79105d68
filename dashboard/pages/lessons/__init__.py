"""Page 7, Lessons."""
