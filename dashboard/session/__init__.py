"""What a visitor has: the present task set and settings, the link, jobs, caches."""
