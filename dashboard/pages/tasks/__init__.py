"""Page 1, Tasks: what is being learned."""
